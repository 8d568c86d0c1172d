// What each block of a function reads and binds of the function's own names, in the order of evaluation.
//
// Input: a Cfg. Output: its Flow, which liveness.c and defuse.c fill further. An assignment reads its value
// before it binds its targets; a nested def or class counts where it stands, with what is evaluated there;
// bodies of inner functions are not entered, since the names they capture count as live always. A
// comprehension runs where it stands: its bindings (:=) come before its reads, as an earlier round may have
// made them.
#include "ir/flow.h"

typedef struct Visitor {
    Unit *unit;
    const Scope *scope;
    VEC(Event) events;
    uint32_t at;       // index of the node that is visited, in its block
    uint32_t in_class; // class bodies around the node: their names are not the function's
    bool maybe;        // the node is evaluated on some ways only
} Visitor;

static void visit(Visitor *v, Node *node);

static void visit_list(Visitor *v, NodeList list) {
    for (uint32_t i = 0; i < list.len; i++)
        visit(v, list.items[i]);
}

static void visit_maybe(Visitor *v, Node *node) {
    bool before = v->maybe;
    v->maybe = true;
    visit(v, node);
    v->maybe = before;
}

static void visit_children(Visitor *v, Node *node) {
    for (ChildIter it = ast_children(node); ast_next(&it);)
        visit(v, it.child);
}

static void add_event(Visitor *v, Node *node, const Symbol *symbol, EventKind kind) {
    if (kind == EVENT_BIND && v->maybe)
        kind = EVENT_MAY_BIND;
    if (symbol && symbol->scope == v->scope)
        vec_push(&v->events, ((Event){node, symbol->index, v->at, kind}));
}

static const Symbol *symbol_of(const Visitor *v, const Node *name) {
    return name->u.name.symbol ? name->u.name.symbol : scope_own(v->scope, name->u.name.name);
}

// A def, class, import or handler binds by name.
static void bind_name(Visitor *v, Node *node, Name name) {
    if (!v->in_class && name)
        add_event(v, node, scope_own(v->scope, name), EVENT_BIND);
}

static void visit_name(Visitor *v, Node *node) {
    const Symbol *symbol = symbol_of(v, node);
    if (node->flags & NODE_DEL)
        add_event(v, node, symbol, EVENT_READ);
    add_event(v, node, symbol, node->flags & (NODE_STORE | NODE_DEL) ? EVENT_BIND : EVENT_READ);
}

static void visit_aug_assign(Visitor *v, Node *node) {
    Node *target = node->u.aug.target;
    bool name = node_is(target, NODE_NAME);
    if (name)
        add_event(v, target, symbol_of(v, target), EVENT_READ);
    else
        visit(v, target);
    visit(v, node->u.aug.value);
    if (name)
        add_event(v, target, symbol_of(v, target), EVENT_BIND);
}

static void visit_ann_assign(Visitor *v, Node *node) {
    visit(v, node->u.ann.annotation);
    visit(v, node->u.ann.value);
    if (node->u.ann.value || !node_is(node->u.ann.target, NODE_NAME))
        visit(v, node->u.ann.target);
}

static void visit_compare(Visitor *v, Node *node) {
    visit(v, node->u.compare.left);
    for (uint32_t i = 0; i < node->u.compare.comparators.len; i++) {
        if (i == 0)
            visit(v, node->u.compare.comparators.items[i]);
        else
            visit_maybe(v, node->u.compare.comparators.items[i]);
    }
}

static bool is_read(const Event *event) {
    return event->kind == EVENT_READ || event->kind == EVENT_READ_ALL;
}

static void bindings_first(Visitor *v, uint32_t from) {
    VEC(Event) reads = {0};
    uint32_t kept = from;
    for (uint32_t i = from; i < v->events.len; i++) {
        if (is_read(&v->events.items[i]))
            vec_push(&reads, v->events.items[i]);
        else
            v->events.items[kept++] = v->events.items[i];
    }
    for (uint32_t i = 0; i < reads.len; i++)
        v->events.items[kept++] = reads.items[i];
    vec_free(&reads);
}

