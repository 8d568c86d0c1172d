// [Where], both arms end in the same call and keep state on the way (rotary tables that are computed once, buffers that
// follow the input's device):
//     if n > limit:                                      def _if_true():
//         if not hasattr(self, "long"):                      if not hasattr(self, "long"):
//             self.long = self.init(n)                           long = self.init(n)
//         self.register_buffer("f", self.long)       ->          _graphmend.store(self, "long", long)
//     else:                                                  else:
//         self.short = self.short.to(device)                     long = self.long
//         self.register_buffer("f", self.short)              return long
//                                                        def _if_false(): ...
//                                                        self.register_buffer("f", _graphmend.select(n > limit, ...))
// The call stands once, with the one argument that differs selected. An attribute is written when the region ends, and
// only if its arm is the one that runs (the runtime gates what an arm records): the other arm's state stays as it was.
// Until then code in the region reads the old attribute, so only writes are taken that may be made twice:
//   a memo: `if not hasattr(o, "a"): o.a = init(...)` with init without effects, and no other mention of `a` in the module
//   a device move: `o.a = o.a.to(device)`, and everybody else in the module that reads `a` moves it first
// Everything else is left to where_plan.c, which says why it declines.
#include "passes/where.h"

#include <stdlib.h>

typedef VEC(ClassInfo *) ClassVec;

typedef struct Shape {
    PassContext *context;
    Node *branch;
    Name owner;         // the object whose attributes are written: a parameter
    Node *calls[2];     // the last statements' calls
    uint32_t differing; // which argument
} Shape;

// ---------------------------------------------------------------- small questions

static Str text_of(const Shape *shape, const Node *node) {
    return node_text(shape->context->module->unit->tree, node);
}

static bool is_untouched(const Node *node) {
    return !(node->flags & (NODE_NEW | NODE_DIRTY));
}

static bool same_text(const Shape *shape, const Node *a, const Node *b) {
    return is_untouched(a) && is_untouched(b) && str_eq(text_of(shape, a), text_of(shape, b));
}

// o.a where o is the owner; its attribute in *attr.
static bool is_owned(const Shape *shape, const Node *node, Name *attr) {
    if (!node_is(node, NODE_ATTRIBUTE) || !node_is(node->u.attribute.value, NODE_NAME) ||
        node->u.attribute.value->u.name.name != shape->owner)
        return false;
    *attr = node->u.attribute.attr;
    return true;
}

static NodeList arm_of(const Node *branch, int arm) {
    return arm ? branch->u.branch.orelse : branch->u.branch.body;
}

// The place in an assignment's targets that writes an attribute of the owner: o.a = v, or o.a, _ = v.
static Node *written_place(const Shape *shape, const Node *statement, Name *attr) {
    if (!node_is(statement, NODE_ASSIGN) || statement->u.assign.targets.len != 1)
        return NULL;
    Node *target = statement->u.assign.targets.items[0], *found = NULL;
    if (is_owned(shape, target, attr))
        return target;
    if (!node_is(target, NODE_TUPLE))
        return NULL;
    for (uint32_t i = 0; i < target->u.items.items.len; i++) {
        Node *item = target->u.items.items.items[i];
        if (is_owned(shape, item, attr)) {
            if (found)
                return NULL;
            found = item;
        } else if (!node_is(item, NODE_NAME) || !str_eq(name_str(item->u.name.name), STR("_"))) {
            return NULL;
        }
    }
    return found;
}

// ---------------------------------------------------------------- the common call

