// The project: every module under the given roots, how names cross files, classes, functions, who calls whom, and what
// runs inside a compiled region.
#ifndef GM_PROJECT_H
#define GM_PROJECT_H

#include "ir/ir.h"

typedef struct Project Project;
typedef struct Module Module;
typedef struct ClassInfo ClassInfo;
typedef struct FuncInfo FuncInfo;

// ---------------------------------------------------------------- resolve.c: what an expression denotes
// A reference proved by following bindings, never by spelling. REF_NONE: could be anything.
typedef enum RefKind {
    REF_NONE,
    REF_MODULE,   // module: a project module
    REF_CLASS,    // cls: a project class
    REF_FUNCTION, // func: a project function (unbound)
    REF_METHOD,   // func bound to an instance of cls
    REF_INSTANCE, // cls: an instance of a project class
    REF_EXTERNAL, // name: dotted path of something outside the project: "torch.nn.Linear", "logging.getLogger"
    REF_EXTERNAL_INSTANCE, // name: an instance of, or what a call to, that dotted path returned
    REF_BUILTIN,           // name: "print", "len", "ValueError"
    REF_LIST, // a ModuleList / list / dict whose elements are *element (NULL: unknown); name: its type when it is not
              // a display: "torch.nn.Sequential", "dict", ...
} RefKind;
typedef struct Ref {
    RefKind kind;
    Name name;
    Module *module;
    ClassInfo *cls;
    FuncInfo *func;
    struct Ref *element;
    bool partial; // REF_FUNCTION/REF_CLASS reached through functools.partial
    bool inplace; // REF_EXTERNAL_INSTANCE, or a partial: given inplace=, and not False
    bool moves;   // a module with a spectral norm: a call in training changes its buffers
    bool
        subtypes; // REF_INSTANCE/REF_METHOD/REF_CLASS: cls or a subclass of it (self, an annotation), so overrides count
} Ref;

struct Module {
    Project *project;
    Str path;        // as opened
    Str relative;    // to its root
    Name name;       // dotted: "transformers.models.t5.modeling_t5"; the file's stem for a single file
    bool is_package; // __init__.py
    bool
        matters; // passed the byte scan (mentions torch, or is imported by one that does): parsed and analysed
    bool is_input; // named by the user (may be rewritten); others are read only to resolve
    bool has_site; // compiles something itself
    bool failed;   // could not be read; of an input a diagnostic says why
    Unit *unit;    // NULL until parsed
    Map exports;   // caches: Name -> Ref*
    VEC(ClassInfo *) classes;
    VEC(FuncInfo *) functions;
    Map class_at;              // CLASS_DEF -> ClassInfo*
    Map function_at;           // FUNCTION_DEF or LAMBDA -> FuncInfo*
    struct ModuleState *state; // the layer's own
    void *analysis;            // src/analysis's cache; project_free calls analysis_free on it when it is set
    void (*analysis_free)(void *analysis);
};

struct ClassInfo {
    Module *module;
    Node *node; // CLASS_DEF
    Name name;  // qualified within the module
    VEC(Ref) bases;
    VEC(ClassInfo *) subclasses; // direct, in the project
    Map methods;                 // Name -> FuncInfo*: own only
    Map attributes;              // Name -> AttrInfo*: own only
    int8_t module_state;         // cache of class_is_nn_module
    // The layer's own:
    VEC(FuncInfo *) functions; // every def directly in its body, setters and overloads too
    Map last_named;            // Name -> the last FuncInfo* of these with that name
    ClassInfo **mro;           // itself first; of project classes only
    uint32_t mro_len;
    uint32_t mark;
    bool linked, mro_running, attrs_done;
    bool dynamic_attrs; // setattr(self, name, ...) with a computed name
};
// What is known of self.NAME, from assignments `self.NAME = ...` in the class's methods and class-level assignments.
typedef struct AttrInfo {
    Name name;
    VEC(Node *) values; // right-hand sides (NULL for ones without, as in for targets or annotations only)
    VEC(Node *) annotations;
    VEC(FuncInfo *) writers; // the method of each value; NULL: class level
    bool in_init;      // assigned on every normal path of __init__ is not claimed; only: assigned in __init__
    bool outside_init; // also assigned in another method
    bool is_hooked;    // hooks are set on it, see hooks.c
    bool is_buffer, is_parameter; // register_buffer("NAME", ...), nn.Parameter / register_parameter
    VEC(Node *) added; // x of self.NAME.append(x), self.NAME[k] = x, self.NAME.add_module("n", x), ...
} AttrInfo;

