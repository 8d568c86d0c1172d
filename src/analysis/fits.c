// Is an index certainly within what it is looked up in, whatever the data are?
//
//     x[ids.clamp(0, len(x) - 1)]      table[ids % table.shape[0]]      F.one_hot(ids.clamp(0, 2), 3)
//     self.emb(ids.clamp(0, self.emb.num_embeddings - 1))               p.gather(1, p.argmax(1, keepdim=True))
//
// Input: an operation that may raise on data, and the operand that counts. Output: yes, where both bounds of the index are
// known and the size of the table is, or where it is a place in the same dimension of the same tensor. That the table is the
// same one takes a name that stands for one object in all of the call, whose shape nothing changes. When in doubt, no.
// Of some look-ups the runtime can see to it that they do not fail before a check.
#include "analysis/effects_internal.h"

#include <stdlib.h>

enum { MAX_FITS_DEPTH = 12, MAX_FITS_BINDINGS = 8, ANY_DIM = 1 << 20 };

// What is looked up in: a tensor along a dimension, a module's table, a number of classes.
typedef struct Table {
    Node *tensor, *size, *module;
    long dim, count; // count: -1 unknown
    bool covered;    // gather(), a loss of classes and the like, which the runtime knows
} Table;

// ---------------------------------------------------------------- numbers and names

static long whole(Module *module, const Node *node, long other) {
    bool minus = node_is(node, NODE_UNARY_OP) && node->u.unary.op == OP_UMINUS;
    const Node *number = minus ? node->u.unary.operand : node;
    if (!node_is(number, NODE_CONSTANT) || number->u.constant.kind != CONST_INT)
        return other;
    Str text = node_text(module->unit->tree, number);
    long value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || i > 8)
            return other;
        value = value * 10 + (text.ptr[i] - '0');
    }
    return minus ? -value : value;
}

static bool is_local(const Symbol *symbol) {
    return symbol && symbol->scope->kind == SCOPE_FUNCTION && !symbol->scope->is_dynamic &&
           !(symbol->flags & (SYM_GLOBAL | SYM_NONLOCAL | SYM_CELL));
}

static bool runs_again(const Node *statement) {
    for (const Node *up = statement->parent; up && up->kind != NODE_FUNCTION_DEF; up = up->parent)
        if (up->kind == NODE_FOR || up->kind == NODE_WHILE)
            return true;
    return false;
}

// A parameter, or what one assignment binds, that no loop runs again: one object in all of the call.
static bool is_fixed_name(const Node *node) {
    const Symbol *symbol = node_is(node, NODE_NAME) ? node->u.name.symbol : NULL;
    if (!is_local(symbol) || symbol->bindings.len != 1)
        return false;
    const Node *binding = symbol->bindings.items[0], *up = binding->parent;
    while (node_is(up, NODE_TUPLE) || node_is(up, NODE_LIST) || node_is(up, NODE_STARRED))
        up = up->parent;
    return node_is(binding, NODE_PARAM) ||
           ((node_is(up, NODE_ASSIGN) || node_is(up, NODE_ANN_ASSIGN)) && !runs_again(up));
}

// The name that a.b.c and a.shape[0] start with, or NULL.
static Node *root_name(Node *node) {
    while (node_is(node, NODE_ATTRIBUTE) || node_is(node, NODE_SUBSCRIPT))
        node = node->kind == NODE_ATTRIBUTE ? node->u.attribute.value : node->u.subscript.value;
    return node_is(node, NODE_NAME) ? node : NULL;
}

static bool is_same(const Node *a, const Node *b) {
    return is_fixed_name(a) && node_is(b, NODE_NAME) && a->u.name.symbol == b->u.name.symbol;
}

