// See late.h. Two walks over the expression: `plan` decides for every sub-expression whether it stays in the body, is
// captured whole, or is taken apart, and finds the reasons to decline; only when it has gone through do the captures
// replace anything. Linear in the size of the expression times its depth (late_needed looks down).
#include "passes/rewrite.h"

#include <stdlib.h>

#include "rules/rules.h"

enum {
    MAX_CAPTURES = 200, // CPython takes 255 parameters on old versions; a call with more values is left alone
    MAX_EXPR_DEPTH = 200, // deeper expressions are left alone
};

// Not numbers: with dynamic shapes Dynamo makes them symbols, which it cannot format.
static const uint32_t PLAIN_KINDS = KIND_BOOL | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE;

// ---------------------------------------------------------------- what must be late

// Formatting it now and formatting it later give the same text, and Dynamo can do it now.
static bool formats_now(Module *module, Node *expr) {
    Fact fact = fact_of(module, expr);
    if (fact.kinds == 0)
        return false;
    return node_is(expr, NODE_CONSTANT) || (fact.kinds & ~PLAIN_KINDS) == 0;
}

static bool is_format_call(Module *module, Node *call) {
    Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE))
        return str_eq(name_str(func->u.attribute.attr), STR("format")) &&
               fact_of(module, func->u.attribute.value).kinds == KIND_STR;
    if (!node_is(func, NODE_NAME))
        return false;
    Str name = name_str(func->u.name.name);
    if (!str_eq(name, STR("str")) && !str_eq(name, STR("repr")) && !str_eq(name, STR("format")) &&
        !str_eq(name, STR("ascii")))
        return false;
    return resolve_expr(module, func).kind == REF_BUILTIN;
}

static bool any_formats_late(Module *module, Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD))
            arg = arg->u.keyword.value;
        if (!formats_now(module, arg))
            return true;
    }
    return false;
}

static bool percent_formats_late(Module *module, Node *expr) {
    if (expr->u.binary.op != OP_MOD || fact_of(module, expr->u.binary.left).kinds != KIND_STR)
        return false;
    Node *right = expr->u.binary.right;
    if (!node_is(right, NODE_TUPLE))
        return !formats_now(module, right);
    for (uint32_t i = 0; i < right->u.items.items.len; i++)
        if (!formats_now(module, right->u.items.items.items[i]))
            return true;
    return false;
}

static bool node_is_late(Module *module, Node *expr) {
    switch ((NodeKind)expr->kind) {
    case NODE_FORMATTED_VALUE:
        return !formats_now(module, expr->u.formatted.value);
    case NODE_CALL:
        return call_reads_tensor(module, expr) ||
               (is_format_call(module, expr) && any_formats_late(module, expr));
    case NODE_BIN_OP:
        return percent_formats_late(module, expr);
    default:
        return false;
    }
}

static bool late_below(Module *module, Node *expr, int depth) {
    if (depth > MAX_EXPR_DEPTH)
        return true;
    if (node_is_late(module, expr))
        return true;
    if (expr->kind == NODE_LAMBDA)
        return false;
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (late_below(module, it.child, depth + 1))
            return true;
    return false;
}

bool late_needed(Module *module, Node *expr) {
    return late_below(module, expr, 0);
}

// ---------------------------------------------------------------- names

// A name of the function (a local, a parameter, a closure variable), not of the module or the builtins.
static bool is_local_name(const Node *name) {
    const Symbol *symbol = name->u.name.symbol;
    if (!symbol)
        return false;
    return symbol->scope->kind != SCOPE_MODULE;
}

static bool module_name_changes(const Symbol *symbol) {
    return symbol->bindings.len > 1;
}

static bool bound_inside(const Late *late, const Symbol *symbol) {
    return symbol->scope->owner != late->root && node_contains(late->root, symbol->scope->owner);
}

// Reads a name that a comprehension or lambda inside the expression binds: cannot be taken out of it.
static bool uses_inner_names(const Late *late, Node *expr) {
    if (node_is(expr, NODE_NAME))
        return expr->u.name.symbol && !node_contains(expr, expr->u.name.symbol->scope->owner) &&
               bound_inside(late, expr->u.name.symbol);
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (uses_inner_names(late, it.child))
            return true;
    return false;
}

// Nothing local is read and nothing is called: reading it later is reading it now.
bool late_is_fixed(Node *expr) {
    switch ((NodeKind)expr->kind) {
    case NODE_CALL:
    case NODE_AWAIT:
    case NODE_YIELD:
    case NODE_YIELD_FROM:
    case NODE_NAMED_EXPR:
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        return false;
    case NODE_NAME:
        return !is_local_name(expr) && !(expr->u.name.symbol && module_name_changes(expr->u.name.symbol));
    default:
        break;
    }
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (!late_is_fixed(it.child))
            return false;
    return true;
}

