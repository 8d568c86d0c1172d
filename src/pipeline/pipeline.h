// The whole compiler as one object: open paths, run, read the results. The command line and the C API stand on it.
#ifndef GM_PIPELINE_H
#define GM_PIPELINE_H

#include "passes/passes.h"
#include "pipeline/select.h"
#include "pipeline/suppress.h"

typedef struct PipelineOptions {
    PassOptions passes;
    uint32_t jobs;              // 0: one per CPU
    const char *const *entries; // as ProjectOptions.entries
    bool pedantic;              // also report tests that nothing is known about
    // Of the files in a folder (a real path); NULL: every rule is reported and fixed.
    const Selection *(*selection_of)(void *context, Str folder);
    void *selection_context;
    Exclude *exclude; // NULL: only the usual folders are left out
    bool digests;     // as ProjectOptions.digests
    // Told now and then, from one thread at a time; NULL: nobody.
    void (*progress)(void *context, const char *step, uint32_t done, uint32_t total, uint32_t found);
    void *progress_context;
} PipelineOptions;

// What became of one input module.
typedef struct ModuleResult {
    Module *module;
    const Selection *selection; // of its folder
    FindingList findings;       // source order; statuses and reasons as the passes left them
    FindingList guesses;        // with pedantic: put among the findings when the passes are done
    FindingList withheld; // reported, but not to be fixed: put among the findings when the passes are done
    FindingList held;     // held back by comments: not reported, and no pass may count on them
    Suppressions *suppressions;
    Str source; // the bytes as read
    Buf output; // the rewritten file, when changed
    bool changed;
    uint32_t suppressed; // how many findings comments hold back
    bool failed;         // could not be handled at all; a diagnostic says why
    bool in_tree;        // found below a folder that was given, not named itself
    PassContext context;
    Str runtime_path; // the module that the output imports the runtime from, beside the input; empty: none that is to be written
    DiagList diags;
} ModuleResult;

typedef struct Pipeline {
    PipelineOptions options;
    Arena *arena;
    Project *project;
    DiagList diags;            // all of them, once run
    VEC(ModuleResult) modules; // the input modules, in path order
    uint32_t found;            // so far, for the progress
    VEC(Str) folders;          // the folders among the inputs
    VEC(Str)
    runtime_files; // where the runtime has to be written (beside the inputs), each once, in path order
    Writers writers;
} Pipeline;

Pipeline *pipeline_new(const PipelineOptions *options);
void pipeline_free(Pipeline *pipeline);
// A file or a folder; false with a reason when it cannot be opened.
bool pipeline_add(Pipeline *pipeline, const char *path, Str *why);
void pipeline_add_bytes(Pipeline *pipeline, Str path, Str bytes);
void pipeline_run(Pipeline *pipeline);
// Result of the module opened under that path, or NULL.
const ModuleResult *pipeline_result(const Pipeline *pipeline, Str path);
bool pipeline_in_folder(const Pipeline *pipeline, Str path); // below a folder that was given

// ---------------------------------------------------------------- place.c: where the runtime of a module lives
// Fills context->runtime_form, runtime_level and runtime_module, and result->runtime_path, before the passes run.
void place_runtime(Pipeline *pipeline, ModuleResult *result);
bool place_is_runtime(Str bytes); // whether a file that holds these is a runtime of graphmend

#endif
