// What the files of src/analysis that follow effects and origins share; its sections name the owners.
#ifndef GM_EFFECTS_INTERNAL_H
#define GM_EFFECTS_INTERNAL_H

#include "analysis/facts_internal.h"

static inline bool among(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; text.len && i < count; i++) // most differ in the first character; no name has no bytes
        if (strncmp(text.ptr, words[i], text.len) == 0 && words[i][text.len] == '\0')
            return true;
    return false;
}
#define AMONG(text, words) among((text), (words), sizeof(words) / sizeof *(words))

// ---------------------------------------------------------------- origin.c: whose object a value may be
// 0: made in this call. Bit i: parameter i of the function, or something reached from it. ORIGIN_OTHER: something else that
// outlives the call: a global, what an unresolved call returned.
enum { ORIGIN_PARAMS = 29 };
#define ORIGIN_GUESSED                                                                                       \
    (1u                                                                                                      \
     << 29) // beside others: only if a module that is not known hands its argument back, or a list of layers has none
#define ORIGIN_HANDED (1u << 30) // beside others: only as far as a call hands back what it was given
#define ORIGIN_OTHER (1u << 31)
typedef enum Level {
    LEVEL_SELF,     // the object itself
    LEVEL_CONTENTS, // what it holds, at any depth
    LEVEL_ITEM,     // and the numbers that follow: the first item of a tuple itself, the second ...
} Level;
uint32_t origin_of(Module *module, Node *expr, Level level);
uint32_t origin_of_binding(Module *module, Node *binding); // of the object that it gives its name
uint32_t origin_of_return(FuncInfo *func, Level level);
// A tensor object that indexing has just made, though it may be a view: x[:, None], x[1:], or a name for such.
bool is_new_object(Module *module, Node *expr);
bool builtin_hands_on(Name name); // its result may be or hold what it is given: list, next
bool subscript_is_view(Module *module, Node *subscript); // x[0], x[1:]: no copy, given that x is a tensor

// ---------------------------------------------------------------- effects.c
void summary_add(Summary *into, Summary more);
// A write of a kind (EFFECT_INPLACE, EFFECT_WRITES_ATTR, EFFECT_WRITES_ITEM) to an object with that origin.
Summary summary_write(uint32_t effect, uint32_t origin);
Summary summary_of(uint32_t effects);
uint32_t summary_effects(Summary summary); // masks turned into effects
// What the node does by itself, its children's doings left out; a call includes what the callee does.
Summary effects_own(Module *module, Node *node);
Summary effects_in(Module *module, Node *node);       // all of it
Summary effects_in_quiet(Module *module, Node *node); // without raise statements
Summary summary_of_function(FuncInfo *func);
Node *
truth_taken(const Node *node); // what the node asks whether it is true: a test, an operand of `not`; or NULL
// Children of a node that do not run where it stands: bodies of nested functions and lambdas.
bool runs_elsewhere(const Node *parent, const Node *child);

// ---------------------------------------------------------------- targets.c
// The functions of the project that a call may run; 0 when it is not known that there is one. At most max.
uint32_t call_targets(Module *module, Node *call, FuncInfo **into, uint32_t max, Ref *callee);
// Those whose results it gives: not what decorators have put around others of them.
uint32_t result_targets(Module *module, Node *call, FuncInfo **into, uint32_t max, Ref *callee);
// The argument that parameter `index` of func gets in this call; the receiver for self; NULL when unknown or left out.
Node *argument_of(Module *module, Node *call, FuncInfo *func, uint32_t index);
bool takes_many(const FuncInfo *func, uint32_t index); // *args, **options: any of the arguments may be in it

// ---------------------------------------------------------------- effects_call.c
Summary effects_of_call(Module *module, Node *call);
Name last_part(Name dotted); // c of a.b.c
// A module, or something partial, that is known to change what it is called with: nn.ReLU(inplace=True), in an nn.Sequential too.
bool changes_input(Module *module, Node *call);
Summary flags_effects(Module *module, Node *call, uint32_t flags, Node *operand);
Summary changes_first(Module *module, Node *call); // its first argument, in place

// ---------------------------------------------------------------- effects_module.c
enum {
    MAX_CANDIDATES = 64, // that an expression may be
    MAX_SURE = 6,        // of more only some are meant
    MAX_NESTED = 8,      // nn.Sequential in nn.Sequential
};
// Of a layer of torch's that is called, or its forward: what it changes of its own, as a batch norm does that trains.
Summary own_buffer_effects(Module *module, Node *func);
// The same where another function calls it, checkpoint(self.block, x); and what the project's layers in it do.
Summary layer_effects(Module *module, Node *func);
// self.train(), super().__setattr__(name, x): a method that the project's class has from a library's.
Summary inherited_effects(Module *module, Node *call);
Summary torch_module_effects(Module *module, Node *call, const Ref *ref);
// The torch module that is called does nothing beside giving a value: not built in place, no hook, no parametrization.
bool module_is_plain(Module *module, Node *func);
bool runs_hooks(Module *module, Node *call,
                const FuncInfo *func); // a module is called, and hooks are set on it