// ---------------------------------------------------------------- planning

typedef VEC(Node *) NodeVec;

static bool give_up(Late *late, const char *reason, Node *at) {
    late->reason = reason;
    late->reason_at = at;
    return false;
}

static bool captures_early(Late *late, Node *expr) {
    if (uses_inner_names(late, expr))
        return false;
    if (late->mode == LATE_MAYBE) {
        if (node_is(expr, NODE_NAME))
            return is_surely_bound(expr->u.name.symbol, expr);
        // Nothing is computed that the original would not have computed: shapes, numbers and attributes only.
        if (!node_is(expr, NODE_ATTRIBUTE) && fact_of(late->module, expr).kinds & KIND_TENSOR)
            return false;
        return expr_is_pure(late->module, expr) && !late_needed(late->module, expr);
    }
    return !late_needed(late->module, expr);
}

// An f-string, or a display of values: its parts are captured, so that it reads as before.
static bool is_text_of_parts(const Node *expr) {
    if (node_is(expr, NODE_FSTRING) || node_is(expr, NODE_STR_CONCAT))
        return true;
    if (!node_is(expr, NODE_TUPLE) && !node_is(expr, NODE_LIST) && !node_is(expr, NODE_DICT))
        return false;
    for (uint32_t i = 0; i < expr->u.items.items.len; i++) {
        const Node *item = expr->u.items.items.items[i];
        if (node_is(item, NODE_STARRED) || (node_is(item, NODE_DICT_ITEM) && !item->u.dict_item.key))
            return false;
    }
    return true;
}

static bool plan(Late *late, NodeVec *captures, Node *expr, int depth, bool same_text);

static bool plan_children(Late *late, NodeVec *captures, Node *expr, int depth, bool same_text) {
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (!plan(late, captures, it.child, depth + 1, same_text))
            return false;
    return true;
}

static bool plan_name(Late *late, NodeVec *captures, Node *name) {
    static const char *const frame_names[] = {"super", "locals", "vars", "eval", "exec", "dir", "__class__"};
    for (size_t i = 0; i < sizeof frame_names / sizeof *frame_names; i++)
        if (str_eq(name_str(name->u.name.name), str_of(frame_names[i])))
            return give_up(late, "reads-its-frame", name);
    if (!name->u.name.symbol || !is_local_name(name)) {
        if (name->u.name.symbol && module_name_changes(name->u.name.symbol) && late->mode == LATE_ALWAYS) {
            vec_push(captures, name);
            return true;
        }
        vec_push(&late->kept, name->u.name.name);
        return true;
    }
    if (bound_inside(late, name->u.name.symbol))
        return true;
    if (late->mode == LATE_MAYBE && !is_surely_bound(name->u.name.symbol, name))
        return give_up(late, "may-be-unbound", name);
    vec_push(captures, name);
    return true;
}

// {x.mean()=} becomes x.mean()={x_mean!r}: the value of now, under the text of before. Not where the text could not stand
// outside of braces.
static bool debug_is_plain(const Late *late, const Node *field) {
    Str text = node_text(late->module->unit->tree, field);
    if (field->u.formatted.spec.len || text.len < 3)
        return false;
    for (size_t i = 1; i + 1 < text.len; i++)
        if (strchr("{}\\'\"\r\n#", text.ptr[i]))
            return false;
    return true;
}

// What is read of it later is what it gives now: the runtime takes copies of tensors.
static bool reads_only_copies(Module *module, Node *expr) {
    if (node_is(expr, NODE_NAME) && is_local_name(expr)) {
        uint32_t kinds = fact_of(module, expr).kinds;
        return kinds && !(kinds & ~(PLAIN_KINDS | KIND_TENSOR | KIND_INT | KIND_FLOAT));
    }
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (!reads_only_copies(module, it.child))
            return false;
    return true;
}

static bool plan_debug(Late *late, NodeVec *captures, Node *field, int depth) {
    Node *value = field->u.formatted.value;
    if (!node_is(value, NODE_NAME) && !late_is_fixed(value)) {
        if (debug_is_plain(late, field) && captures_early(late, value)) {
            vec_push(captures, field);
            return true;
        }
        if (!reads_only_copies(late->module, value))
            return give_up(late, "shows-its-expression", value);
    }
    return plan_children(late, captures, field, depth, true);
}

// A call's function: a method's receiver is a value like any other; a plain name that is not local stays.
static bool plan_call(Late *late, NodeVec *captures, Node *call, int depth, bool same_text) {
    Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE)) {
        if (!plan(late, captures, func->u.attribute.value, depth + 1, same_text))
            return false;
    } else if (!plan(late, captures, func, depth + 1, same_text)) {
        return false;
    }
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        if (!plan(late, captures, call->u.call.args.items[i], depth + 1, same_text))
            return false;
    return true;
}

