// Symbol tables by Python's rules.
//
// Input: a unit's AST. Output: its scopes, each with the names it binds or mentions, and the symbol of every
// NAME. A name of a class body is not seen by the functions inside it; a comprehension is a scope whose first
// iterable belongs to the outer one; := in a comprehension binds in the function around it; decorators,
// defaults, annotations and class arguments belong to the outer scope. Names are taken as written: the
// mangling of __private names inside a class is not done, which makes no difference while one class body is
// looked at.
//
// One walk over the tree with a stack of its own (so that no nesting of the input can exhaust ours) notes in
// which scope each name stands; then each scope's names are followed outwards, once per name and scope, outer
// scopes first; then the notes are turned into the lists of bindings and uses. The language reference,
// "Naming and binding", is what this follows; tests/ir/compare_symtable.py compares the outcome with
// CPython's symtable.
#include "ir/ir.h"

// One mention of a name.
enum { REF_BINDS = 1, REF_READS = 2 };
typedef struct Ref {
    Node *node;
    Symbol *entry; // in the scope that the mention belongs to
    uint32_t what;
} Ref;

typedef struct Work {
    Node *node;
    Scope *scope;
} Work;

typedef struct Builder {
    Unit *unit;
    VEC(Work) stack;
    VEC(Ref) refs;
    VEC(Node *) stars;
    Name dynamic[4]; // builtins after whose call names cannot be trusted
    Name vars;       // the same, when called without argument
} Builder;

// ---------------------------------------------------------------- entries

static Scope *scope_new(Builder *b, ScopeKind kind, Node *owner, Scope *parent) {
    Scope *scope = ARENA_NEW(b->unit->arena, Scope);
    scope->kind = kind;
    scope->owner = owner;
    scope->parent = parent;
    if (parent)
        vec_push(&parent->children, scope);
    vec_push(&b->unit->scopes, scope);
    if (kind != SCOPE_TYPE_PARAMS || owner->kind == NODE_TYPE_ALIAS)
        map_put(&b->unit->scope_of, map_key_ptr(owner), (uintptr_t)scope);
    return scope;
}

static Symbol *entry_of(Builder *b, Scope *scope, Name name) {
    Symbol *entry = map_ptr(&scope->symbols, name);
    if (entry)
        return entry;
    entry = ARENA_NEW(b->unit->arena, Symbol);
    entry->name = name;
    entry->scope = scope;
    entry->index = scope->symbols.len;
    map_put(&scope->symbols, name, (uintptr_t)entry);
    return entry;
}

static void note(Builder *b, Scope *scope, Name name, Node *node, uint32_t flags) {
    if (!name)
        return; // left out by the lowering, which has reported it
    Symbol *entry = entry_of(b, scope, name);
    entry->flags |= flags;
    uint32_t what = (flags & (SYM_ASSIGNED | SYM_PARAM) ? REF_BINDS : 0) | (flags & SYM_USED ? REF_READS : 0);
    vec_push(&b->refs, ((Ref){node, entry, what}));
}

static bool is_bound_here(const Symbol *entry) {
    return entry->flags & (SYM_PARAM | SYM_ASSIGNED | SYM_ANNOTATED) &&
           !(entry->flags & (SYM_GLOBAL | SYM_NONLOCAL));
}

// ---------------------------------------------------------------- the walk

static void push(Builder *b, Node *node, Scope *scope) {
    if (node)
        vec_push(&b->stack, ((Work){node, scope}));
}

static void push_list(Builder *b, NodeList list, Scope *scope) {
    for (uint32_t i = 0; i < list.len; i++)
        push(b, list.items[i], scope);
}

static void push_children(Builder *b, Node *node, Scope *scope) {
    for (ChildIter it = ast_children(node); ast_next(&it);)
        push(b, it.child, scope);
}

// What was pushed since `from` in source order shall be popped in source order.
static void reverse_from(Builder *b, uint32_t from) {
    if (from == b->stack.len)
        return; // where nothing was ever pushed items is NULL
    Work *low = b->stack.items + from, *high = b->stack.items + b->stack.len;
    while (low + 1 < high) {
        Work swap = *low;
        *low++ = *--high;
        *high = swap;
    }
}

static void push_params(Builder *b, Node *params, Scope *inner, Scope *annotations, Scope *outer) {
    if (!params)
        return;
    NodeList list = params->u.items.items;
    for (uint32_t i = 0; i < list.len; i++) {
        Node *param = list.items[i];
        if (!node_is(param, NODE_PARAM)) {
            push(b, param, outer);
            continue;
        }
        note(b, inner, param->u.param.name, param, SYM_PARAM);
        push(b, param->u.param.annotation, annotations);
        push(b, param->u.param.default_value, outer);
    }
}

