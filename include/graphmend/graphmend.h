// GraphMend's public C API: open a session, add files, check or fix, read findings and edits. The command line is built on
// it. C11; sessions share no state that could be told: each belongs to one thread at a time (it uses others inside).
//
//     const char *why;
//     gm_session *session = gm_open(&(gm_options){0}, &why);
//     if (session && gm_add_path(session, "model.py")) {
//         gm_check(session);
//         for (size_t i = 0; i < gm_finding_count(session); i++)
//             puts(gm_finding_at(session, i)->message);
//     }
//     gm_close(session);
//
// What a session gives out lives until gm_close, but for two arrays: the edits that gm_finding_edits gives until it is called
// again, and the findings until gm_observe, which moves them. Text is UTF-8 and NUL-terminated where no length stands beside
// it. Lines and columns (code points) count from 1, bytes from 0; ends are exclusive. Running out of memory ends the process,
// as a wrong use does: an index that is too large, a file added after gm_check, gm_observe before it.
#ifndef GRAPHMEND_H
#define GRAPHMEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GM_API_VERSION 1

typedef struct gm_session gm_session;

typedef enum gm_runtime {
    GM_RUNTIME_AUTO,
    GM_RUNTIME_EMBED,
    GM_RUNTIME_MODULE,
    GM_RUNTIME_IMPORT
} gm_runtime;

// "tests/**.py": no GM301 there. codes: NULL-terminated.
typedef struct gm_file_ignore {
    const char *pattern;
    const char *const *codes;
    const char *root; // what the pattern is relative to; NULL: gm_options.root
} gm_file_ignore;

// How far a run is: a line for a terminal can be made of it.
typedef struct gm_progress {
    const char *step;     // "reading", "searching", "rewriting", "writing"
    uint32_t done, total; // files; total 0: not known yet
    uint32_t found;
} gm_progress;

// Zero is the default of each field. Lists are NULL-terminated, or NULL.
typedef struct gm_options {
    const char *const *entries; // what is compiled: "pkg.mod:Class.forward", "all"
    // ---- of each file:
    // Codes ("GM301"), prefixes ("GM3"), rule names ("print") or "ALL"; of two that fit a rule the longer one counts.
    const char *const *select; // default: ALL
    const char *const *extend_select;
    const char *const *ignore;
    const char *const *fix_only;        // only these are rewritten
    const gm_file_ignore *file_ignores; // ended by one whose pattern is NULL
    const char *target_torch;           // "2.6": leaves out rules that do not concern it
    // Which files of a folder are left out: patterns as in .gitignore, relative to `root` (NULL: working directory), and
    // those that are relative to the working directory in any case.
    const char *const *exclude, *const *exclude_here;
    const char *root;
    bool no_gitignore; // do not read .gitignore files
    // Others of these fields for the files in a folder (a real path), its other fields count for nothing; NULL: the same.
    // Asked again and again: what it gives is told apart by its address, and has to live as long as the session.
    const struct gm_options *(*options_of)(void *context, const char *folder);
    void *options_context;
    // ---- of the session:
    bool force_exclude;               // leave out also what was named itself
    bool no_trap, no_where, no_defer; // passes to leave out
    bool assert_async;                // Trap by torch._assert_async
    bool unsafe_fixes;                // also those that are GM_UNSAFE
    bool no_cond;                     // Where without torch.cond
    gm_runtime runtime;
    bool pedantic; // also report tests that nothing is known about
    uint32_t jobs; // threads; 0: one per CPU
    // Where results are kept from one session to the next, for inputs that are files; made if need be. NULL: nowhere.
    const char *cache_dir;
    // Called during gm_check and gm_fix, on whichever thread works, by one at a time.
    void (*progress)(void *context, const gm_progress *progress);
    void *progress_context;
} gm_options;

// NULL, with the reason in *why (which lives for the process; why may be NULL), when the options make no sense. The options
// are copied.
gm_session *gm_open(const gm_options *options, const char **why);
void gm_close(gm_session *session); // NULL is fine

// A file or a folder; false when it cannot be opened, gm_error says why.
bool gm_add_path(gm_session *session, const char *path);
// A file from memory, which is copied. path says what it is called, and where its imports are looked for.
bool gm_add_text(gm_session *session, const char *path, const char *text, size_t len);
const char *gm_error(const gm_session *session); // of the last call that gave false