static bool find_calls(Shape *shape) {
    for (int arm = 0; arm < 2; arm++) {
        NodeList suite = arm_of(shape->branch, arm);
        Node *last = suite.len ? suite.items[suite.len - 1] : NULL;
        if (!node_is(last, NODE_EXPR_STMT) || !node_is(last->u.value.value, NODE_CALL))
            return false;
        shape->calls[arm] = last->u.value.value;
    }
    Node *one = shape->calls[0], *two = shape->calls[1];
    uint32_t differences = 0;
    if (!same_text(shape, one->u.call.func, two->u.call.func) || one->u.call.args.len != two->u.call.args.len)
        return false;
    for (uint32_t i = 0; i < one->u.call.args.len; i++) {
        Node *a = one->u.call.args.items[i], *b = two->u.call.args.items[i];
        if (node_is(a, NODE_STARRED) || !is_untouched(a) || !is_untouched(b))
            return false;
        if (same_text(shape, a, b))
            continue;
        if (node_is(a, NODE_KEYWORD))
            return false;
        shape->differing = i;
        differences++;
    }
    Node *func = one->u.call.func;
    if (differences != 1 || !node_is(func, NODE_ATTRIBUTE) || !node_is(func->u.attribute.value, NODE_NAME))
        return false;
    const Symbol *symbol = func->u.attribute.value->u.name.symbol;
    shape->owner = func->u.attribute.value->u.name.name;
    return symbol && symbol->flags & SYM_PARAM && symbol->bindings.len == 1;
}

// ---------------------------------------------------------------- who else mentions the attribute

typedef struct Mentions {
    const Shape *shape;
    Name attr;
    bool
        moved_elsewhere_only; // every other read outside constructors follows a move in its own suite, or is one
    bool elsewhere;           // some other read or write
} Mentions;

// o.a = o.a.to(...)
static bool is_move(const Node *statement, Name attr) {
    if (!node_is(statement, NODE_ASSIGN) || statement->u.assign.targets.len != 1)
        return false;
    const Node *target = statement->u.assign.targets.items[0], *value = statement->u.assign.value;
    if (!node_is(target, NODE_ATTRIBUTE) || target->u.attribute.attr != attr || !node_is(value, NODE_CALL) ||
        value->u.call.args.len != 1 || !node_is(value->u.call.func, NODE_ATTRIBUTE) ||
        !str_eq(name_str(value->u.call.func->u.attribute.attr), STR("to")))
        return false;
    const Node *moved = value->u.call.func->u.attribute.value;
    return node_is(moved, NODE_ATTRIBUTE) && moved->u.attribute.attr == attr;
}

static bool follows_move(Node *node, Name attr) {
    Node *statement = node_statement(node);
    if (is_move(statement, attr))
        return true;
    for (ChildIter it = ast_children(statement->parent); ast_next(&it) && it.child != statement;)
        if (is_move(it.child, attr))
            return true;
    return false;
}

static bool in_constructor(const Node *node) {
    const Node *function = node_function(node);
    return node_is(function, NODE_FUNCTION_DEF) &&
           str_eq(name_str(function->u.function.name), STR("__init__"));
}

