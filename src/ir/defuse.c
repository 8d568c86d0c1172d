// Which bindings may reach a use: a forward bitset dataflow over the CFG of the use's function.
//
// Input: a NAME that is read. Output: the bindings of its symbol that some way brings there. Along an
// exception edge every binding of the block may have happened or not. All bindings, when the flow does not
// decide it: the symbol is a class's, the module's or another function's, the use runs later than the code
// around it, or FLOW_MAX_BITS is exceeded. A binding that stands in an inner function (nonlocal) reaches
// everywhere.
#include "ir/flow.h"

static bool defines(const Event *event) {
    return event->kind == EVENT_BIND || event->kind == EVENT_MAY_BIND;
}

static uint32_t number_of(const Flow *flow, const Node *binding) {
    uintptr_t number = 0;
    CHECK(map_get(&flow->def_of, map_key_ptr(binding), &number));
    return (uint32_t)number;
}

static void remove_all(uint64_t *set, uint32_t from, uint32_t to) {
    for (; from < to && from % 64; from++)
        set_remove(set, from);
    for (; to - from >= 64; from += 64)
        set[from / 64] = 0;
    for (; from < to; from++)
        set_remove(set, from);
}

static void apply_forward(const Flow *flow, const Event *event, uint64_t *reaching) {
    if (event->kind == EVENT_BIND)
        remove_all(reaching, flow->def_start[event->symbol], flow->def_start[event->symbol + 1]);
    if (defines(event))
        set_add(reaching, number_of(flow, event->node));
}

static bool merge(uint64_t *into, const uint64_t *from, uint32_t words) {
    bool changed = false;
    for (uint32_t w = 0; w < words; w++) {
        changed |= (from[w] & ~into[w]) != 0;
        into[w] |= from[w];
    }
    return changed;
}

// Sends what reaches the start of the block on to its successors. `normal` and `thrown` are scratch.
static bool propagate(Flow *flow, const Block *block, uint64_t *normal, uint64_t *thrown) {
    flow->pending[block->id] = false;
    size_t bytes = flow->def_words * sizeof *normal;
    memcpy(normal, flow->reach_in + (size_t)block->id * flow->def_words, bytes);
    memcpy(thrown, normal, bytes);
    for (uint32_t i = flow->first[block->id]; i < flow->first[block->id + 1]; i++) {
        apply_forward(flow, &flow->events[i], normal);
        if (defines(&flow->events[i]))
            set_add(thrown, number_of(flow, flow->events[i].node));
    }
    bool changed = false;
    for (uint32_t i = 0; i < block->successors.len; i++) {
        const Edge *edge = &block->successors.items[i];
        uint64_t *in = flow->reach_in + (size_t)edge->to->id * flow->def_words;
        if (!merge(in, edge->kind == EDGE_EXCEPTION ? thrown : normal, flow->def_words))
            continue;
        changed = flow->pending[edge->to->id] = true;
    }
    return changed;
}

static void add_params(Flow *flow, const Node *function) {
    const Node *params =
        function->kind == NODE_LAMBDA ? function->u.lambda.params : function->u.function.params;
    for (uint32_t i = 0; params && i < params->u.items.items.len; i++) {
        const Node *param = params->u.items.items.items[i];
        if (map_get(&flow->def_of, map_key_ptr(param), NULL))
            set_add(flow->reach_in, number_of(flow, param));
    }
}

static void solve(Flow *flow, const Cfg *cfg) {
    Arena *arena = cfg->function->unit->arena;
    flow->reach_in = ARENA_ARRAY(arena, uint64_t, (size_t)flow->def_words * cfg->blocks.len + 1);
    uint64_t *normal = ARENA_ARRAY(arena, uint64_t, flow->def_words + 1);
    uint64_t *thrown = ARENA_ARRAY(arena, uint64_t, flow->def_words + 1);
    add_params(flow, cfg->function->node);
    memset(flow->pending, true, cfg->blocks.len * sizeof *flow->pending);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < cfg->blocks.len; i++)
            if (flow->pending[flow->order[i]->id])
                changed |= propagate(flow, flow->order[i], normal, thrown);
    }
}

// ---------------------------------------------------------------- one use

static Node **all_bindings(Unit *unit, const Symbol *symbol) {
    return symbol->bindings.len ? symbol->bindings.items : ARENA_ARRAY(unit->arena, Node *, 1);
}

