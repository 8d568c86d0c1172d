// Facts about values and effects, for the passes and for check. Everything here is derived on demand and cached.
#ifndef GM_ANALYSIS_H
#define GM_ANALYSIS_H

#include "project/project.h"

// ---------------------------------------------------------------- facts.c: what a value can be
// A set of kinds (the union of what it may be). 0: not computed / unreachable; KIND_ANY: unknown.
enum {
    KIND_TENSOR = 1 << 0,
    KIND_MODULE = 1 << 1, // an nn.Module
    KIND_BOOL = 1 << 2,   // Python bool known at trace time
    KIND_INT = 1 << 3,    // Python int known at trace time (sizes included)
    KIND_FLOAT = 1 << 4,
    KIND_STR = 1 << 5,
    KIND_NONE = 1 << 6,
    KIND_SEQUENCE = 1 << 7, // list, tuple, torch.Size, set: elements in `element`
    KIND_DICT = 1 << 8,
    KIND_CALLABLE = 1 << 9, // function, class, method
    KIND_DTYPE = 1 << 10,
    KIND_DEVICE = 1 << 11,
    KIND_OBJECT =
        1 << 12, // an instance of some other class: config objects, loggers, user classes (cls if known)
    KIND_SCALAR_READ =
        1 << 13, // a Python number that was read out of a tensor: .item(), .tolist() elements, int(t)
    KIND_NDARRAY = 1 << 14,
    KIND_OTHER = 1 << 15,
    KIND_ANY = 0xFFFF,
};
enum {
    DTYPE_UNKNOWN,
    DTYPE_BOOL,
    DTYPE_INT,
    DTYPE_FLOAT, // families only
};
typedef struct Fact {
    uint16_t kinds;
    uint8_t dtype;    // for tensors
    int8_t rank;      // for tensors: number of dimensions, -1 unknown
    uint16_t element; // kinds of the elements of a sequence/dict, 0 unknown
    Ref ref;          // when more is known: class of an instance, function, module
    uint8_t
        confidence; // 3 proved (operators, annotations of torch types, constants), 2 inferred from use, 1 conventional name
} Fact;
Fact fact_of(Module *module, Node *expr);
// Whether deciding the truth of `test` needs the values of a tensor.
typedef enum Predicate {
    PRED_STATIC, // shapes, types, None, flags, constants, Python numbers known at trace time
    PRED_DATA,   // reads tensor values
    PRED_UNKNOWN,
} Predicate;
Predicate predicate_of(Module *module, Node *test);
// Does the expression read a tensor's values as a Python object (item, tolist, int(t), float(t), bool(t), numpy ...)?
bool expr_reads_tensor(Module *module, Node *expr);
bool call_reads_tensor(Module *module, Node *call); // this CALL itself does
void dump_facts(Module *module, Buf *out);

// ---------------------------------------------------------------- effects.c: what running code can do besides giving a value
enum {
    EFFECT_WRITES_ATTR = 1 << 0, // sets or deletes an attribute of something that outlives the call
    EFFECT_WRITES_GLOBAL = 1 << 1,
    EFFECT_WRITES_ITEM = 1 << 2, // subscript store into something that outlives the call
    EFFECT_INPLACE = 1 << 3,     // in-place tensor update of something that outlives the call
    EFFECT_RNG = 1 << 4,
    EFFECT_IO = 1 << 5,        // print, log, files
    EFFECT_MAY_RAISE = 1 << 6, // may raise for some values that cannot be excluded statically
    EFFECT_RAISES_ON_DATA =
        1 << 7, // may raise depending on tensor values: indexing by tensors, embedding, gather, cholesky
    EFFECT_BREAKS = 1 << 8,        // Dynamo would break the graph here
    EFFECT_UNKNOWN = 1 << 9,       // calls something unresolved
    EFFECT_WRITES_LOCAL = 1 << 10, // binds local names (walrus, assignment)
    EFFECT_YIELDS = 1 << 11,
    EFFECT_WRITES_CLOSURE =
        1 << 12, // a variable of an enclosing function (nonlocal): it lives as long as that one's call
    EFFECT_INPLACE_SURE =
        1 << 13, // EFFECT_INPLACE, not only by one of a great many functions that may be called,
                 // or of what a module that is not known may hand back
    EFFECT_WRITES_ITEM_SURE = 1 << 14, // the same of EFFECT_WRITES_ITEM
    EFFECT_GIVES_AWAY = 1 << 15,       // hands something that outlives the call to code that is not known
    EFFECT_REDIRECTS =
        1 << 16, // changes where or how output appears: sys.stdout, a logger's settings, set_printoptions
    EFFECT_RNG_OTHER =
        1 << 17, // EFFECT_RNG that is no operator in a graph: Python's and numpy's generators, seeds
    EFFECT_CHANGES_OWN =
        1 << 18, // changes an object that this function has made and that does not outlive the call
};
uint32_t effects_of_expr(Module *module, Node *expr);
uint32_t effects_of_stmt(Module *module, Node *stmt); // compound statements: all of it
uint32_t effects_of_function(FuncInfo *func);         // seen from a caller: writes to its own locals excluded
bool stmt_may_print(Module *module, Node *stmt);      // it writes something, or does what is not known
uint32_t effects_before(Module *module,
                        Node *stmt); // siblings.c: of those before it in its suite, or more
