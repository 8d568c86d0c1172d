// What a gm_session holds; shared by the files of this layer.
#ifndef GM_SESSION_H
#define GM_SESSION_H

#include "graphmend/graphmend.h"
#include "pipeline/diff.h"
#include "pipeline/pipeline.h"

typedef struct FileEdits {
    EditList list;
    EditList common; // of those, what no fixed finding explains
    bool done;
} FileEdits;

struct gm_session {
    Arena *arena;
    Pipeline *pipeline;
    Selection selection;
    Exclude *exclude;
    gm_options options;
    bool checked;
    const char *error;
    VEC(gm_finding) findings;
    VEC(const Finding *) origins; // of each finding; NULL: from a log
    VEC(gm_file) files;
    FileEdits *edits;    // of each file
    VEC(gm_edit) answer; // of the last gm_finding_edits
};

const char *session_text(gm_session *session, Str text); // a copy with its NUL
gm_range session_range(const Source *source, uint32_t start, uint32_t end);

// edits.c
void session_free_edits(gm_session *session);

#endif