static Scope *push_type_params(Builder *b, Node *owner, NodeList params, Scope *outer) {
    if (params.len == 0)
        return outer;
    Scope *scope = scope_new(b, SCOPE_TYPE_PARAMS, owner, outer);
    for (uint32_t i = 0; i < params.len; i++) {
        Node *param = params.items[i];
        if (node_is(param, NODE_PARAM))
            note(b, scope, param->u.param.name, param, SYM_PARAM);
        push_children(b, param, scope);
    }
    return scope;
}

// type target[params] = value: the parameters are a PARAMS in the place of the annotation.
static void walk_type_alias(Builder *b, Node *node, Scope *scope) {
    push(b, node->u.ann.target, scope);
    const Node *params = node->u.ann.annotation;
    bool generic = node_is(params, NODE_PARAMS);
    push(b, node->u.ann.value, generic ? push_type_params(b, node, params->u.items.items, scope) : scope);
}

static void walk_function(Builder *b, Node *node, Scope *scope) {
    note(b, scope, node->u.function.name, node, SYM_ASSIGNED);
    push_list(b, node->u.function.decorators, scope);
    Scope *annotations = push_type_params(b, node, node->u.function.type_params, scope);
    Scope *inner = scope_new(b, SCOPE_FUNCTION, node, annotations);
    push_params(b, node->u.function.params, inner, annotations, scope);
    push(b, node->u.function.returns, annotations);
    push_list(b, node->u.function.body, inner);
}

static void walk_class(Builder *b, Node *node, Scope *scope) {
    note(b, scope, node->u.cls.name, node, SYM_ASSIGNED);
    push_list(b, node->u.cls.decorators, scope);
    Scope *outer = push_type_params(b, node, node->u.cls.type_params, scope);
    push_list(b, node->u.cls.args, outer);
    push_list(b, node->u.cls.body, scope_new(b, SCOPE_CLASS, node, outer));
}

static void walk_lambda(Builder *b, Node *node, Scope *scope) {
    Scope *inner = scope_new(b, SCOPE_LAMBDA, node, scope);
    push_params(b, node->u.lambda.params, inner, scope, scope);
    push(b, node->u.lambda.body, inner);
}

static void walk_comprehension(Builder *b, Node *node, Scope *scope) {
    Scope *inner = scope_new(b, SCOPE_COMPREHENSION, node, scope);
    push(b, node->u.comp.element, inner);
    push(b, node->u.comp.value, inner);
    NodeList clauses = node->u.comp.clauses;
    for (uint32_t i = 0; i < clauses.len; i++) {
        Node *clause = clauses.items[i];
        if (!node_is(clause, NODE_COMPREHENSION)) {
            push(b, clause, inner);
            continue;
        }
        push(b, clause->u.comprehension.target, inner);
        push(b, clause->u.comprehension.iter, i == 0 ? scope : inner);
        push_list(b, clause->u.comprehension.ifs, inner);
    }
}

static void walk_walrus(Builder *b, Node *node, Scope *scope) {
    Scope *binder = scope;
    while (binder->kind == SCOPE_COMPREHENSION)
        binder = binder->parent;
    Node *target = node->u.named.target;
    if (binder != scope && node_is(target, NODE_NAME))
        entry_of(b, scope, target->u.name.name); // the comprehension mentions it, as in CPython's tables
    push(b, target, binder);
    push(b, node->u.named.value, scope);
}

static void walk_name(Builder *b, Node *node, Scope *scope) {
    const Node *parent = node->parent;
    uint32_t flags = SYM_USED;
    if (node->flags & NODE_DEL)
        flags = SYM_ASSIGNED | SYM_DELETED;
    else if (node_is(parent, NODE_AUG_ASSIGN) && parent->u.aug.target == node)
        flags = SYM_ASSIGNED | SYM_USED;
    else if (node_is(parent, NODE_ANN_ASSIGN) && parent->u.ann.target == node && !parent->u.ann.value)
        flags = node->flags & NODE_PARENS ? 0 : SYM_ANNOTATED;
    else if (node->flags & NODE_STORE)
        flags = SYM_ASSIGNED;
    note(b, scope, node->u.name.name, node, flags);
}

// global and nonlocal.
static void walk_declaration(Builder *b, Node *node, Scope *scope) {
    bool global = node->kind == NODE_GLOBAL;
    NodeList names = node->u.items.items;
    for (uint32_t i = 0; i < names.len; i++) {
        Node *name = names.items[i];
        if (!node_is(name, NODE_NAME))
            continue;
        note(b, scope, name->u.name.name, name, global ? SYM_GLOBAL : SYM_NONLOCAL);
        if (global)
            entry_of(b, b->unit->scope, name->u.name.name);
    }
}

static Name first_component(Name dotted) {
    Str text = name_str(dotted);
    size_t dot;
    return str_find(text, STR("."), &dot) ? intern(str_slice(text, 0, dot)) : dotted;
}

