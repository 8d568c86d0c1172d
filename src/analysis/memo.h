// What has been found out about nodes, functions and symbols, remembered per module. Used by the facts and the effects.
#ifndef GM_MEMO_H
#define GM_MEMO_H

#include "analysis/analysis.h"

enum { MAX_PATH = 4 }; // positions followed into nested tuples
// Positions inside a value: (0, 1) is v[0][1]; ANY_ITEM where the index is not known.
enum { ANY_ITEM = -1 };
typedef struct Path {
    int8_t at[MAX_PATH];
    uint8_t len;
} Path;
static inline Path path_of(int index) {
    return (Path){.at = {(int8_t)(index > 100 ? ANY_ITEM : index)}, .len = 1};
}

// What is remembered.
typedef enum Aspect {
    ASPECT_VALUE,   // an expression: its fact, or that of a position in it
    ASPECT_BINDING, // what a binding gives its symbol
    ASPECT_RETURN,  // a FUNCTION_DEF or LAMBDA: what calling it returns
    ASPECT_ATTR,    // an AttrInfo
    ASPECT_USE,     // a Symbol: evidence from how it is used
    ASPECT_SUMMARY, // a FuncInfo: what calling it does
    ASPECT_ORIGIN,  // an expression: whose object its value may be
    ASPECT_ORIGIN_BINDING,
    ASPECT_ORIGIN_RETURN,
    ASPECT_OWN,      // a CALL or ATTRIBUTE: what it does by itself
    ASPECT_STORED,   // a Symbol: what is put into the list that it holds
    ASPECT_PURE,     // a FuncInfo: may be called early
    ASPECT_TUPLE,    // an expression: whether it is a tuple, and how long
    ASPECT_SIBLINGS, // a statement: what those before and behind it in its suite do
    ASPECT_CHANGES,  // the same: whether they change anything in place
    ASPECT_RETURNS,  // a FUNCTION_DEF: its return statements
    ASPECT_ROOTS,    // a FUNCTION_DEF or LAMBDA, path: which items: what may be returned there
    ASPECT_COST,     // a FuncInfo: is dear to run
    ASPECT_SHOWN,    // a Symbol: its uses that are not for its value only
    ASPECT_TELLING,  // a Symbol: of these, those at which an object from outside would be seen
    ASPECT_USED,     // a Symbol: how, at the most
    ASPECT_READ,     // a Symbol: whether for its value only, from a place on
    ASPECT_HOOKED,   // an __init__: attributes that it sets hooks on
    ASPECT_CHANGED,  // a FUNCTION_DEF or LAMBDA: all that is changed in place in it
    ASPECT_STORAGE,  // the same: it, or what it calls, gives a tensor the storage of another one
} Aspect;

// What calling a function does. Bit i of a mask: to what its parameter i refers.
typedef struct Summary {
    uint32_t effects; // EFFECT_*, without what the masks say
    uint32_t inplace, attrs, items, given;
    uint32_t sure_inplace, sure_items; // of these, not only perhaps: see EFFECT_INPLACE_SURE
} Summary;
// The effects of a statement, and of those before and behind it in its suite; quiet: of raise statements none.
typedef struct Siblings {
    uint32_t before, own, own_quiet, behind, behind_quiet;
} Siblings;
typedef union MemoValue {
    Fact fact;
    Summary summary;
    uint32_t bits;
    const void *pointer;
    Siblings siblings;
} MemoValue; // all zero: bottom

typedef MemoValue MemoCompute(Module *module, void *subject, Path path, void *context);
// The value for (subject, aspect, path), computed at most once unless it leans on a cycle. In a cycle the part in progress
// is bottom. `limit` when the recursion is too deep.
MemoValue memo(Module *module, void *subject, uint32_t aspect, Path path, MemoCompute *compute, void *context,
               MemoValue limit);
// Without computing anything. After so much work that limits were answers nothing can be kept.
bool memo_get(Module *module, const void *subject, uint32_t aspect, MemoValue *value);
void memo_put(Module *module, const void *subject, uint32_t aspect, MemoValue value);
// The map will be freed with what is remembered.
void memo_keep(Module *module, Map *map);
// At every entry from outside: renews the allowance of work, unless called from within.
void memo_begin(Module *module);

#endif