static void look_for(Mentions *mentions, Node *node, int depth) {
    if (node == mentions->shape->branch)
        return;
    if (depth > NODE_DEPTH_MAX) {
        mentions->elsewhere = true;
        mentions->moved_elsewhere_only = false;
        return;
    }
    Str text;
    SyntaxTree *tree = mentions->shape->context->module->unit->tree;
    bool is_text =
        node_is(node, NODE_CONSTANT) && !(node->flags & NODE_NEW) && node->u.constant.kind == CONST_STR;
    if ((node_is(node, NODE_ATTRIBUTE) && node->u.attribute.attr == mentions->attr) ||
        (is_text && node_string_value(tree, node, tree->arena, &text) &&
         str_eq(text, name_str(mentions->attr)))) {
        mentions->elsewhere = true;
        if (!in_constructor(node))
            mentions->moved_elsewhere_only =
                mentions->moved_elsewhere_only && follows_move(node, mentions->attr);
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        look_for(mentions, it.child, depth + 1);
}

static Mentions mentions_of(const Shape *shape, Name attr) {
    Mentions mentions = {.shape = shape, .attr = attr, .moved_elsewhere_only = true};
    look_for(&mentions, shape->context->module->unit->tree->module, 0);
    return mentions;
}

// ---------------------------------------------------------------- what an initialiser does

// The classes that the owner may be an instance of: the method's own, or, in a decorator's wrapper and what it hands its
// first parameter on to, those of the methods that it wraps. False: not known.
static bool passes_first_parameter(const FuncInfo *caller, const Node *call) {
    const Node *def = caller->function->node;
    if (!node_is(def, NODE_FUNCTION_DEF) || !def->u.function.params->u.items.items.len ||
        !node_is(call, NODE_CALL) || !call->u.call.args.len ||
        !node_is(call->u.call.args.items[0], NODE_NAME))
        return false;
    return call->u.call.args.items[0]->u.name.name ==
           def->u.function.params->u.items.items.items[0]->u.param.name;
}

static uint32_t functions_of_class(ClassInfo *cls, Name name, FuncInfo **into, uint32_t count, uint32_t max) {
    AttrInfo *info = class_find_attr(cls, name);
    if (!info && !class_find_method(cls, name))
        return count; // reading it raises
    if (!info || info->values.len == 0)
        return UINT32_MAX;
    for (uint32_t i = 0; i < info->values.len; i++) {
        Ref refs[16];
        bool complete = false;
        if (!info->values.items[i] || !info->writers.items[i])
            return UINT32_MAX;
        uint32_t found =
            resolve_candidates(info->writers.items[i]->module, info->values.items[i], refs, 16, &complete);
        if (!complete || found == 0)
            return UINT32_MAX;
        for (uint32_t j = 0; j < found; j++) {
            bool known = false;
            if (refs[j].kind != REF_FUNCTION)
                return UINT32_MAX;
            for (uint32_t k = 0; k < count; k++)
                known |= into[k] == refs[j].func;
            if (known)
                continue;
            if (count == max)
                return UINT32_MAX;
            into[count++] = refs[j].func;
        }
    }
    return count;
}

static bool owner_classes(FuncInfo *function, ClassVec *classes, int depth) {
    enum { MAX_CALLER_DEPTH = 4 };
    if (function->cls) {
        vec_push(classes, function->cls);
        return true;
    }
    uint32_t before = classes->len;
    for (uint32_t i = 0; i < function->calls.len; i++) { // a wrapper: the methods it wraps
        CallEdge edge = function->calls.items[i];
        if (!edge.by_wrapper)
            continue;
        if (!edge.callee->cls || !passes_first_parameter(function, edge.call))
            return false;
        vec_push(classes, edge.callee->cls);
    }
    if (classes->len > before || depth == MAX_CALLER_DEPTH)
        return classes->len > before;
    for (uint32_t i = 0; i < function->callers.len; i++) {
        FuncInfo *caller = function->callers.items[i];
        for (uint32_t j = 0; j < caller->calls.len; j++)
            if (caller->calls.items[j].callee == function &&
                !passes_first_parameter(caller, caller->calls.items[j].call))
                return false;
        if (!owner_classes(caller, classes, depth + 1))
            return false;
    }
    return classes->len > before;
}

// o.config: a plain attribute in every class. A missing one raises, which select() catches.
static bool is_plain_attribute(const Shape *shape, Node *node, const ClassVec *classes) {
    Name attr;
    if (!is_owned(shape, node, &attr))
        return false;
    for (uint32_t i = 0; i < classes->len; i++)
        if (class_find_method(classes->items[i], attr) ||
            class_find_method(classes->items[i], NAME_OF("__getattr__")))
            return false;
    return true;
}

// o.init is, in every class, one of some functions of the project that have no effects.
static bool keeps_quiet_functions(Name name, const ClassVec *classes, uint32_t allowed) {
    FuncInfo *functions[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < classes->len && count != UINT32_MAX; i++)
        count = functions_of_class(classes->items[i], name, functions, count, 16);
    for (uint32_t i = 0; count != UINT32_MAX && i < count; i++)
        if (effects_of_function(functions[i]) & ~allowed)
            return false;
    return count != UINT32_MAX && count > 0;
}

// init(...) without effects. It may raise: select() catches what Python raises while tracing. It may break the graph: the
// selection then runs as the branch did.
static bool initialises_quietly(const Shape *shape, Node *value) {
    const uint32_t allowed = EFFECT_MAY_RAISE | EFFECT_WRITES_LOCAL | EFFECT_BREAKS;
    Module *module = shape->context->module;
    ClassVec classes = {0};
    Name attr;
    if (!node_is(value, NODE_CALL) || !is_untouched(value))
        return false;
    bool known = owner_classes(function_info(module, shape->branch), &classes, 0), quiet = true;
    for (uint32_t i = 0; i < value->u.call.args.len && quiet; i++) {
        Node *arg = value->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD))
            arg = arg->u.keyword.value;
        quiet = !node_is(arg, NODE_STARRED) &&
                (expr_is_pure_if_caught(module, arg) || (known && is_plain_attribute(shape, arg, &classes)));
    }
    if (quiet)
        quiet = is_owned(shape, value->u.call.func, &attr)
                    ? known && keeps_quiet_functions(attr, &classes, allowed)
                    : (effects_of_expr(module, value) & ~allowed) == 0;
    vec_free(&classes);
    return quiet;
}

