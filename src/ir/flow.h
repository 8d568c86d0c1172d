// Internal to src/ir: a function's reads and bindings in evaluation order, block by block, and the bitsets
// over them.
#ifndef GM_FLOW_H
#define GM_FLOW_H

#include "ir/ir.h"

// Bits in all the sets of one function. Beyond it (a generated function of some 10,000 statements with as
// many names) every name counts as live and every binding as reaching.
enum { FLOW_MAX_BITS = 1 << 28 };

typedef enum EventKind {
    EVENT_READ,
    EVENT_BIND,
    EVENT_MAY_BIND, // on some ways through the statement only: := behind `and`, in a match pattern, ...
    EVENT_READ_ALL, // code that we cannot look into: text put in by a pass
} EventKind;
typedef struct Event {
    Node *node;      // as in Symbol.bindings and Symbol.uses
    uint32_t symbol; // Symbol.index in the function's scope
    uint32_t at;     // index into the block's nodes
    EventKind kind;
} Event;

typedef struct Flow {
    Event *events;         // of all blocks
    uint32_t *first;       // by block id: its first event; one more than there are blocks
    Block **order;         // all blocks, each before its successors but for loops: reverse postorder
    bool *pending;         // scratch, by block id: what comes in has changed
    uint32_t symbol_words; // 64-bit words in a set of symbols
    bool too_big;
    uint64_t *always_live; // set of symbols
    uint64_t *live_in;     // by block id; NULL until asked for
    uint64_t *live;        // scratch: one set of symbols
    Symbol **all_symbols;  // the answer when nothing is known, NULL until needed
    Map def_of;            // binding Node* -> number of its definition; those of one symbol follow each other
    uint32_t def_words;
    uint32_t *def_start; // by Symbol.index: its first definition; one more than there are symbols
    Node **defs;         // by number
    uint64_t *reach_in;  // by block id; NULL until asked for
    Map reaching;        // use Node* -> Node**, the answers so far
    Map reads;           // use Node* -> its last event; empty until needed
} Flow;

Flow *flow_of(Cfg *cfg);
void flow_free(Cfg *cfg);
// Whether the code at `node` runs at another time than the function's body around it: in an inner function, a
// lambda or a generator expression that is not used up at once.
bool flow_runs_later(Unit *unit, const Scope *function, const Node *node);
bool cfg_may_raise(const Node *node); // cfg.c

static inline void set_add(uint64_t *set, uint32_t bit) {
    set[bit / 64] |= UINT64_C(1) << bit % 64;
}
static inline void set_remove(uint64_t *set, uint32_t bit) {
    set[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}
static inline bool set_has(const uint64_t *set, uint32_t bit) {
    return set[bit / 64] >> bit % 64 & 1;
}

#endif