// ---------------------------------------------------------------- applied.c
enum { MAX_APPLIED = 32 };

typedef struct AppliedFunction {
    FuncInfo *func;
    Node *self;       // of a layer: what it is called as
    uint32_t at;      // its place among the arguments
    bool of_argument; // else it is called directly
} AppliedFunction;

typedef struct Applied {
    AppliedFunction items[MAX_APPLIED];
    uint32_t count;
    bool unknown; // and other code
} Applied;
Applied applied_by(Module *module, Node *call); // the functions among the arguments of a higher-order call
// Of the argument that a parameter of one of them gets.
uint32_t origin_given(Module *module, Node *call, const AppliedFunction *applied, uint32_t param);
// A call of what a library sets as an attribute for checkpointing: self._gradient_checkpointing_func(f, x).
bool calls_checkpointing(Node *call, const Ref *callee);
Summary effects_of_applied(Module *module, Node *call);     // what the functions among the arguments do
uint32_t origin_of_default(FuncInfo *func, uint32_t index); // of a parameter that is left out; effects_call.c
uint32_t origin_of_applied(Module *module, Node *call, Level level);

// ---------------------------------------------------------------- siblings.c
Siblings effects_around(Module *module, Node *statement);
Siblings changes_around(Module *module,
                        Node *statement); // own, before and behind: anything is changed in place

// What a function does to the object that its parameter `bit` gets, which has that origin.
Summary summary_passed(Summary callee, uint32_t bit, uint32_t origin);

// ---------------------------------------------------------------- effects_implicit.c
// Of the functions of the project that the node runs without a call: operators, properties, special methods.
Summary implicit_effects(Module *module, Node *node);
Summary builtin_runs(Module *module, Node *call, Name name);             // len(x), str(x) ...
Summary callback_effects(Module *module, Node *call, const Ref *callee); // map(f, x), sorted(x, key=f)
Summary applied_effects(Module *module, Node *func);                     // it is called, with anything

// ---------------------------------------------------------------- effects_state.c
// The argument that makes torch's function work in place, or may: inplace=True, by position too; or NULL. Of what is no
// function of torch's (0) only a keyword tells.
Node *inplace_argument(Node *call, Name function);
uint32_t flags_as_called(const Node *call,
                         Name function); // torch_function_flags(), as far as they hold for this call
Summary writes_to(Module *module, Node *object, uint32_t effect); // NULL: to something that outlives the call
Node *renormed_weight(Node *call, Name function); // F.embedding(x, weight, max_norm=1.0): weight; or NULL
enum { MAX_STATISTICS = 2 };
// running_mean and running_var of a batch norm that trains: how many there are.
uint32_t changed_statistics(Node *call, Name function, Node **into);
Summary statistics_effects(Module *module, Node *call, Name function);
// It raises on data as it is called here, though its name alone does not say so: div(x, y, rounding_mode="floor").
bool raises_as_called(Module *module, Node *call, Name function, Node *receiver);
// "operator.__iadd__", "operator.iadd": "iadd". Empty for what is not of that module.
Str operator_name(Name dotted);
bool operator_writes(Name dotted); // operator.iadd, operator.setitem
Summary operator_effects(Module *module, Node *call, Name dotted);
// object.method(...), of no project function: whether it is known to change the object; how is added to the summary.
bool changes_object(Module *module, Node *call, Node *object, Name method, Summary *summary);
// What is called is a method of an object, directly or held in a name: add = seen.append, getattr(x, "mul_"),
// functools.partial(seen.append, 3). No object: nothing of the kind; no method: its name is not known.
typedef struct BoundMethod {
    Node *object;
    Name method;
} BoundMethod;
BoundMethod bound_method(Module *module, Node *func);
Name constant_name(Module *module, const Node *node); // of a text, or 0
Summary bound_effects(Module *module, Node *call);

// ---------------------------------------------------------------- after.c
// Asks about every node that may run after `node` in its function and change anything in place, and the nodes around it, until
// visit says that it has seen enough.
typedef bool AfterVisit(Module *module, Node *node, void *context);
void after_in_function(Module *module, Node *node, AfterVisit *visit, void *context);
bool edge_is_followed(const FuncInfo *caller, const FuncInfo *func, const CallEdge *edge);

// ---------------------------------------------------------------- change.c
bool changes_anything(Module *module, Node *statement); // in place

// ---------------------------------------------------------------- depends.c: which values a value was computed from
typedef struct Deps {
    Map keys; // symbols, and attributes of self
} Deps;
void deps_add(Module *module, Deps *deps,
              Node *expr); // transitively through local assignments; not through shapes
bool deps_meet(const Deps *a, const Deps *b);
void deps_free(Deps *deps);
// The operands on whose values it depends whether this node raises: an index, class numbers, a matrix. Returns how many.
bool sizes_from_data(Module *module, Node *call);
uint32_t raise_operands(Module *module, Node *node, Node **into, uint32_t max);
// fits.c: the index is within what the node looks up by it, whatever the data are.
bool index_fits(Module *module, Node *node, Node *index);
// A look-up that the runtime keeps from failing before a check.
bool lookup_is_covered(Module *module, Node *node, Node *index);

#endif