// The attribute of self, which is set in one place.
static AttrInfo *built_once(Module *module, const Node *func) {
    if (!node_is(func, NODE_ATTRIBUTE))
        return NULL;
    Fact base = fact_value(module, func->u.attribute.value);
    AttrInfo *attr =
        base.ref.kind == REF_INSTANCE ? class_find_attr(base.ref.cls, func->u.attribute.attr) : NULL;
    return attr && attr->values.len == 1 && attr->in_init && !attr->outside_init ? attr : NULL;
}

// ---------------------------------------------------------------- the table

static Table table_of_call(Module *module, Node *call, const Node *index) {
    Table table = {.dim = ANY_DIM, .count = -1};
    Node *func = call->u.call.func;
    Ref callee = resolve_expr(module, func);
    bool method = callee.kind == REF_NONE && node_is(func, NODE_ATTRIBUTE);
    Name last = callee.kind == REF_EXTERNAL ? last_part(callee.name) : method ? func->u.attribute.attr : 0;
    uint32_t at = method ? 0 : 1;
    if (last == NAME_OF("gather") || last == NAME_OF("index_select")) {
        table.covered = true;
        table.tensor = method ? func->u.attribute.value : fact_call_arg(call, 0, "input");
        table.dim = whole(module, fact_call_arg(call, at, "dim"), ANY_DIM);
    } else if (last == NAME_OF("take_along_dim")) {
        table.covered = true;
        table.tensor = method ? func->u.attribute.value : fact_call_arg(call, 0, "input");
        table.dim = whole(module, fact_call_arg(call, at + 1, "dim"), ANY_DIM);
    } else if (callee.kind == REF_EXTERNAL && last == NAME_OF("one_hot") &&
               fact_call_arg(call, 0, "input") == index) {
        table.size = fact_call_arg(call, 1, "num_classes");
        table.count = whole(module, table.size, -1);
    } else if (callee.kind == REF_EXTERNAL && last == NAME_OF("embedding")) {
        table.tensor = fact_call_arg(call, 1, "weight");
        table.dim = 0;
        table.covered = is_named(callee, REF_EXTERNAL, "torch.nn.functional.embedding");
    } else if (is_named(callee, REF_EXTERNAL, "torch.nn.functional.cross_entropy") ||
               is_named(callee, REF_EXTERNAL, "torch.nn.functional.nll_loss") ||
               is_named(callee, REF_EXTERNAL_INSTANCE, "torch.nn.CrossEntropyLoss") ||
               is_named(callee, REF_EXTERNAL_INSTANCE, "torch.nn.NLLLoss")) {
        table.covered = true;
    } else if (is_named(callee, REF_EXTERNAL_INSTANCE, "torch.nn.Embedding")) {
        AttrInfo *attr = built_once(module, func);
        Node *built = attr ? vec_at(&attr->values, 0) : NULL;
        table.module = attr ? func : NULL;
        table.covered = true;
        if (node_is(built, NODE_CALL))
            table.count = whole(module, fact_call_arg(built, 0, "num_embeddings"), -1);
    }
    return table;
}

static Table table_of(Module *module, Node *node, const Node *index) {
    if (node_is(node, NODE_CALL))
        return table_of_call(module, node, index);
    if (node_is(node, NODE_SUBSCRIPT) && !node_is(index, NODE_TUPLE))
        return (Table){.tensor = node->u.subscript.value, .count = -1};
    return (Table){.dim = ANY_DIM, .count = -1};
}

// n and n, x.shape[1] and x.shape[1]; in one statement self.classes and self.classes.
static bool is_same_size(Module *module, const Node *a, const Node *b) {
    if (!str_eq(node_text(module->unit->tree, a), node_text(module->unit->tree, b)))
        return false;
    if (node_dotted((Node *)a))
        return is_fixed_name(a) || node_statement((Node *)a) == node_statement((Node *)b);
    const Node *shape = node_is(a, NODE_SUBSCRIPT) ? a->u.subscript.value : NULL;
    return node_is(shape, NODE_ATTRIBUTE) && shape->u.attribute.attr == NAME_OF("shape") &&
           is_fixed_name(shape->u.attribute.value) && whole(module, a->u.subscript.index, ANY_DIM) != ANY_DIM;
}