// The expression can be evaluated early or although the original would not have: no effect, cannot raise (given that
// everything it reads has been evaluated before in the same state), no graph break.
bool expr_is_pure(Module *module, Node *expr);
// The same, where an exception of Python's own (division by zero, a missing key or attribute) would be caught at once.
bool expr_is_pure_if_caught(Module *module, Node *expr);
// cost.c: running the node, without those below it, although the original would not have takes time that counts.
bool is_costly(Module *module, Node *node);

// ---------------------------------------------------------------- after.c: what may still run in the region after a point
// Union of the effects of everything that may execute after `node` until the compiled region ends: the rest of its function
// (loops around it included), and of every reachable caller after the call.
typedef struct After {
    uint32_t effects;
    Node *culprit; // first node found for the effects asked for, and its module
    Module *culprit_module;
    // Asked `about`: something else may raise first, on other data or as a look-up by index; the runtime sees to it.
    bool by_place;
} After;
// `wanted`: which effect bits to look for. For EFFECT_RAISES_ON_DATA only operations count that read, directly or through
// local names and call arguments, something the expression `about` (a guard's test) reads too; about NULL: all.
// `untaken`: an `if` whose body is never run to its end, or NULL: what it alone would bind stays None.
After effects_after(Module *module, Node *node, uint32_t wanted, Node *about, Node *untaken);
// obstacle.c: the same, its culprit as deep inside the functions that it calls as can be told.
After effects_at_bottom(After after, uint32_t wanted);
// The same of everything that may run in a region with `node`: its function and all that lead to it.
After effects_in_region(Module *module, Node *node, uint32_t wanted);
// seen.c: could code outside of the region tell that a selection gives another object than the original does?
bool value_is_seen(Module *module, Node *expr);    // of a value that is used where it stands
bool choice_is_seen(Module *module, Node *choice); // a if test else b
// Of a name that `branch` binds: the use by which it could, or NULL.
Node *name_is_seen(Module *module, const Symbol *symbol, const Node *branch);
// unshared.c: no other name, attribute or caller can have the object that the symbol is bound to before or in the branch, which
// reads it in its test.
bool name_is_unshared(Module *module, const Symbol *symbol, Node *branch);
// The same of the object that a name in the branch stands for, before the branch and in its test: no tuple.
bool object_is_unshared(Module *module, Node *use, const Node *branch);
// own.c: does the node (a call, the target of a store, an augmented assignment) by itself change only what the suite it stands
// in has made, in the same run of it?
bool changes_what_is_made_in(Module *module, Node *node, NodeList suite);
// change.c: may something that runs after `node` in its region change the value of this local name's object in place?
bool may_change_after(Module *module, Node *node, Node *expr);
// The same of the value of an expression, from where it is evaluated on, and of the names that its statement gives it.
bool value_may_change_after(Module *module, Node *expr);
// The same in the callers of the function around the node, of what it returns.
bool result_may_change(Module *module, Node *node);

#endif