// same_text: below {x=}, whose text shows the expression: only plain names may be captured there, under their own name.
static bool plan(Late *late, NodeVec *captures, Node *expr, int depth, bool same_text) {
    if (depth > MAX_EXPR_DEPTH || captures->len > MAX_CAPTURES)
        return give_up(late, "too-complex", expr);
    switch ((NodeKind)expr->kind) {
    case NODE_NAME:
        return plan_name(late, captures, expr);
    case NODE_AWAIT:
    case NODE_YIELD:
    case NODE_YIELD_FROM:
        return give_up(late, "in-generator", expr);
    case NODE_FORMATTED_VALUE:
        if (expr->u.formatted.debug)
            return plan_debug(late, captures, expr, depth);
        return plan_children(late, captures, expr, depth, same_text);
    case NODE_KEYWORD:
    case NODE_STARRED:
    case NODE_SLICE:
    case NODE_DICT_ITEM:
    case NODE_COMPREHENSION:
    case NODE_PARAMS:
    case NODE_PARAM:
        return plan_children(late, captures, expr, depth, same_text);
    default:
        break;
    }
    if (late_is_fixed(expr))
        return plan_children(late, captures, expr, depth, same_text); // records the kept names
    if (expr != late->root && !same_text && !is_text_of_parts(expr) && captures_early(late, expr)) {
        vec_push(captures, expr);
        return true;
    }
    if (expr->kind == NODE_NAMED_EXPR)
        return give_up(late, "binds-a-name", expr);
    if (expr->kind == NODE_CALL)
        return plan_call(late, captures, expr, depth, same_text);
    return plan_children(late, captures, expr, depth, same_text);
}

// ---------------------------------------------------------------- capturing

static bool is_taken(const Late *late, Name name) {
    for (uint32_t i = 0; i < late->kept.len; i++)
        if (vec_at(&late->kept, i) == name)
            return true;
    for (uint32_t i = 0; i < late->params.len; i++)
        if (vec_at(&late->params, i) == name)
            return true;
    return false;
}

static bool is_python_keyword(Str word) {
    static const char *const words[] = {
        "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
        "del",    "elif", "else",   "except", "finally",  "for",   "from",  "global",   "if",
        "import", "in",   "is",     "lambda", "nonlocal", "not",   "or",    "pass",     "raise",
        "return", "try",  "while",  "with",   "yield",    "None",  "True",  "False"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(word, str_of(words[i])))
            return true;
    return false;
}

// x.f, or x.f().g
static bool is_dotted(const Node *attribute) {
    const Node *owner = attribute->u.attribute.value;
    if (node_is(owner, NODE_CALL))
        owner = node_is(owner->u.call.func, NODE_ATTRIBUTE) ? owner->u.call.func->u.attribute.value : NULL;
    return node_is(owner, NODE_NAME);
}

// A telling name for a value: x -> x, self.layer -> layer, h.mean(-1) -> h_mean, len(x) -> len_x, tuple(x.shape) -> x_shape,
// else value.
static Str value_stem(Arena *arena, const Node *expr) {
    switch ((NodeKind)expr->kind) {
    case NODE_NAME:
        return name_str(expr->u.name.name);
    case NODE_ATTRIBUTE: {
        Str attr = name_str(expr->u.attribute.attr);
        const Node *owner = expr->u.attribute.value;
        if (!is_dotted(expr) ||
            (node_is(owner, NODE_NAME) && str_eq(name_str(owner->u.name.name), STR("self"))))
            return attr;
        return str_format(arena, "%.*s_%.*s", STR_ARG(value_stem(arena, owner)), STR_ARG(attr));
    }
    case NODE_CALL: {
        const Node *func = expr->u.call.func;
        if (node_is(func, NODE_ATTRIBUTE))
            return is_dotted(func) ? value_stem(arena, func) : name_str(func->u.attribute.attr);
        if (!node_is(func, NODE_NAME) || expr->u.call.args.len != 1)
            return STR("value");
        const Node *arg = expr->u.call.args.items[0];
        Str stem = value_stem(arena, arg);
        if (!node_is(arg, NODE_NAME))
            return stem;
        return str_format(arena, "%.*s_%.*s", STR_ARG(name_str(func->u.name.name)), STR_ARG(stem));
    }
    case NODE_SUBSCRIPT:
        return value_stem(arena, expr->u.subscript.value);
    default:
        return STR("value");
    }
}

static Name fresh_param(const Late *late, const Node *expr) {
    Arena *arena = late->module->unit->arena;
    Str stem = value_stem(arena, expr);
    if (is_python_keyword(stem) || str_starts(stem, STR("__")))
        stem = STR("value");
    Name name = intern(stem);
    for (unsigned i = 2; is_taken(late, name); i++)
        name = intern(str_format(arena, "%.*s_%u", STR_ARG(stem), i));
    return name;
}

