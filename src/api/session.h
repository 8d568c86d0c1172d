// What a gm_session holds; shared by the files of this layer.
#ifndef GM_SESSION_H
#define GM_SESSION_H

#include "graphmend/graphmend.h"
#include "pipeline/diff.h"
#include "pipeline/pipeline.h"

// First and last; 0: none.
typedef struct Lines {
    uint32_t first, last;
} Lines;

// What is asked later about a finding and is not in its public shape: so much that nobody needs the syntax tree again.
typedef struct Origin {
    uint32_t start, end; // bytes: from the start of its statement's line to the statement's end
    Lines statement;     // of a simple statement: Dynamo may name any of its lines
    bool in_code;        // not about a comment
    bool rewritten;
} Origin;

// A finding that a comment or the selection keeps from being shown.
typedef struct HeldBack {
    uint32_t file;
    Lines shown, statement;
} HeldBack;

typedef struct FileEdits {
    EditList list;
    EditList common;       // of those, what no rewritten finding explains
    const Origin *origins; // of its findings
    uint32_t origin_count;
    bool done;
} FileEdits;

// What holds for the files of a folder.
typedef struct Settings {
    Selection selection;
    ExcludeOptions exclude;
} Settings;

struct gm_session {
    Arena *arena;
    Pipeline *pipeline;
    Settings *settings; // by the session's own options
    Map other_settings; // gm_options* -> Settings*
    Str settings_error; // what is wrong with one of those; empty: nothing
    Exclude *exclude;
    gm_options options;
    bool checked;
    const char *error;
    VEC(Str) added; // the paths, in the order in which they were given
    Map in_memory;  // Names of the paths whose inputs came as bytes
    // Filled by results.c, or by cache.c:
    VEC(gm_finding) findings;
    VEC(const Origin *) origins; // of each finding; NULL: from a log
    VEC(gm_file) files;
    VEC(HeldBack) held;
    FileEdits *edits; // of each file
    Buf entry;        // of the cache, where the results come from it

    VEC(gm_edit) answer; // of the last gm_finding_edits
};

const char *session_text(gm_session *session, Str text);                       // a copy with its NUL
const char *const *session_list(gm_session *session, const char *const *list); // a copy with its texts

// settings.c
Settings *settings_read(gm_session *session, const gm_options *options, Str *why);
const Settings *settings_of(gm_session *session, Str folder); // a real path
void settings_free(gm_session *session);

// results.c
void results_collect(gm_session *session); // after pipeline_run
const char *const *results_gb_ids(gm_session *session, const Rule *rule);

// cache.c
bool cache_load(gm_session *session, Digest *key, bool *usable);
void cache_store(gm_session *session, const Digest *key, uint32_t first_diagnostic);

// build_id.c
Str build_id(void);

// edits.c
void session_free_edits(gm_session *session);

#endif