static void visit_comprehension(Visitor *v, Node *node) {
    NodeList clauses = node->u.comp.clauses;
    Node *first = clauses.len > 0 && node_is(clauses.items[0], NODE_COMPREHENSION) ? clauses.items[0] : NULL;
    if (first)
        visit(v, first->u.comprehension.iter);
    uint32_t from = v->events.len;
    bool before = v->maybe;
    v->maybe = true;
    for (uint32_t i = 0; i < clauses.len; i++) {
        if (clauses.items[i] != first) {
            visit(v, clauses.items[i]);
            continue;
        }
        visit(v, first->u.comprehension.target);
        visit_list(v, first->u.comprehension.ifs);
    }
    visit(v, node->u.comp.element);
    visit(v, node->u.comp.value);
    v->maybe = before;
    bindings_first(v, from);
}

// What a def or lambda evaluates where it stands.
static void visit_params(Visitor *v, Node *params) {
    for (uint32_t i = 0; params && i < params->u.items.items.len; i++)
        visit_children(v, params->u.items.items.items[i]);
}

static void visit_def(Visitor *v, Node *node) {
    visit_list(v, node->u.function.decorators);
    visit_params(v, node->u.function.params);
    visit(v, node->u.function.returns);
    bind_name(v, node, node->u.function.name);
}

static void visit_class(Visitor *v, Node *node) {
    visit_list(v, node->u.cls.decorators);
    visit_list(v, node->u.cls.args);
    v->in_class++;
    bool before = v->maybe;
    v->maybe = true;
    visit_list(v, node->u.cls.body);
    v->maybe = before;
    v->in_class--;
    bind_name(v, node, node->u.cls.name);
}

static void visit_alias(Visitor *v, Node *node) {
    Str name = name_str(node->u.alias.as ? node->u.alias.as : node->u.alias.name);
    size_t dot;
    if (!node->u.alias.as && str_find(name, STR("."), &dot))
        name = str_slice(name, 0, dot);
    bind_name(v, node, intern(name));
}

static void visit_handler(Visitor *v, Node *node) {
    bind_name(v, node, node->u.handler.name);
    if (v->in_class) // else a head: its type and body stand in blocks of their own
        visit_children(v, node);
}

static void visit_pattern(Visitor *v, Node *node) {
    for (ChildIter it = ast_children(node); ast_next(&it);)
        visit_maybe(v, it.child); // one alternative of several may bind it
}

static void visit(Visitor *v, Node *node) {
    if (!node)
        return;
    switch (node->kind) {
    case NODE_CONSTANT:
        break;
    case NODE_NAME:
        visit_name(v, node);
        break;
    case NODE_ASSIGN:
        visit(v, node->u.assign.value);
        visit_list(v, node->u.assign.targets);
        break;
    case NODE_AUG_ASSIGN:
        visit_aug_assign(v, node);
        break;
    case NODE_ANN_ASSIGN:
        visit_ann_assign(v, node);
        break;
    case NODE_NAMED_EXPR:
        visit(v, node->u.named.value);
        visit(v, node->u.named.target);
        break;
    case NODE_BOOL_OP:
        visit(v, node->u.binary.left);
        visit_maybe(v, node->u.binary.right);
        break;
    case NODE_IF_EXP:
        visit(v, node->u.if_exp.test);
        visit_maybe(v, node->u.if_exp.body);
        visit_maybe(v, node->u.if_exp.orelse);
        break;
    case NODE_COMPARE:
        visit_compare(v, node);
        break;
    case NODE_ASSERT:
        visit(v, node->u.assert_.test);
        visit_maybe(v, node->u.assert_.msg);
        break;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        visit_comprehension(v, node);
        break;
    case NODE_GLOBAL:
    case NODE_NONLOCAL:
        break;
    case NODE_LAMBDA:
        visit_params(v, node->u.lambda.params);
        break;
    case NODE_FUNCTION_DEF:
        visit_def(v, node);
        break;
    case NODE_CLASS_DEF:
        visit_class(v, node);
        break;
    case NODE_ALIAS:
        visit_alias(v, node);
        break;
    case NODE_EXCEPT_HANDLER:
        visit_handler(v, node);
        break;
    case NODE_PATTERN:
        visit_pattern(v, node);
        break;
    case NODE_TEXT:
        vec_push(&v->events, ((Event){node, 0, v->at, EVENT_READ_ALL}));
        break;
    default:
        visit_children(v, node);
    }
}