static void capture_name(Late *late, Node *name) {
    Symbol *symbol = name->u.name.symbol;
    for (uint32_t i = 0; i < late->symbols.len; i++)
        if (vec_at(&late->symbols, i) == symbol)
            return;
    vec_push(&late->values, ast_name(late->module->unit->arena, name_str(name->u.name.name)));
    vec_push(&late->params, name->u.name.name);
    vec_push(&late->symbols, symbol);
}

static void capture_debug(Late *late, Node *field) {
    Arena *arena = late->module->unit->arena;
    Node *value = field->u.formatted.value;
    Name param = fresh_param(late, value);
    Str text = node_text(late->module->unit->tree, field);
    size_t at = value->end - field->start;
    while (text.ptr[at] != '=')
        at++;
    for (at++; strchr(" \t\f", text.ptr[at]);)
        at++;
    Str shown = str_slice(text, 1, at), rest = str_slice(text, at, text.len);
    const char *conversion = rest.ptr[0] == '}' ? "!r" : "";
    ast_replace(field, ast_text(arena, str_format(arena, "%.*s{%.*s%s%.*s", STR_ARG(shown),
                                                  STR_ARG(name_str(param)), conversion, STR_ARG(rest))));
    vec_push(&late->values, value);
    vec_push(&late->params, param);
    vec_push(&late->symbols, NULL);
}

static void capture_value(Late *late, Node *expr) {
    Name param = fresh_param(late, expr);
    ast_replace(expr, ast_name(late->module->unit->arena, name_str(param)));
    vec_push(&late->values, expr);
    vec_push(&late->params, param);
    vec_push(&late->symbols, NULL);
}

// Locals that the body reads under their own names must not be hidden by another parameter's invented name.
static void reserve_captured_names(Late *late, const NodeVec *captures) {
    for (uint32_t i = 0; i < captures->len; i++) {
        const Node *capture = captures->items[i];
        if (node_is(capture, NODE_NAME) && !is_taken(late, capture->u.name.name))
            vec_push(&late->kept, capture->u.name.name);
    }
}

static void release_name(Late *late, Name name) {
    for (uint32_t i = 0; i < late->kept.len; i++)
        if (late->kept.items[i] == name)
            late->kept.items[i] = 0;
}

// Both parts are planned before anything is captured: an invented name may hide no name that either goes on reading.
static bool plan_parts(Late *late, NodeVec *captures, Node *root, Node *further) {
    late->root = root;
    if (!plan(late, captures, root, 0, false))
        return false;
    late->root = further;
    return !further || plan(late, captures, further, 0, false);
}

static void capture(Late *late, Node *expr) {
    if (node_is(expr, NODE_NAME)) {
        release_name(late, expr->u.name.name);
        capture_name(late, expr);
    } else if (node_is(expr, NODE_FORMATTED_VALUE)) {
        capture_debug(late, expr);
    } else {
        capture_value(late, expr);
    }
}

bool late_convert(Late *late, Module *module, LateMode mode, Node *root, Node *further) {
    NodeVec captures = {0};
    *late = (Late){.module = module, .mode = mode};
    bool ok = plan_parts(late, &captures, root, further);
    if (ok) {
        reserve_captured_names(late, &captures);
        for (uint32_t i = 0; i < captures.len; i++)
            capture(late, captures.items[i]);
    }
    vec_free(&captures);
    return ok;
}

bool late_possible(Late *late, Module *module, LateMode mode, Node *root, Node *further) {
    NodeVec captures = {0};
    *late = (Late){.module = module, .mode = mode};
    bool ok = plan_parts(late, &captures, root, further);
    vec_free(&captures);
    return ok;
}

Node *late_lambda(const Late *late, Node *body) {
    Arena *arena = late->module->unit->arena;
    Node *lambda = ast_new(arena, NODE_LAMBDA);
    lambda->u.lambda.body = body;
    if (late->params.len) {
        Node **items = ARENA_ARRAY(arena, Node *, late->params.len);
        for (uint32_t i = 0; i < late->params.len; i++) {
            items[i] = ast_new(arena, NODE_PARAM);
            items[i]->u.param.name = vec_at(&late->params, i);
            items[i]->u.param.kind = PARAM_NORMAL;
        }
        lambda->u.lambda.params = ast_new(arena, NODE_PARAMS);
        lambda->u.lambda.params->u.items.items = ast_list(arena, late->params.len, items);
    }
    return lambda;
}

void late_free(Late *late) {
    vec_free(&late->values);
    vec_free(&late->params);
    vec_free(&late->symbols);
    vec_free(&late->kept);
}