// May what leaves a place be caught before it leaves the compiled region? CATCH_PERHAPS: only if a call that cannot be
// resolved, and around which something catches, comes to it.
typedef enum CatchLevel { CATCH_NEVER, CATCH_PERHAPS, CATCH_LIKELY } CatchLevel;
typedef struct CallEdge {
    Node *call; // CALL node in the caller (or the class-decorated node)
    FuncInfo *callee;
    bool certain;    // the only possible callee; else one of several (dispatch)
    bool around;     // a decorator has put it around another callee of the call
    bool by_wrapper; // the call, in a decorator's wrapper, of the function that was decorated
} CallEdge;
struct FuncInfo {
    Module *module;
    Function *function;  // ir
    ClassInfo *cls;      // NULL for plain functions
    Name name;           // qualified: "T5Stack.forward"
    VEC(CallEdge) calls; // callees found
    // Functions with an edge here (may repeat). A decorator's wrapper is among the callers of what it wraps, but callers
    // of a wrapped function are not listed as callers of the wrapper: it is shared by everything it decorates.
    VEC(FuncInfo *) callers;
    bool is_entry;     // compiled itself
    bool reachable;    // runs (or may run) in a compiled region
    bool higher_order; // runs (or may run) in the body of a higher-order operator: checkpoint, cond, vmap, an
                       // autograd.Function; Dynamo refuses side effects there
    // A function under functools.cache, itself or one through which it is called, or NULL: where the graph breaks in it,
    // Python keeps what it gave; else Dynamo runs it at each call.
    FuncInfo *cached_at;
    bool has_unknown_calls;    // calls something unresolved
    VEC(Node *) unknown_calls; // those CALLs
    // The layer's own:
    FuncInfo *earlier; // the one before it of its name in its class
    uint32_t flags;
    bool expanded;     // calls is filled; only of reachable functions
    int8_t query;      // cache: what an is_compiling()-like function gives while compiling
    CatchLevel caught; // may some caller catch what leaves it
    Node *caught_by;
    Module *caught_module;
    uint32_t swallowed; // the exceptions that Python itself catches around it or around a caller (swallow.c)
    FuncInfo *swallowed_at;
};

// ---------------------------------------------------------------- project.c
typedef struct ProjectOptions {
    uint32_t jobs;              // 0: one per CPU
    const char *const *entries; // --entry pkg.mod:Class.forward or "all"; NULL-terminated or NULL
    bool (*skip)(void *context, const char *path,
                 bool is_folder); // of a folder: leave this out; NULL: no more than usual
    void *skip_context;
    // May the statement write something? Asked at the end of project_analyse; NULL: any may.
    bool (*prints)(Module *module, Node *stmt);
    bool digests; // keep what seen.c tells
} ProjectOptions;
Project *project_new(DiagList *diags, const ProjectOptions *options);
void project_free(Project *project);
Arena *project_arena(Project *project);
void **project_analysis(Project *project); // where src/analysis keeps its own; NULL at first
// A file or a folder. Folders: every .py below (hidden folders, __pycache__, .git, venvs, build, node_modules skipped). For a
// file inside packages (folders with __init__.py upwards) the dotted name starts at the outermost package.
bool project_add(Project *project, const char *path, Str *why);
// One module from memory (stdin, tests).
Module *project_add_bytes(Project *project, Str path, Str bytes);
// Byte scan, parse what matters (in parallel), then classes, functions, call graph, entries, reachability.
void project_analyse(Project *project);
uint32_t project_module_count(const Project *project);
Module *project_module(Project *project, uint32_t index); // in path order
// ---------------------------------------------------------------- seen.c: what the results follow from
typedef enum SeenKind { SEEN_NOTHING, SEEN_UNREADABLE, SEEN_FILE } SeenKind;
typedef struct Seen {
    Str path;
    Digest digest;
} Seen;
// Reads every input and digests it; false when one cannot be read. Before project_analyse, which reads none again.
bool project_read(Project *project);
const Digest *module_digest(const Module *module); // of its bytes, after project_read
// What stands at a path that is no input: noted. The bytes go into `into`, which is emptied first.
SeenKind project_look(Project *project, const char *path, Buf *into);
uint32_t project_seen_count(const Project *project);
const Seen *project_seen(const Project *project, uint32_t index);
bool seen_holds(const Seen *seen); // it is so still
// Where the module's imports are looked for, and the folder that it lies in: real paths.
Str module_import_root(const Module *module);
Str module_real_dir(const Module *module);