// Finds and decides: after it findings, files and diagnostics can be read. Writes nothing. A second call does nothing.
void gm_check(gm_session *session);
// gm_check, then writes every rewritten file in place, atomically, and the runtime modules that they need. A file that no
// longer holds what was read is left alone. False when some file was not written: diagnostics say which.
bool gm_fix(gm_session *session);

// ---------------------------------------------------------------- findings, in path and source order

typedef enum gm_status {
    GM_LEFT,    // is not rewritten, `reason` says why
    GM_FIXABLE, // is rewritten, always equal
    GM_GUARDED, // is rewritten; the original runs where a check made while tracing does not hold
    GM_UNSAFE, // is rewritten, equal as long as no guard fails; where one does, other state may be left behind
} gm_status;

typedef struct gm_place {
    uint32_t line, column; // line 0: no place
    uint32_t byte;
} gm_place;
typedef struct gm_range {
    gm_place start, end;
} gm_range;

typedef struct gm_edit {
    size_t start, end; // bytes of the old text
    const char *text;  // what stands there in the new one; not NUL-terminated
    size_t len;
} gm_edit;

typedef struct gm_file gm_file;
typedef struct gm_finding {
    const char *code; // "GM301"
    const char *path;
    const char *message;  // one line
    const char *function; // qualified name, or "<module>"
    gm_range range;
    gm_status status;
    const char *reason;      // id, or NULL
    const char *reason_text; // one line, or NULL
    const char *reason_path; // where what fails the condition stands, or NULL
    gm_range reason_range;
    const char *const *gb_ids; // PyTorch's own ids of the break; NULL-terminated
    const gm_file *file;       // NULL: not one of the session's
    bool observed;             // gm_observe: a log shows it
} gm_finding;

size_t gm_finding_count(const gm_session *session);
const gm_finding *gm_finding_at(const gm_session *session, size_t index);
// The edits that mend this finding, and what they need elsewhere in the file (an import): applied alone they give a file
// that works. None for one that is left, and where they would be very long. finding: a pointer from gm_finding_at.
const gm_edit *gm_finding_edits(gm_session *session, const gm_finding *finding, size_t *count);

// Reads what TORCH_LOGS=graph_breaks wrote: marks and moves to the front what was seen, and adds a GM907 for each break
// that no finding explains. After gm_check. False when the text holds no such log.
bool gm_observe(gm_session *session, const char *log, size_t len);

// ---------------------------------------------------------------- files, in path order

struct gm_file {
    const char *path;
    const char *text; // as read; NULL for a file of a folder that does not matter
    size_t len;
    const char *output; // the rewritten text; NULL: unchanged
    size_t output_len;
    const char *runtime; // the module that the output imports, one of gm_runtime_path; NULL: none
    uint32_t suppressed; // findings that a comment holds back
    bool failed;         // could not be handled, or by gm_fix not written: a diagnostic says why
    bool in_folder;      // found in a folder, not named itself
};

size_t gm_file_count(const gm_session *session);
const gm_file *gm_file_at(const gm_session *session, size_t index);
const gm_file *gm_file_find(const gm_session *session, const char *path); // NULL: none

// Python modules that rewritten files import, and that have to stand beside them.
size_t gm_runtime_count(const gm_session *session);
const char *gm_runtime_path(const gm_session *session, size_t index);
const char *gm_runtime_text(size_t *len);
// Whether it may be written there: nothing stands there, or some runtime of graphmend.
bool gm_runtime_fits(const char *path);

// ---------------------------------------------------------------- diagnostics: about the tool's own work

typedef enum gm_level { GM_NOTE, GM_WARNING, GM_ERROR } gm_level;
typedef struct gm_diagnostic {
    gm_level level;
    const char *path;      // may be empty
    uint32_t line, column; // 0: no place
    const char *message;
} gm_diagnostic;
size_t gm_diagnostic_count(const gm_session *session);
gm_diagnostic gm_diagnostic_at(const gm_session *session, size_t index);
size_t gm_error_count(const gm_session *session); // of level GM_ERROR

#ifdef __cplusplus
}
#endif

#endif
