// What the files of src/project share among themselves. Nothing outside the layer includes this.
#ifndef GM_PROJECT_INTERNAL_H
#define GM_PROJECT_INTERNAL_H

#include "project/project.h"

// Limits. Reaching one means "unknown" (or a diagnostic where the user can act on it), never a crash.
enum {
    REFS_MAX = 40,           // things one expression may denote; an activation table has about 30
    RESOLVE_MAX_DEPTH = 120, // nested resolve_values() calls; real chains stay below 30
    BINDINGS_MAX = 24,       // bindings of one name that are looked at
    BINDINGS_SCAN_MAX = 512, // more bindings than that make a name unknown outright
    RETURNS_MAX = 24,        // return statements of one function that are looked at
    OPENED_MAX = 400,        // files outside the input that may be opened to resolve names
    CLASS_DEPTH_MAX = 64,    // nested base classes followed
    BASES_MAX = 64,          // bases of one class
    MRO_MAX = 256,           // classes in one linearisation; PreTrainedModel's descendants have about 10
    STAR_DEPTH_MAX = 12,     // star imports followed one through the other
    QUERY_DEPTH_MAX = 12,    // functions followed from an is_compiling() query to the next
    WRAP_DEPTH_MAX = 8,      // functions of a decorator one through the other
    WRAPS_MAX = 32,          // calls of what was decorated, over all wrappers of one function
    DISPATCH_ROUNDS = 4,     // how often overrides are looked for again after more files were parsed
};

// What an expression may denote: one of items, or more when unknown, or None when none.
typedef struct RefSet {
    Ref items[REFS_MAX];
    uint32_t len;
    bool unknown, none;
} RefSet;
// The same, frozen and cached.
typedef struct RefList {
    const Ref *items;
    uint32_t len;
    bool unknown, none;
} RefList;

typedef VEC(FuncInfo *) FuncList;
typedef VEC(ClassInfo *) ClassList;
typedef VEC(Module *) ModuleList;

typedef struct ModuleState {
    Arena *arena;   // the source, tree and unit
    DiagList diags; // of its parse, merged in path order
    Buf raw;        // its bytes while it is not parsed
    Digest digest;  // of those bytes, after project_read
    bool has_raw, eager, indexed, in_memory;
    Str failure; // why it failed, until that has been told
    uint32_t failure_line;
    Str real_dir;        // absolute folder of the file
    Str file_path;       // what to open
    Str import_root;     // folder from which its dotted name counts
    VEC(Node *) stars;   // IMPORT_FROM statements with a star, at module level
    ModuleList children; // modules directly below a package
    enum { ALL_UNREAD, ALL_ABSENT, ALL_LITERAL, ALL_DYNAMIC } all;
    Map all_names;
    bool lazy_read;
    Map lazy_names; // name -> submodule Name, from _import_structure
    bool lazy_scan; // define_import_structure: look into the submodules
} ModuleState;

typedef struct WrapCall { // in a decorator's wrapper, the call of what was decorated
    FuncInfo *wrapper;
    FuncInfo *entered; // what stands in for the decorated function: the wrapper, or what it lies in
    Node *call;
} WrapCall;
typedef struct WrapList {
    WrapCall *items;
    uint32_t len;
} WrapList;

typedef struct Export { // a name of a module, as others import it
    Module *module;
    Name name;
} Export;
typedef struct OpenCall { // a call that may land in an override
    FuncInfo *caller;
    Node *call;
    ClassInfo *cls;
    Name method;
} OpenCall;