// ---------------------------------------------------------------- code that runs later

static bool all_keywords_behind_first(NodeList args) {
    for (uint32_t i = 1; i < args.len; i++)
        if (!node_is(args.items[i], NODE_KEYWORD))
            return false;
    return true;
}

static bool is_consuming_builtin(const Node *func) {
    static const char *const names[] = {"all", "any", "dict",   "frozenset", "list", "max",
                                        "min", "set", "sorted", "sum",       "tuple"};
    if (node_is(func, NODE_ATTRIBUTE))
        return node_is(func->u.attribute.value, NODE_CONSTANT) &&
               str_eq(name_str(func->u.attribute.attr), STR("join"));
    if (!node_is(func, NODE_NAME) || !func->u.name.symbol || !(func->u.name.symbol->flags & SYM_IMPLICIT))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(name_str(func->u.name.name), str_of(names[i])))
            return true;
    return false;
}

// `any(x > y for x in xs)`: the generator is used up before the call returns.
static bool is_consumed_at_once(const Node *generator) {
    const Node *parent = generator->parent;
    if (node_is(parent, NODE_STARRED))
        return true;
    return node_is(parent, NODE_CALL) && parent->u.call.args.len > 0 &&
           parent->u.call.args.items[0] == generator && all_keywords_behind_first(parent->u.call.args) &&
           is_consuming_builtin(parent->u.call.func);
}

bool flow_runs_later(Unit *unit, const Scope *function, const Node *node) {
    for (const Scope *scope = unit_scope_at(unit, node); scope != function; scope = scope->parent) {
        if (!scope || scope_is_function(scope) || scope->kind == SCOPE_TYPE_PARAMS)
            return true;
        if (node_is(scope->owner, NODE_GENERATOR_EXP) && !is_consumed_at_once(scope->owner))
            return true;
    }
    return false;
}

static void add_captured(Flow *flow, Unit *unit, const Symbol *symbol) {
    for (uint32_t i = 0; i < symbol->uses.len; i++) {
        if (flow_runs_later(unit, symbol->scope, symbol->uses.items[i])) {
            set_add(flow->always_live, symbol->index);
            return;
        }
    }
}

static void find_always_live(Flow *flow, Function *function) {
    Scope *scope = function->scope;
    flow->always_live = ARENA_ARRAY(function->unit->arena, uint64_t, flow->symbol_words + 1);
    for (uint32_t i = 0; i < scope->symbols.len; i++) {
        const Symbol *symbol = (const Symbol *)scope->symbols.entries[i].value;
        if (scope->is_dynamic)
            set_add(flow->always_live, symbol->index);
        else if (symbol->real == symbol && symbol->flags & SYM_CELL)
            add_captured(flow, function->unit, symbol);
    }
}

// ---------------------------------------------------------------- the whole

typedef struct Definition {
    Node *node;
    uint32_t symbol;
} Definition;
typedef VEC(Definition) DefinitionList;

static void collect_definition(Flow *flow, DefinitionList *list, Node *node, uint32_t symbol) {
    if (map_get(&flow->def_of, map_key_ptr(node), NULL))
        return;
    map_put(&flow->def_of, map_key_ptr(node), 0);
    vec_push(list, ((Definition){node, symbol}));
}

static void collect_params(Flow *flow, DefinitionList *list, const Function *function) {
    const Node *node = function->node;
    const Node *params = node->kind == NODE_LAMBDA ? node->u.lambda.params : node->u.function.params;
    for (uint32_t i = 0; params && i < params->u.items.items.len; i++) {
        Node *param = params->u.items.items.items[i];
        const Symbol *symbol =
            node_is(param, NODE_PARAM) ? scope_own(function->scope, param->u.param.name) : NULL;
        if (symbol)
            collect_definition(flow, list, param, symbol->index);
    }
}