// ---------------------------------------------------------------- legality

static bool is_memo_test(const Shape *shape, Node *test, Name attr) {
    Str text;
    if (!node_is(test, NODE_UNARY_OP) || test->u.unary.op != OP_NOT ||
        !node_is(test->u.unary.operand, NODE_CALL))
        return false;
    Node *call = test->u.unary.operand;
    SyntaxTree *tree = shape->context->module->unit->tree;
    return node_is(call->u.call.func, NODE_NAME) &&
           str_eq(name_str(call->u.call.func->u.name.name), STR("hasattr")) &&
           resolve_expr(shape->context->module, call->u.call.func).kind == REF_BUILTIN &&
           call->u.call.args.len == 2 && node_is(call->u.call.args.items[0], NODE_NAME) &&
           call->u.call.args.items[0]->u.name.name == shape->owner &&
           node_string_value(tree, call->u.call.args.items[1], tree->arena, &text) &&
           str_eq(text, name_str(attr));
}

static bool is_memo(const Shape *shape, const Node *statement) {
    Name attr;
    if (!node_is(statement, NODE_IF) || statement->u.branch.orelse.len || statement->u.branch.body.len != 1)
        return false;
    Node *write = statement->u.branch.body.items[0];
    return written_place(shape, write, &attr) && is_memo_test(shape, statement->u.branch.test, attr) &&
           !mentions_of(shape, attr).elsewhere && initialises_quietly(shape, write->u.assign.value);
}

static bool is_device_move(const Shape *shape, Node *statement) {
    Name attr;
    if (!written_place(shape, statement, &attr) || !is_move(statement, attr))
        return false;
    Node *device = statement->u.assign.value->u.call.args.items[0];
    uint16_t kinds = node_is(device, NODE_KEYWORD) ? KIND_ANY : fact_of(shape->context->module, device).kinds;
    return kinds && !(kinds & ~KIND_DEVICE) && mentions_of(shape, attr).moved_elsewhere_only;
}

static bool arm_is_legal(const Shape *shape, int arm) {
    NodeList suite = arm_of(shape->branch, arm);
    for (uint32_t i = 0; i + 1 < suite.len; i++)
        if (!is_memo(shape, suite.items[i]) && !is_device_move(shape, suite.items[i]))
            return false;
    Name attr;
    Node *differing = shape->calls[arm]->u.call.args.items[shape->differing];
    return is_owned(shape, differing, &attr) || expr_is_pure_if_caught(shape->context->module, differing);
}

// ---------------------------------------------------------------- rewriting

static Node *defer_write(Shape *shape, Name attr, Name local) {
    Arena *arena = shape->context->module->unit->arena;
    Node *args[] = {ast_name(arena, name_str(shape->owner)),
                    ast_text(arena, str_format(arena, "\"%.*s\"", STR_ARG(name_str(attr)))),
                    ast_name(arena, name_str(local))};
    return ast_expr_stmt(arena, runtime_call(shape->context, "store", 3, args));
}

static Node *assign_name(Arena *arena, Name local, Node *value) {
    Node *assign = ast_new(arena, NODE_ASSIGN), *target = ast_name(arena, name_str(local));
    assign->u.assign.targets = ast_list(arena, 1, &target);
    assign->u.assign.value = value;
    return assign;
}