static void walk_alias(Builder *b, Node *node, Scope *scope) {
    Name name = node->u.alias.as ? node->u.alias.as : node->u.alias.name;
    if (!node->u.alias.as && node_is(node->parent, NODE_IMPORT))
        name = first_component(name);
    note(b, scope, name, node, SYM_ASSIGNED | SYM_IMPORT);
}

static void mark_yield(Scope *scope) {
    while (scope->kind == SCOPE_COMPREHENSION)
        scope = scope->parent;
    scope->has_yield = scope_is_function(scope);
}

static void mark_dynamic(const Builder *b, Node *call, Scope *scope) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_NAME))
        return;
    scope->is_dynamic |= func->u.name.name == b->vars && call->u.call.args.len == 0;
    for (size_t i = 0; i < sizeof b->dynamic / sizeof *b->dynamic; i++)
        scope->is_dynamic |= func->u.name.name == b->dynamic[i];
    if (scope->is_dynamic && !scope->dynamic_call)
        scope->dynamic_call = call;
}

static void walk_node(Builder *b, Node *node, Scope *scope) {
    switch (node->kind) {
    case NODE_NAME:
        walk_name(b, node, scope);
        break;
    case NODE_CONSTANT:
        break;
    case NODE_FUNCTION_DEF:
        walk_function(b, node, scope);
        break;
    case NODE_CLASS_DEF:
        walk_class(b, node, scope);
        break;
    case NODE_LAMBDA:
        walk_lambda(b, node, scope);
        break;
    case NODE_TYPE_ALIAS:
        walk_type_alias(b, node, scope);
        break;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        walk_comprehension(b, node, scope);
        break;
    case NODE_NAMED_EXPR:
        walk_walrus(b, node, scope);
        break;
    case NODE_GLOBAL:
    case NODE_NONLOCAL:
        walk_declaration(b, node, scope);
        break;
    case NODE_ALIAS:
        walk_alias(b, node, scope);
        break;
    case NODE_STAR_IMPORT:
        scope->has_star_import = true;
        vec_push(&b->stars, node);
        break;
    case NODE_EXCEPT_HANDLER:
        if (node->u.handler.name)
            note(b, scope, node->u.handler.name, node, SYM_ASSIGNED | SYM_DELETED);
        push_children(b, node, scope);
        break;
    case NODE_YIELD:
    case NODE_YIELD_FROM:
        mark_yield(scope);
        push_children(b, node, scope);
        break;
    case NODE_CALL:
        mark_dynamic(b, node, scope);
        push_children(b, node, scope);
        break;
    default:
        push_children(b, node, scope);
    }
}

static void walk_tree(Builder *b) {
    Node *module = b->unit->tree->module;
    b->unit->scope = scope_new(b, SCOPE_MODULE, module, NULL);
    push_list(b, module->u.module.body, b->unit->scope);
    reverse_from(b, 0);
    while (b->stack.len > 0) {
        Work work = vec_pop(&b->stack);
        uint32_t from = b->stack.len;
        walk_node(b, work.node, work.scope);
        reverse_from(b, from);
    }
}

// ---------------------------------------------------------------- from mention to symbol

// Whether the names of `outer` are seen from `from`, a scope somewhere inside it.
static bool sees(const Scope *from, const Scope *outer) {
    if (outer->kind != SCOPE_CLASS)
        return true;
    return from->kind == SCOPE_TYPE_PARAMS && from->parent == outer;
}

static Symbol *module_symbol(Builder *b, Name name) {
    Symbol *symbol = entry_of(b, b->unit->scope, name);
    symbol->real = symbol;
    return symbol;
}

// Outer scopes have been done before, so the first entry met on the way out knows the answer.
static Symbol *find_outwards(Builder *b, const Symbol *entry) {
    for (Scope *outer = entry->scope->parent; outer; outer = outer->parent) {
        Symbol *found = sees(entry->scope, outer) ? map_ptr(&outer->symbols, entry->name) : NULL;
        if (found && (outer->kind != SCOPE_MODULE || !(entry->flags & SYM_NONLOCAL)))
            return found->real;
    }
    return module_symbol(b, entry->name);
}

// The scopes between a mention and its binding hand the name on: each gets an entry, as in CPython's tables.
static void mark_free(Builder *b, Symbol *entry) {
    Symbol *real = entry->real;
    if (real == entry || real->scope->kind == SCOPE_MODULE)
        return;
    entry->flags |= SYM_FREE;
    real->flags |= SYM_CELL;
    for (Scope *between = entry->scope->parent; between != real->scope; between = between->parent) {
        if (map_ptr(&between->symbols, entry->name)) {
            if (between->kind == SCOPE_CLASS)
                continue; // a class's own name of that spelling is another one
            break;        // done before, with everything further out
        }
        Symbol *handed_on = entry_of(b, between, entry->name);
        handed_on->flags |= SYM_FREE;
        handed_on->real = real;
    }
}