// len(x), x.shape[0], x.size(0), self.emb.num_embeddings, the number of classes itself, or a number that is no larger.
static bool is_size(Module *module, Node *size, const Table *table, long less) {
    long number = whole(module, size, -1);
    if (number >= 0)
        return number > 0 && number - less < table->count;
    if (table->size && is_same_size(module, size, table->size))
        return true;
    if (node_is(size, NODE_ATTRIBUTE))
        return table->module && size->u.attribute.attr == NAME_OF("num_embeddings") &&
               node_dotted(size->u.attribute.value) &&
               node_dotted(size->u.attribute.value) == node_dotted(table->module) &&
               is_fixed_name(root_name(size));
    if (node_is(size, NODE_SUBSCRIPT)) {
        const Node *shape = size->u.subscript.value;
        return node_is(shape, NODE_ATTRIBUTE) && shape->u.attribute.attr == NAME_OF("shape") &&
               table->dim != ANY_DIM && is_same(shape->u.attribute.value, table->tensor) &&
               whole(module, size->u.subscript.index, ANY_DIM) == table->dim;
    }
    if (!node_is(size, NODE_CALL) || size->u.call.args.len != 1)
        return false;
    const Node *func = size->u.call.func;
    if (is_named(resolve_expr(module, size->u.call.func), REF_BUILTIN, "len"))
        return table->dim == 0 && is_same(size->u.call.args.items[0], table->tensor);
    return node_is(func, NODE_ATTRIBUTE) && func->u.attribute.attr == NAME_OF("size") &&
           table->dim != ANY_DIM && is_same(func->u.attribute.value, table->tensor) &&
           whole(module, size->u.call.args.items[0], ANY_DIM) == table->dim;
}

// ---------------------------------------------------------------- the index

static bool is_last(Module *module, Node *top, const Table *table) {
    if (node_is(top, NODE_BIN_OP))
        return top->u.binary.op == OP_SUB && whole(module, top->u.binary.right, 0) > 0 &&
               is_size(module, top->u.binary.left, table, 1);
    return node_is(top, NODE_CONSTANT) && whole(module, top, -1) >= 0 &&
           whole(module, top, -1) < table->count;
}

static bool is_clamped(Module *module, Node *call, bool method, const Table *table) {
    Node *low = fact_call_arg(call, method ? 0 : 1, "min"),
         *high = fact_call_arg(call, method ? 1 : 2, "max");
    return low && high && whole(module, low, -1) >= 0 && is_last(module, high, table);
}

// x.argmax(1), x.argsort(1), x.topk(k, 1)[1]: places along a dimension of x, if the look-up is along it too.
static bool is_place(Module *module, Node *call, Name name, bool method, bool second, const Table *table) {
    static const char *const single[] = {"argmax", "argmin", "argsort"};
    static const char *const pairs[] = {"sort", "max", "min", "median", "mode", "cummax", "cummin"};
    static const char *const counted[] = {"topk", "kthvalue"};
    Str text = name_str(name);
    bool one = AMONG(text, single), pair = AMONG(text, pairs), many = AMONG(text, counted);
    if (second ? !pair && !many : !one)
        return false;
    Node *tensor = method ? call->u.call.func->u.attribute.value : fact_call_arg(call, 0, "input");
    Node *dim = fact_call_arg(call, (method ? 0u : 1u) + (many ? 1u : 0u), "dim");
    bool by_last = many || str_eq(text, STR("argsort")) || str_eq(text, STR("sort"));
    long at = dim ? whole(module, dim, ANY_DIM) : by_last ? -1 : ANY_DIM;
    return at != ANY_DIM && at == table->dim && is_same(tensor, table->tensor);
}

static bool fits(Module *module, Node *index, bool second, const Table *table, int depth);