// o.a = v  ->  a = v; _graphmend.store(o, "a", a)
static void write_late(Shape *shape, Node *statement, Name attr, Name local) {
    Arena *arena = shape->context->module->unit->arena;
    Name written;
    ast_replace(written_place(shape, statement, &written), ast_name(arena, name_str(local)));
    Node *pair[] = {statement, defer_write(shape, attr, local)};
    replace_with(shape->context, statement, 2, pair);
}

static Name written_attribute(const Shape *shape, Node *statement) {
    Name attr = 0;
    if (node_is(statement, NODE_IF))
        statement = statement->u.branch.body.items[0];
    written_place(shape, statement, &attr);
    return attr;
}

static void rewrite_statement(Shape *shape, Node *statement, Name attr, Name local) {
    Arena *arena = shape->context->module->unit->arena;
    if (!node_is(statement, NODE_IF)) {
        write_late(shape, statement, attr, local);
        return;
    }
    write_late(shape, statement->u.branch.body.items[0], attr, local);
    Node *known = assign_name(arena, local,
                              ast_attribute(arena, ast_name(arena, name_str(shape->owner)), name_str(attr)));
    Node *fresh = ast_new(arena, NODE_IF);
    fresh->u.branch.test = statement->u.branch.test;
    fresh->u.branch.body = statement->u.branch.body;
    fresh->u.branch.orelse = ast_list(arena, 1, &known);
    ast_replace(statement, fresh);
}

static Node *arm_function(Shape *shape, int arm, Name name) {
    Arena *arena = shape->context->module->unit->arena;
    Node *differing = shape->calls[arm]->u.call.args.items[shape->differing], *value = differing;
    Name attr = 0;
    bool owned = is_owned(shape, differing, &attr);
    uint32_t len = arm_of(shape->branch, arm).len;
    for (uint32_t i = 0; i + 1 < len; i++) {
        Name written = written_attribute(shape, arm_of(shape->branch, arm).items[i]);
        Name local = unit_fresh_name(shape->context->module->unit, name_str(written));
        rewrite_statement(shape, arm_of(shape->branch, arm).items[i], written, local);
        if (owned && written == attr)
            value = ast_name(arena, name_str(local));
    }
    VEC(Node *) body = {0};
    NodeList suite = arm_of(shape->branch, arm);
    for (uint32_t i = 0; i + 1 < suite.len; i++)
        vec_push(&body, suite.items[i]);
    Node *give = ast_new(arena, NODE_RETURN);
    give->u.value.value = value;
    vec_push(&body, give);
    Node *def = ast_new(arena, NODE_FUNCTION_DEF);
    def->u.function.name = name;
    def->u.function.body = ast_list(arena, body.len, body.items);
    vec_free(&body);
    return def;
}

bool where_common_call(PassContext *context, Finding *finding) {
    Shape shape = {.context = context, .branch = finding->node};
    const char *reason = NULL;
    Node *at = NULL;
    bool negated;
    if (!find_calls(&shape) || !arm_is_legal(&shape, 0) || !arm_is_legal(&shape, 1) ||
        !may_defer_here(context, finding))
        return false;
    Node *test = lower_test(context, finding->node->u.branch.test, false, &negated, &reason, &at);
    if (!test)
        return false;
    Unit *unit = context->module->unit;
    Name names[2] = {unit_fresh_name(unit, STR("_if_true")), unit_fresh_name(unit, STR("_if_false"))};
    Node *last = shape.calls[1]->parent, *common = shape.calls[1],
         *replaced = common->u.call.args.items[shape.differing];
    Node *defs[2] = {arm_function(&shape, 0, names[0]), arm_function(&shape, 1, names[1])};
    Node *args[] = {test, ast_name(unit->arena, name_str(names[negated])),
                    ast_name(unit->arena, name_str(names[!negated]))};
    if (replaced->parent == common)
        ast_replace(replaced, runtime_call(context, "select", 3, args));
    Node *statements[] = {defs[0], defs[1], last};
    replace_with(context, finding->node, 3, statements);
    finding_accept(finding, STATUS_GUARDED);
    return true;
}