static void resolve_entry(Builder *b, Symbol *entry) {
    if (entry->scope->kind == SCOPE_MODULE || is_bound_here(entry))
        entry->real = entry;
    else if (entry->flags & SYM_GLOBAL)
        entry->real = module_symbol(b, entry->name);
    else if (!entry->real)
        entry->real = find_outwards(b, entry);
    uint32_t handed = SYM_ASSIGNED | SYM_IMPORT | SYM_DELETED | SYM_USED | SYM_ANNOTATED;
    if (entry->real != entry)
        entry->real->flags |= entry->flags & handed;
    mark_free(b, entry);
}

static void resolve_scopes(Builder *b) {
    for (uint32_t i = 0; i < b->unit->scopes.len; i++) {
        Scope *scope = b->unit->scopes.items[i];
        for (uint32_t k = 0; k < scope->symbols.len; k++)
            resolve_entry(b, (Symbol *)scope->symbols.entries[k].value);
    }
}

// ---------------------------------------------------------------- bindings and uses

// NULL follows them.
static Node **arena_nodes(Builder *b, uint32_t count) {
    return count ? ARENA_ARRAY(b->unit->arena, Node *, count + 1) : NULL;
}

// Two rounds: first `cap` counts, so that each list can lie in the arena at its final size.
static void fill_lists(Builder *b) {
    for (uint32_t i = 0; i < b->refs.len; i++) {
        Ref *ref = &b->refs.items[i];
        Symbol *symbol = ref->entry->real;
        symbol->bindings.cap += ref->what & REF_BINDS ? 1 : 0;
        symbol->uses.cap += ref->what & REF_READS ? 1 : 0;
        if (ref->node->kind == NODE_NAME)
            ref->node->u.name.symbol = symbol;
    }
    for (uint32_t i = 0; i < b->refs.len; i++) {
        Ref *ref = &b->refs.items[i];
        Symbol *symbol = ref->entry->real;
        if (!symbol->bindings.items)
            symbol->bindings.items = arena_nodes(b, symbol->bindings.cap);
        if (!symbol->uses.items)
            symbol->uses.items = arena_nodes(b, symbol->uses.cap);
        if (ref->what & REF_BINDS) {
            symbol->bindings.items[symbol->bindings.len++] = ref->node;
            if (ref->node->kind == NODE_FUNCTION_DEF || ref->node->kind == NODE_ALIAS)
                symbol->flags |= SYM_NAMES_CODE;
            if (node_is(ref->node->parent, NODE_NAMED_EXPR))
                symbol->flags |= SYM_WALRUS;
        }
        if (ref->what & REF_READS)
            symbol->uses.items[symbol->uses.len++] = ref->node;
    }
}

static void mark_implicit(Builder *b) {
    Node **stars = arena_nodes(b, b->stars.len);
    for (uint32_t i = 0; i < b->stars.len; i++)
        stars[i] = b->stars.items[i];
    const Map *symbols = &b->unit->scope->symbols;
    for (uint32_t i = 0; i < symbols->len; i++) {
        Symbol *symbol = (Symbol *)symbols->entries[i].value;
        if (symbol->flags & (SYM_ASSIGNED | SYM_ANNOTATED))
            continue;
        symbol->flags |= SYM_IMPLICIT;
        symbol->bindings.items = stars;
        symbol->bindings.len = symbol->bindings.cap = b->stars.len;
    }
}

void scope_resolve(Unit *unit) {
    Builder b = {
        .unit = unit,
        .dynamic = {NAME_OF("locals"), NAME_OF("globals"), NAME_OF("exec"), NAME_OF("eval")},
        .vars = NAME_OF("vars"),
    };
    walk_tree(&b);
    resolve_scopes(&b);
    fill_lists(&b);
    mark_implicit(&b);
    vec_free(&b.stack);
    vec_free(&b.refs);
    vec_free(&b.stars);
}

// ---------------------------------------------------------------- lookups

Symbol *scope_lookup(const Scope *scope, Name name) {
    for (const Scope *at = scope; at; at = at->parent) {
        Symbol *entry = at == scope || sees(scope, at) ? map_ptr(&at->symbols, name) : NULL;
        if (entry)
            return entry->real->flags & SYM_IMPLICIT ? NULL : entry->real;
    }
    return NULL;
}

uint32_t symbol_binding_from(const Symbol *symbol, uint32_t place) {
    return nodes_from(symbol->bindings.items, symbol->bindings.len, place);
}

Symbol *scope_own(const Scope *scope, Name name) {
    Symbol *entry = map_ptr(&scope->symbols, name);
    return entry && entry->real == entry && !(entry->flags & SYM_IMPLICIT) ? entry : NULL;
}
