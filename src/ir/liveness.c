// Which names are live behind a statement: a backward bitset dataflow over the CFG.
//
// Input: a Cfg. Output: the function's own symbols that some way onwards reads before it binds them. An
// exception may leave a block before any of its bindings has happened, so along an exception edge nothing of
// the block kills. Beyond FLOW_MAX_BITS, or behind a statement that the CFG does not know, every symbol
// counts as live.
#include "ir/flow.h"

static void apply_backward(const Flow *flow, const Event *event, uint64_t *live) {
    if (event->kind == EVENT_READ)
        set_add(live, event->symbol);
    else if (event->kind == EVENT_BIND)
        set_remove(live, event->symbol);
    else if (event->kind == EVENT_READ_ALL)
        memset(live, 0xFF, flow->symbol_words * sizeof *live);
}

// Joins what is live at the start of the successors along exception edges, or along the other ones.
static void join_successors(const Flow *flow, const Block *block, bool exception, uint64_t *live) {
    for (uint32_t i = 0; i < block->successors.len; i++) {
        const Edge *edge = &block->successors.items[i];
        if ((edge->kind == EDGE_EXCEPTION) != exception)
            continue;
        const uint64_t *in = flow->live_in + (size_t)edge->to->id * flow->symbol_words;
        for (uint32_t w = 0; w < flow->symbol_words; w++)
            live[w] |= in[w];
    }
}

// live: behind node number `from` - 1 of the block, cleared before.
static void live_within(const Flow *flow, const Block *block, uint32_t from, uint64_t *live) {
    join_successors(flow, block, false, live);
    const Event *first = flow->events + flow->first[block->id],
                *event = flow->events + flow->first[block->id + 1];
    while (event > first && event[-1].at >= from)
        apply_backward(flow, --event, live);
    bool thrown = block->nodes.len > 0 && node_is(block->nodes.items[block->nodes.len - 1], NODE_RAISE);
    if (from < block->nodes.len || block->nodes.len == 0 || thrown)
        join_successors(flow, block, true, live);
}

// Sends what is live at the start of the block on to its predecessors.
static bool propagate(Flow *flow, const Block *block) {
    size_t bytes = flow->symbol_words * sizeof *flow->live;
    memset(flow->live, 0, bytes);
    live_within(flow, block, 0, flow->live);
    flow->pending[block->id] = false;
    uint64_t *in = flow->live_in + (size_t)block->id * flow->symbol_words;
    if (memcmp(in, flow->live, bytes) == 0)
        return false;
    memcpy(in, flow->live, bytes);
    for (uint32_t i = 0; i < block->predecessors.len; i++)
        flow->pending[block->predecessors.items[i]->id] = true;
    return block->predecessors.len > 0;
}

static void solve(Flow *flow, const Cfg *cfg) {
    Arena *arena = cfg->function->unit->arena;
    uint32_t words = flow->symbol_words;
    flow->live_in = ARENA_ARRAY(arena, uint64_t, (size_t)words * cfg->blocks.len + 1);
    flow->live = ARENA_ARRAY(arena, uint64_t, words + 1);
    memset(flow->pending, true, cfg->blocks.len * sizeof *flow->pending);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = cfg->blocks.len; i-- > 0;)
            if (flow->pending[flow->order[i]->id])
                changed |= propagate(flow, flow->order[i]);
    }
}

// live NULL: all. Words of the sets without a bit are passed over.
static Symbol **list_symbols(const Cfg *cfg, const uint64_t *live) {
    const Map *symbols = &cfg->function->scope->symbols;
    const uint64_t *always = cfg->flow->always_live;
    VEC(Symbol *) found = {0};
    for (uint32_t i = 0; i < symbols->len; i++) {
        if (live && !(live[i / 64] | always[i / 64])) {
            i |= 63;
            continue;
        }
        Symbol *symbol = (Symbol *)symbols->entries[i].value;
        if (symbol->real == symbol && (!live || set_has(live, i) || set_has(always, i)))
            vec_push(&found, symbol);
    }
    Symbol **list = ARENA_ARRAY(cfg->function->unit->arena, Symbol *, found.len + 1);
    for (uint32_t i = 0; i < found.len; i++)
        list[i] = found.items[i];
    vec_free(&found);
    return list;
}

Symbol **cfg_live_after(Cfg *cfg, const Node *stmt) {
    Flow *flow = flow_of(cfg);
    uintptr_t where = 0;
    if (flow->too_big || !map_get(&cfg->after, map_key_ptr(stmt), &where)) {
        if (!flow->all_symbols)
            flow->all_symbols = list_symbols(cfg, NULL);
        return flow->all_symbols;
    }
    if (!flow->live_in)
        solve(flow, cfg);
    memset(flow->live, 0, flow->symbol_words * sizeof *flow->live);
    if (where != CFG_NOWHERE)
        live_within(flow, vec_at(&cfg->blocks, (uint32_t)(where >> 32)), (uint32_t)where, flow->live);
    return list_symbols(cfg, flow->live);
}
