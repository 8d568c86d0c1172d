// What the files of facts_*.c share. Entered through fact_of and predicate_of.
//
// A fact is the union of what a value may be over all assignments that may reach it. Kinds 0 ("bottom") stands for "not known
// yet, in a cycle": a union ignores it. Facts are memoised by (syntax node, aspect).
#ifndef GM_FACTS_INTERNAL_H
#define GM_FACTS_INTERNAL_H

#include "analysis/memo.h"
#include "rules/rules.h"

enum {
    // Unknown, but certainly no tensor and no number read from one: external constants, config attributes.
    KIND_STATIC = KIND_ANY & ~(KIND_TENSOR | KIND_SCALAR_READ | KIND_NDARRAY),
    KIND_NUMBER = KIND_BOOL | KIND_INT | KIND_FLOAT,
};

static inline bool kinds_only(uint32_t kinds, uint32_t allowed) {
    return kinds && !(kinds & ~allowed);
}
// Certainly a tensor (or None).
static inline bool is_tensor(Fact fact) {
    return (fact.kinds & KIND_TENSOR) && kinds_only(fact.kinds, KIND_TENSOR | KIND_NONE);
}
static inline bool is_known(Fact fact) {
    return fact.kinds && fact.kinds != KIND_ANY;
}

// ---------------------------------------------------------------- facts.c
Fact fact_make(uint32_t kinds, int confidence);
Fact fact_any(void);
Fact fact_tensor(int confidence);
Fact fact_seq(uint32_t element, int confidence);
Fact fact_ref(uint32_t kinds, Ref ref, int confidence);
Fact fact_join(Fact a, Fact b);
typedef Fact FactCompute(Module *module, void *subject, Path path);
Fact facts_memo(Module *module, void *subject, uint32_t aspect, FactCompute *compute, Path path);
Fact fact_value(Module *module, Node *expr); // an expression, memoised; bottom possible
Fact fact_binary(Fact left, Fact right, Op op);
bool is_named(Ref ref, RefKind kind, const char *name);

// ---------------------------------------------------------------- facts_names.c
Fact fact_of_ref(Ref ref);
Fact fact_name(Module *module, Node *name);
Fact fact_name_item(Module *module, Node *name,
                    Path path); // an item of what a name holds; KIND_ANY: ask for the whole
Fact fact_stored(Module *module, Symbol *symbol,
                 Path path); // what name[i] = x, name.append(x) put into it; bottom: nothing
Fact fact_binding(Module *module, Node *binding);

// ---------------------------------------------------------------- facts_use.c
Fact fact_by_use(Module *module, Symbol *symbol, bool is_parameter);
typedef enum Callers {
    CALLERS_ALL, // every call is known, and what it passes
    CALLERS_ENTRIES, // also of a function that is compiled itself, and so called from elsewhere too: its certain calls
    CALLERS_KNOWN, // those of which it is known what they pass
} Callers;
Fact fact_by_callers(FuncInfo *func, Node *param, Callers which);
// The fact of a name, cut down to what the tests around its use let reach it: isinstance, torch.is_tensor, `is None`.
Fact fact_narrow(Module *module, Node *use, Fact fact);

// ---------------------------------------------------------------- facts_attr.c
Fact fact_attribute(Module *module, Node *attribute);
Fact fact_attr_of(Module *module, Fact base, Node *value,
                  Name attr);                    // value.attr where value's fact is known
Fact fact_class_attr(ClassInfo *cls, Name attr); // self.attr

// ---------------------------------------------------------------- facts_call.c
Fact fact_call(Module *module, Node *call, Path path); // path: a position inside what it returns; empty: all
Fact fact_return(FuncInfo *func, Path path);
// facts_runtime.c
Fact fact_selection(Module *module, Node *call, Path path);   // what a selection of an earlier run gives
Node *fact_selected_value(Module *module, const Node *param); // what it passes for an arm's parameter; NULL
Node *fact_call_arg(Node *call, uint32_t index, const char *keyword); // positional or keyword; NULL
Node *fact_call_keyword(Node *call, const char *keyword);

// ---------------------------------------------------------------- facts_elem.c
Fact fact_item(Module *module, Node *expr, Path path); // an item (of an item ...) of the value of expr
Fact fact_items_of(Fact base);                         // any item of a value with this fact
Fact fact_subscript(Module *module, Node *subscript);

// ---------------------------------------------------------------- facts_annotation.c
Fact fact_annotation(Module *module, Node *annotation, Path path); // KIND_ANY when it says nothing

// ---------------------------------------------------------------- predicate.c
Predicate predicate_value(Module *module, Node *test);
Predicate predicate_of_fact(Fact fact);

#endif