// The events of one node of a block lie together, in the order of the nodes.
static const Event *first_event_at(const Flow *flow, uint32_t block, uint32_t at) {
    uint32_t low = flow->first[block], high = flow->first[block + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (flow->events[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return flow->events + low;
}

// By way of the statement or head that holds the use.
static const Event *event_at_place(const Flow *flow, const Cfg *cfg, const Node *use, uint32_t *block) {
    for (const Node *node = use; node; node = node->parent) {
        uintptr_t where;
        if (!map_get(&cfg->place, map_key_ptr(node), &where))
            continue;
        *block = (uint32_t)(where >> 32);
        const Event *end = flow->events + flow->first[*block + 1];
        const Event *event = first_event_at(flow, *block, (uint32_t)where);
        for (; event < end && event->at == (uint32_t)where; event++)
            if (event->node == use && event->kind == EVENT_READ)
                return event;
        return NULL;
    }
    return NULL;
}

// A rewrite has taken the use out of its statement: what reaches it is what did before.
static const Event *event_as_it_was(Flow *flow, const Cfg *cfg, const Node *use, uint32_t *block) {
    uintptr_t number;
    uint32_t low = 0, high = cfg->blocks.len, unread = flow->reads.len ? 0 : flow->first[high];
    for (uint32_t i = 0; i < unread; i++)
        if (flow->events[i].kind == EVENT_READ)
            map_put(&flow->reads, map_key_ptr(flow->events[i].node), i);
    if (!map_get(&flow->reads, map_key_ptr(use), &number))
        return NULL;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (flow->first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    *block = low;
    return &flow->events[number];
}

static const Event *event_of(Flow *flow, const Cfg *cfg, const Node *use, uint32_t *block) {
    const Event *event = event_at_place(flow, cfg, use, block);
    return event ? event : event_as_it_was(flow, cfg, use, block);
}

typedef VEC(Node *) NodeVec;

static void add_incoming(const Flow *flow, uint32_t block, uint32_t symbol, NodeVec *found) {
    const uint64_t *in = flow->reach_in + (size_t)block * flow->def_words;
    for (uint32_t i = flow->def_start[symbol]; i < flow->def_start[symbol + 1]; i++) {
        if (i % 64 == 0 && in[i / 64] == 0)
            i += 63;
        else if (set_has(in, i))
            vec_push(found, flow->defs[i]);
    }
}

// Backwards from the use to the start of its block, then what comes in there.
static void collect_reaching(const Flow *flow, uint32_t block, const Event *use, NodeVec *found) {
    for (const Event *event = use; event-- > flow->events + flow->first[block];) {
        if (!defines(event) || event->symbol != use->symbol)
            continue;
        vec_push(found, event->node);
        if (event->kind == EVENT_BIND)
            return;
    }
    add_incoming(flow, block, use->symbol, found);
}

// Bindings that the flow does not know stand in inner functions.
static void add_from_elsewhere(const Flow *flow, const Symbol *symbol, NodeVec *found) {
    if (symbol->bindings.len == flow->def_start[symbol->index + 1] - flow->def_start[symbol->index])
        return;
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        if (!map_get(&flow->def_of, map_key_ptr(symbol->bindings.items[i]), NULL))
            vec_push(found, symbol->bindings.items[i]);
}

static int compare_places(const void *a, const void *b) {
    const Node *left = *(Node *const *)a, *right = *(Node *const *)b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return (left > right) - (left < right);
}

// In source order, each once.
static Node **sorted_list(Unit *unit, NodeVec *found) {
    Node **list = ARENA_ARRAY(unit->arena, Node *, found->len + 1);
    uint32_t len = 0, sorted = 1;
    while (sorted < found->len && compare_places(&found->items[sorted - 1], &found->items[sorted]) <= 0)
        sorted++;
    if (sorted < found->len)
        qsort(found->items, found->len, sizeof *found->items, compare_places);
    for (uint32_t i = 0; i < found->len; i++)
        if (len == 0 || list[len - 1] != found->items[i])
            list[len++] = found->items[i];
    vec_free(found);
    return list;
}

Node **defuse_reaching(Unit *unit, Node *use) {
    const Symbol *symbol = use->u.name.symbol;
    if (!symbol)
        return ARENA_ARRAY(unit->arena, Node *, 1);
    Function *function = symbol->scope->function;
    if (!function || symbol->bindings.len < 2 || flow_runs_later(unit, symbol->scope, use))
        return all_bindings(unit, symbol);
    Cfg *cfg = function_cfg(function);
    Flow *flow = flow_of(cfg);
    uint32_t block = 0;
    const Event *event = flow->too_big ? NULL : event_of(flow, cfg, use, &block);
    if (!event)
        return all_bindings(unit, symbol);
    if (!flow->reach_in)
        solve(flow, cfg);
    Node **known = map_ptr(&flow->reaching, map_key_ptr(use));
    if (known)
        return known;
    NodeVec found = {0};
    collect_reaching(flow, block, event, &found);
    add_from_elsewhere(flow, symbol, &found);
    known = sorted_list(unit, &found);
    map_put(&flow->reaching, map_key_ptr(use), (uintptr_t)known);
    return known;
}