struct Project {
    Arena *arena;
    DiagList *diags;
    ProjectOptions options;
    ModuleList modules;
    uint32_t input_count;
    Map by_name;         // dotted Name -> Module*
    Map by_path;         // Name of the real path -> Module*
    Map folders;         // Name of a real folder -> Folder*
    VEC(Str) root_names; // last component of each folder given
    Map beside;          // import root and dotted Name looked for on disk -> Module*, NULL: not there
    uint32_t opened;
    bool opened_limit_told;
    Map values;  // Node* -> RefList*
    Map results; // FuncInfo* -> RefList*: what a call of it gives
    uint32_t depth, star_depth, query_depth;
    uint32_t cycles;       // times a lookup ran into itself, or too deep
    uint32_t exports_open; // searches of export_values in progress
    VEC(Export) undecided; // what these did not find because of a cycle
    ClassList unlinked;    // classes whose bases are not yet known to them
    FuncList worklist;
    Map property_names; // names of @property methods anywhere
    Map method_names;   // names of methods anywhere
    Map wrappers;       // a decorator's FuncInfo* -> WrapList*
    Map withs;          // WITH -> may its managers catch; TRY -> may its finally body
    Map leaves;         // a statement list -> where its compiled part ends
    VEC(OpenCall) open_calls;
    uint32_t linked_classes;
    uint32_t mark;
    Map query_nodes; // IF, IF_EXP, WHILE, BOOL_OP -> truth + 2
    bool any_site, unresolved_site;
    bool any_entry;
    bool model_site; // some site compiles a model, not only functions
    VEC(Seen) seen;
    Map seen_at; // Name of a path -> its last place there
    bool analysed;
    Map hooked;      // modules that hooks are set on: see hooks.c
    bool all_hooked; // register_module_forward_hook
    void *analysis;  // src/analysis's own
};

// ---------------------------------------------------------------- refset.c
extern const RefList REFS_UNKNOWN;
void refs_add(RefSet *set, Ref ref);
void refs_merge(RefSet *set, const RefList *from); // items and both flags
const RefList *refs_freeze(Arena *arena, const RefSet *set);
bool ref_equal(const Ref *a, const Ref *b);
Ref ref_external(Name dotted);
Ref ref_external_instance(Name dotted);
Ref ref_instance(ClassInfo *cls, bool subtypes);
Ref ref_list(Arena *arena, Name container, const Ref *element);
void refs_add_element(Arena *arena, RefSet *set, Name container,
                      const RefList *elements); // LIST refs of them
Name name_join(Name a, Name b);                 // a.b; b alone when a is 0
Name name_last(Name dotted);                    // c of a.b.c
Name name_parent(Name dotted);                  // a.b of a.b.c; 0 for a

// ---------------------------------------------------------------- hooks.c
bool hooks_text(Str bytes); // the file may set hooks
void hooks_find(Project *project);

// ---------------------------------------------------------------- walk.c
typedef struct Walk {
    VEC(Node *) stack;
} Walk;
void walk_push(Walk *walk, Node *node);
void walk_children(Walk *walk, Node *node);   // they come next, in source order
void walk_reverse(Walk *walk, uint32_t from); // what was pushed since then
void walk_list(Walk *walk, NodeList list);
void walk_body(Walk *walk, Node *function); // the body of a FUNCTION_DEF or LAMBDA
Node *walk_next(Walk *walk);                // NULL when done; does not go below it by itself
void walk_free(Walk *walk);
bool node_is_scope(const Node *node);        // FUNCTION_DEF, LAMBDA, CLASS_DEF
Name node_first_param(const Node *function); // of a FUNCTION_DEF or LAMBDA; 0: none
bool stmts_leave(NodeList body);             // the last statement returns, raises, continues or breaks
Node *call_arg(const Node *call, uint32_t position, const char *keyword); // NULL when absent

// ---------------------------------------------------------------- load.c
bool module_load(Module *module); // parses it if that has not been done; false when that is impossible
bool module_mentions(Module *module,
                     Name word);     // as a whole word in its bytes; true once parsed if bound at top level
bool load_digests(Project *project); // project_read
void load_all(Project *project);     // the parallel wave
void load_subclasses(Project *project); // files left out that name a known module class as a base
Module *module_open(Project *project, const char *path, Name name, bool is_package);

// ---------------------------------------------------------------- project.c
Module *project_register(Project *project, Str path, Str real_dir, Name name, bool is_package);
Str path_join(Arena *arena, Str dir, Str file);

// ---------------------------------------------------------------- imports.c
Module *import_module(Module *from, Name dotted); // NULL: not of the project
bool import_values(Module *module, Node *alias, RefSet *set);
bool export_values(Module *module, Name name, RefSet *set); // false: no such name
void implicit_values(Module *module, Name name,
                     RefSet *set); // bound nowhere in the module: star imports, builtins