static bool call_fits(Module *module, Node *call, bool second, const Table *table, int depth) {
    static const char *const keeping[] = {"repeat",    "unsqueeze", "squeeze",    "view",  "reshape",
                                          "flatten",   "expand",    "contiguous", "clone", "detach",
                                          "transpose", "t",         "permute"};
    static const char *const clamps[] = {"clamp", "clip"};
    Node *func = call->u.call.func;
    Ref callee = resolve_expr(module, func);
    bool method = callee.kind == REF_NONE && node_is(func, NODE_ATTRIBUTE);
    if (!method && !(callee.kind == REF_EXTERNAL && str_starts(name_str(callee.name), STR("torch."))))
        return false;
    Name name = method ? func->u.attribute.attr : last_part(callee.name);
    if (is_place(module, call, name, method, second, table))
        return true;
    if (second)
        return false;
    if (AMONG(name_str(name), clamps))
        return is_clamped(module, call, method, table);
    if (name == NAME_OF("remainder"))
        return is_size(module, fact_call_arg(call, method ? 0 : 1, "other"), table, 1);
    return method && AMONG(name_str(name), keeping) &&
           fits(module, func->u.attribute.value, false, table, depth);
}

// Whose shape it is that counts: t.resize_(2) between the index and the look-up.
static bool table_may_change(Module *module, Node *after, const Table *table) {
    Node *name = root_name(table->tensor ? table->tensor : table->size);
    return name && !kinds_only(fact_value(module, name).kinds, KIND_NUMBER | KIND_MODULE) &&
           may_change_after(module, after, name);
}

// names, at = x.topk(3): what the name is bound to.
static bool binding_fits(Module *module, Node *binding, const Table *table, int depth) {
    Node *holder = binding->parent;
    bool second = node_is(holder, NODE_TUPLE) && holder->u.items.items.len == 2 &&
                  holder->u.items.items.items[1] == binding;
    Node *assign = second ? holder->parent : holder;
    if (!node_is(binding, NODE_NAME) || !node_is(assign, NODE_ASSIGN))
        return false;
    Node *value = assign->u.assign.value;
    if (node_is(value, NODE_CONSTANT) && value->u.constant.kind == CONST_NONE)
        return true; // no index
    return !may_change_after(module, assign, binding) && !table_may_change(module, assign, table) &&
           fits(module, value, second, table, depth);
}

static bool name_fits(Module *module, Node *name, const Table *table, int depth) {
    const Symbol *symbol = name->u.name.symbol;
    if (!is_local(symbol) || symbol->bindings.len > MAX_FITS_BINDINGS)
        return false;
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        if (!binding_fits(module, symbol->bindings.items[i], table, depth))
            return false;
    return symbol->bindings.len > 0;
}

static bool fits(Module *module, Node *index, bool second, const Table *table, int depth) {
    if (!index || depth++ > MAX_FITS_DEPTH || index->flags & NODE_NEW)
        return false;
    switch ((NodeKind)index->kind) {
    case NODE_NAME:
        return !second && name_fits(module, index, table, depth);
    case NODE_CALL:
        return call_fits(module, index, second, table, depth);
    case NODE_BIN_OP:
        return !second && index->u.binary.op == OP_MOD && is_size(module, index->u.binary.right, table, 1);
    case NODE_SUBSCRIPT: // x.topk(3)[1]
        return !second && whole(module, index->u.subscript.index, -1) == 1 &&
               fits(module, index->u.subscript.value, true, table, depth);
    case NODE_ATTRIBUTE:
        return !second && index->u.attribute.attr == NAME_OF("indices") &&
               fits(module, index->u.attribute.value, true, table, depth);
    default:
        return false;
    }
}

bool index_fits(Module *module, Node *node, Node *index) {
    Table table = table_of(module, node, index);
    if (!table.tensor && !table.size && !table.module)
        return false;
    return fits(module, index, false, &table, 0);
}

bool lookup_is_covered(Module *module, Node *node, Node *index) {
    return node_is(node, NODE_CALL) && table_of_call(module, node, index).covered;
}
