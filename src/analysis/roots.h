// Which object a value may be, or share storage with: tuples.c, roots.c and change.c.
#ifndef GM_ROOTS_H
#define GM_ROOTS_H

#include "analysis/effects_internal.h"

enum { MAX_RESULT_TARGETS = 16 };
// A set of items of a tuple: a bit for each, the last one for that item and all behind it.
enum { ITEM_REST = 31 };
#define ITEM_BIT_REST (1u << ITEM_REST)
#define ALL_ITEMS UINT32_MAX // or the value itself

// ---------------------------------------------------------------- tuples.c
typedef struct TupleShape {
    bool is;        // surely a tuple
    bool exact;     // of just so many items
    uint32_t least; // so many items at least
} TupleShape;
TupleShape tuple_shape(Module *module, Node *expr);
uint32_t item_at(uint32_t place);
uint32_t items_below(uint32_t count);
uint32_t items_later(uint32_t items, uint32_t from);
uint32_t items_earlier(uint32_t items, uint32_t from);
// Of t[index] the `items`, as items of t.
uint32_t items_of_index(Module *module, Node *index, uint32_t items);

// ---------------------------------------------------------------- roots.c
// Roots are symbols, attributes by their names, and symbols of called functions, each call's its own; with each the items
// that count. Values that share none share no storage, as far as is known.
typedef struct Roots {
    Map keys;
    bool anything;
} Roots;
void roots_add(Module *module, Roots *roots, Node *expr);
// Those of one value: kept ones, or `own`, which has to be empty and to be freed afterwards.
const Roots *roots_of(Module *module, Node *expr, uint32_t items, Roots *own);
void roots_free(Roots *roots);
bool roots_meet(const Roots *a, const Roots *b);
bool roots_have_attribute(const Roots *roots, ClassInfo *cls); // one that instances of the class have
// Calling the function gives what its return statements say: no generator, nothing put around it that is not known.
bool result_is_returned(const FuncInfo *func);
// The same, also of wrappers that only hand on what the function gives them; they may give it other arguments.
bool result_is_handed_on(const FuncInfo *func);
// self.linear(x): a module of torch's whose result is always a new tensor.
bool makes_new_tensor(Module *module, Node *call, const Ref *callee);

// A name of a module, or of a function that others in it share, is among them.
bool roots_have_shared_name(const Roots *roots);

// ---------------------------------------------------------------- changed.c
enum { MAX_CHANGED = 24 };
typedef struct Changed {
    uint32_t len;
    Node *items[MAX_CHANGED];
} Changed;
Changed changed_by(Module *module, Node *node,
                   const Ref *callee); // callee: of a call, no function of the project

// ---------------------------------------------------------------- storage.c
// The function around the node may give a tensor the storage of another one.
bool takes_storage(Module *module, Node *node);

// ---------------------------------------------------------------- unshared.c
bool makes_new(Module *module, Node *expr); // an operator, or a call, whose result is a new tensor

// ---------------------------------------------------------------- seen.c
bool is_read_for_value(Module *module, Node *use); // what is made of it is new: x + 1, torch.sum(x)
NodeList uses_beside_value(Module *module, const Symbol *symbol); // all others, in source order

#endif