// ---------------------------------------------------------------- builtins.c
bool name_is_builtin(Name name);
bool name_is_builtin_exception(Name name);
bool name_survives_torch_star(Name name); // `from torch import *` does not bind it

// ---------------------------------------------------------------- bindings.c
void name_values(Module *module, Node *name, RefSet *set);
void symbol_values(Module *module, Symbol *symbol, Node *use, RefSet *set);
Node *name_single_value(Module *module, Node *name); // the one expression assigned to a name, or NULL

// ---------------------------------------------------------------- annotations.c
void annotation_values(Module *module, Node *annotation, RefSet *set);

// ---------------------------------------------------------------- resolve.c
const RefList *resolve_values(Module *module, Node *expr);
void element_values(Module *module, Node *iter, RefSet *set); // what iterating gives
void target_values(Module *module, Node *iter, Node *target, Node *wanted, RefSet *set); // for target in iter
void append_values(Module *module, Node *receiver, RefSet *set); // what receiver.append(x) etc. puts in

// ---------------------------------------------------------------- members.c
void ref_attribute(Project *project, const Ref *ref, Name attr, RefSet *set);
bool super_values(Module *module, Node *call, Name attr, RefSet *set); // false: call is not super()
bool is_super_call(Module *module, Node *call);
void func_result(FuncInfo *func, RefSet *set);

// ---------------------------------------------------------------- calls.c
void call_values(Module *module, Node *call, RefSet *set);

// ---------------------------------------------------------------- classes.c
enum {
    FUNC_FLAGS_KNOWN = 1,
    FUNC_STATIC = 2,
    FUNC_CLASS = 4,
    FUNC_PROPERTY = 8,
    FUNC_BOUNDARY = 16,
    FUNC_COMPILED = 32,
    FUNC_WRAPPED = 64, // a decorator of the project may put a wrapper around it
    FUNC_CONTEXT_MANAGER = 128,
    FUNC_OPAQUE = 256, // with FUNC_BOUNDARY: not traced, but called from the graph, which goes on
    FUNC_CACHED = 512, // functools.cache around it
};
void module_index(Module *module); // its classes and functions
void classes_link_pending(Project *project);
void class_link(ClassInfo *cls); // its bases
void class_mro(ClassInfo *cls);
uint32_t func_flags(FuncInfo *func);
// All classes below cls, itself excluded, each once.
void class_descendants(ClassInfo *cls, ClassList *into);
bool external_is_nn_module(Name dotted);

// ---------------------------------------------------------------- attrs.c
void class_attrs(ClassInfo *cls);
void attr_values(ClassInfo *cls, AttrInfo *attr, RefSet *set);

// ---------------------------------------------------------------- callgraph.c
void callgraph_reach(Project *project); // until the worklist is empty
void callgraph_enter(FuncInfo *func);   // reachable from now on

void callgraph_overrides(ClassInfo *cls, Name method, FuncList *into); // own methods of that name below cls
FuncInfo *callgraph_dispatch(ClassInfo *cls); // what instance(...) runs: __call__, or an nn.Module's forward
Name callgraph_dispatch_name(ClassInfo *cls);

// ---------------------------------------------------------------- wrappers.c
// What the project's decorators of func put around it: adds to the list, each wrapper's calls of func.
void wrappers_of(FuncInfo *func, WrapCall *into, uint32_t max, uint32_t *count);

// ---------------------------------------------------------------- entries.c
void entries_find(Project *project);

// ---------------------------------------------------------------- swallow.c
enum { // classes of exceptions that Python itself catches where it calls a function
    SWALLOWS_ATTRIBUTE_ERROR = 1,
    SWALLOWS_STOP_ITERATION = 2,
    SWALLOWS_INDEX_ERROR = 4,
    SWALLOWS_TYPE_ERROR = 8,
    SWALLOWS_ANY = 16, // whatever is raised
    SWALLOWS_ALL = 31,
};
uint32_t func_swallows(FuncInfo *func);
uint32_t exception_swallowed_by(Module *module, Node *raised); // by which of these; an unknown class: by all

// ---------------------------------------------------------------- catch.c
void catch_propagate(Project *project);

#endif