Str module_raw(
    const Module *module); // raw.c: the bytes of a file that was read but not parsed (it does not matter)
void module_drop_raw(Module *module); // gives their memory back

// ---------------------------------------------------------------- resolve.c
// What the expression denotes when evaluated at its place. Follows local single assignments, module-level bindings, imports
// (absolute, relative, re-exports, aliases, star imports, TYPE_CHECKING, try/except ImportError, lazy _import_structure),
// self.attr, super(), calls of classes (instances) and of functions with a resolvable return, ModuleList items and loops
// over them, dict-of-classes. A name with several bindings that denote different things: REF_NONE, unless all but one are
// in except ImportError / else arms of availability checks.
Ref resolve_expr(Module *module, Node *expr);
// Everything it may denote: fills at most max, returns how many. *complete: nothing else is possible (None aside).
uint32_t resolve_candidates(Module *module, Node *expr, Ref *into, uint32_t max, bool *complete);
Ref resolve_dotted(Project *project, Name dotted); // "pkg.mod.Class.method", or REF_EXTERNAL
bool ref_is_external(Ref ref, const char *dotted); // REF_EXTERNAL / REF_BUILTIN with that very path
// None of these is thread-safe: they fill caches and may parse a file on demand.
// Canonical external names: "torch.nn.modules.module.Module" and aliases such as torch.nn.functional as F are already
// written as "torch.nn.functional.x"; `from torch import nn` gives "torch.nn".

// ---------------------------------------------------------------- classes.c
bool class_is_nn_module(ClassInfo *cls); // its bases reach torch.nn.Module, by binding
bool class_is_autograd_function(ClassInfo *cls);
bool class_is_exception(ClassInfo *cls);
bool func_is_property(FuncInfo *func); // reading it runs it: @property, @cached_property
bool func_is_opaque(FuncInfo *func);   // @torch.library.custom_op: a graph calls it and does not see into it
FuncInfo *class_find_method(ClassInfo *cls, Name name);  // through the C3 linearisation of what is known
FuncInfo *class_super_method(ClassInfo *cls, Name name); // what super().name is, seen from cls
AttrInfo *class_find_attr(ClassInfo *cls, Name name);    // own, then bases
bool class_bases_known(ClassInfo *cls); // every base resolved to a project class or a known external one
ClassInfo *module_class_at(Module *module, const Node *class_def);
FuncInfo *module_function_at(Module *module, const Node *def); // FUNCTION_DEF or LAMBDA
FuncInfo *function_info(Module *module, const Node *node);     // innermost function around a node

// ---------------------------------------------------------------- hooks.c
bool module_is_hooked(Module *module, Node *func); // of the module that is called, somewhere in the project

// ---------------------------------------------------------------- walk.c
bool list_spans(NodeList list, const Node *node);  // by position, so that long lists cost nothing
bool node_const(const Node *node, ConstKind kind); // a constant of this kind; not NULL

// ---------------------------------------------------------------- wrappers.c
// It puts a function of the project around what it decorates, which gives what that gives, and nothing else.
bool decorator_hands_on(Module *module, Node *decorator);

// ---------------------------------------------------------------- callgraph.c, entries.c, boundaries.c, catch.c
// Filled by project_analyse: FuncInfo.calls/callers/is_entry/reachable. Entry points: torch.compile in every spelling (call,
// decorator with and without arguments, aliases, partial, self.m = torch.compile(...), module.compile()). When there is no
// compile site, or one whose target cannot be resolved, each nn.Module subclass's forward is an entry too.
// Boundaries: torch.compiler.disable / torch._dynamo.disable, and code under `if not torch.compiler.is_compiling()` and kin.
int query_truth(
    Module *module,
    Node *test); // what a test made of such queries gives while compiling: 1, -1 (false), 0: unknown
bool child_is_eager(Module *module, Node *parent,
                    const Node *child); // no boundary around the parent, and one around this part of it
bool node_in_compiled_code(Module *module,
                           Node *node); // its function is reachable and no boundary lies around the node
// Whether an exception raised at `node` could be caught inside the region: a try with handlers, or a with statement whose
// manager may suppress, around it in its function, or around a call edge in any reachable caller; or that Python catches where
// it calls such a function, if `raised` (NULL: not asked) may be of such a class. *where: the try, with, call or function.
CatchLevel node_may_be_caught(Module *module, Node *node, Node *raised, Node **where, Module **where_module);
void dump_calls(Project *project, Buf *out, bool dot);

#endif