// Sorts by symbol, so that a binding kills one run of numbers.
static void number_definitions(Flow *flow, Function *function, uint32_t event_count) {
    DefinitionList list = {0};
    uint32_t symbols = function->scope->symbols.len;
    collect_params(flow, &list, function);
    for (uint32_t i = 0; i < event_count; i++)
        if (!is_read(&flow->events[i]))
            collect_definition(flow, &list, flow->events[i].node, flow->events[i].symbol);
    flow->def_words = (list.len + 63) / 64;
    flow->def_start = ARENA_ARRAY(function->unit->arena, uint32_t, symbols + 2);
    for (uint32_t i = 0; i < list.len; i++)
        flow->def_start[list.items[i].symbol + 2]++;
    for (uint32_t i = 2; i < symbols + 2; i++)
        flow->def_start[i] += flow->def_start[i - 1];
    flow->defs = ARENA_ARRAY(function->unit->arena, Node *, list.len + 1);
    for (uint32_t i = 0; i < list.len; i++) {
        uint32_t number = flow->def_start[list.items[i].symbol + 1]++;
        flow->defs[number] = list.items[i].node;
        map_put(&flow->def_of, map_key_ptr(list.items[i].node), number);
    }
    vec_free(&list);
}

static uint32_t collect_events(Flow *flow, Cfg *cfg) {
    Unit *unit = cfg->function->unit;
    Visitor v = {.unit = unit, .scope = cfg->function->scope};
    flow->first = ARENA_ARRAY(unit->arena, uint32_t, cfg->blocks.len + 1);
    for (uint32_t i = 0; i < cfg->blocks.len; i++) {
        const Block *block = cfg->blocks.items[i];
        flow->first[i] = v.events.len;
        for (v.at = 0; v.at < block->nodes.len; v.at++)
            visit(&v, block->nodes.items[v.at]);
    }
    uint32_t count = flow->first[cfg->blocks.len] = v.events.len;
    flow->events = arena_dup(unit->arena, v.events.items, count * sizeof *v.events.items);
    vec_free(&v.events);
    return count;
}

typedef struct Visit {
    Block *block;
    uint32_t next; // of its successors
} Visit;
typedef VEC(Visit) VisitStack;

// The blocks that can be reached from this one, but for those placed already, go before the latter. at: where these begin.
static uint32_t order_from(Flow *flow, Block *start, uint32_t at, VisitStack *stack) {
    vec_push(stack, ((Visit){start, 0}));
    flow->pending[start->id] = true;
    while (stack->len) {
        Visit *top = &vec_last(stack);
        if (top->next == top->block->successors.len) {
            flow->order[--at] = vec_pop(stack).block;
            continue;
        }
        Block *to = top->block->successors.items[top->next++].to;
        if (!flow->pending[to->id]) {
            flow->pending[to->id] = true;
            vec_push(stack, ((Visit){to, 0}));
        }
    }
    return at;
}

static void order_blocks(Flow *flow, const Cfg *cfg) {
    Arena *arena = cfg->function->unit->arena;
    VisitStack stack = {0};
    uint32_t at = cfg->blocks.len;
    flow->order = ARENA_ARRAY(arena, Block *, at + 1);
    flow->pending = ARENA_ARRAY(arena, bool, at + 1);
    for (uint32_t i = 0; i < cfg->blocks.len; i++)
        if (!flow->pending[i])
            at = order_from(flow, cfg->blocks.items[i], at, &stack);
    vec_free(&stack);
}

Flow *flow_of(Cfg *cfg) {
    if (cfg->flow)
        return cfg->flow;
    Function *function = cfg->function;
    Flow *flow = ARENA_NEW(function->unit->arena, Flow);
    cfg->flow = flow;
    flow->symbol_words = (function->scope->symbols.len + 63) / 64;
    number_definitions(flow, function, collect_events(flow, cfg));
    find_always_live(flow, function);
    order_blocks(flow, cfg);
    uint64_t words = flow->def_words > flow->symbol_words ? flow->def_words : flow->symbol_words;
    flow->too_big = words * 64 * cfg->blocks.len > FLOW_MAX_BITS;
    return flow;
}

void flow_free(Cfg *cfg) {
    if (cfg->flow)
        map_free(&cfg->flow->def_of), map_free(&cfg->flow->reaching), map_free(&cfg->flow->reads);
    cfg->flow = NULL;
}
