// The rewriting passes, in the paper's order: Trap, Where, Defer. Each is one function over one module of an analysed
// project. Needs: scopes, project analysis. Fills: the AST (ast_replace only) and the findings' status and reason.
// Must not touch: anything outside compiled code. What it declines it marks on the finding, with the reason.
#ifndef GM_PASSES_H
#define GM_PASSES_H

#include "detect/detect.h"

typedef enum RuntimeForm { RUNTIME_AUTO, RUNTIME_EMBED, RUNTIME_MODULE, RUNTIME_IMPORT } RuntimeForm;
typedef enum TrapForm { TRAP_EXACT, TRAP_ASSERT_ASYNC } TrapForm;
typedef struct PassOptions {
    bool trap, where, defer; // which passes run
    bool unsafe;             // also what leaves another state behind where a check fails
    TrapForm trap_form;
    bool cond;           // Where may use torch.cond for arms of which one should run
    RuntimeForm runtime; // AUTO: embed for a single file, module for a tree
} PassOptions;

typedef struct Writer {
    Node *node;
    Module *module;
} Writer;
typedef struct Writers { // written.c: of the whole project, found when first asked for
    Arena *arena;
    bool known;
    Map before; // FuncInfo* -> Writer*: what writes state before it is called
} Writers;

typedef struct PassContext {
    Module *module;
    Writers *writers;
    const PassOptions *options;
    FindingList *findings; // of this module
    const Map *withheld;   // nodes of findings that are to be left as they are: suppressed, not chosen
    Name runtime;          // the name the runtime is bound to in the module: "_graphmend" or a fresh one
    bool uses_runtime;     // set by a pass that emitted a call to it
    Node *scripting;       // a call of torch.jit.script in the module, once looked for
    bool looked_for_scripting;
    struct Need *needs;     // branches that pass_trap leaves to pass_need
    NodeList compile_sites; // of this module, for --trap=assert-async
    NodeList
        registrations; // statements for the module's top, behind the import of the runtime (--trap=assert-async)
    // Filled by the pipeline (src/pipeline/place.c) for pass_runtime_import: the form for this module, never AUTO, and for
    // RUNTIME_MODULE what to import: level 0: `import graphmend_runtime`, else `from ..(level dots) import <module>`.
    RuntimeForm runtime_form;
    uint32_t runtime_level;
    Str runtime_module;
} PassContext;

void pass_trap(PassContext *context);
void pass_where(PassContext *context);
// [Trap] of what pass_where leaves: branches that cannot run without an argument.
void pass_need(PassContext *context);
void pass_defer(PassContext *context);
// After the passes: makes the runtime available in the module (import or embedded source), if it is used.
void pass_runtime_import(PassContext *context);

#endif
