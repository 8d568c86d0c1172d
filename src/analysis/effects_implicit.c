// Functions of the project that run without being called by name: what a class defines for operators, subscripts, attribute
// reads, tests and builtins, and functions that are handed to sorted() or reduce() to be called back.
//
//     A + 1        A.__add__        A["k"]       A.__getitem__      A.device     a property, or A.__getattr__
//     len(A)       A.__len__        if A: ...    A.__bool__         sorted(x, key=f)
//
// Input: a node. Output: what the function does, its parameters taken back to the operands. Only of objects whose class is
// known to be the project's: what may be anything is taken for a tensor, or a plain value.
#include "analysis/effects_internal.h"

enum { MAX_CLASSES = 8, MAX_OVERRIDES = 64 };

// ---------------------------------------------------------------- the classes of an object

// The project's classes that it may be an instance of.
static uint32_t classes_of(Module *module, Node *object, Ref *into) {
    const uint32_t plain = KIND_TENSOR | KIND_NUMBER | KIND_STR | KIND_NONE | KIND_SCALAR_READ | KIND_DTYPE |
                           KIND_DEVICE | KIND_NDARRAY;
    if (!object || object->flags & NODE_NEW || node_is(object, NODE_CONSTANT))
        return 0;
    Fact fact = fact_value(module, object);
    if (fact.ref.kind == REF_INSTANCE) {
        into[0] = fact.ref;
        return 1;
    }
    if (kinds_only(fact.kinds, plain))
        return 0;
    bool complete;
    uint32_t count = resolve_candidates(module, object, into, MAX_CLASSES, &complete), kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (into[i].kind == REF_INSTANCE)
            into[kept++] = into[i];
    return kept;
}

// ---------------------------------------------------------------- what a method does

// It gets the object as its first parameter, and `other`, if anything, as those that follow.
static void add_run(Module *module, FuncInfo *func, Node *object, Node *other, Summary *into) {
    Summary callee = summary_of_function(func);
    uint32_t touched = callee.inplace | callee.attrs | callee.items | callee.given;
    into->effects |= callee.effects;
    for (uint32_t i = 0; i < ORIGIN_PARAMS; i++) {
        Node *operand = i ? other : object;
        if (operand && touched & (1u << i))
            summary_add(into, summary_passed(callee, 1u << i,
                                             origin_of(module, operand, LEVEL_SELF) |
                                                 origin_of(module, operand, LEVEL_CONTENTS)));
    }
}

typedef struct Run {
    Module *module;
    Node *object, *other;
    Summary *into;
    int left; // how many more overrides are looked at
} Run;

static void add_overrides(Run *run, const ClassInfo *cls, Name method) {
    for (uint32_t i = 0; i < cls->subclasses.len && run->left; i++) {
        ClassInfo *sub = cls->subclasses.items[i];
        FuncInfo *func = map_ptr(&sub->methods, method);
        if (func)
            add_run(run->module, func, run->object, run->other, run->into);
        run->left -= func != NULL;
        add_overrides(run, sub, method);
    }
}

static void run_method(Module *module, Node *object, Node *other, const char *name, Summary *into) {
    Ref refs[MAX_CLASSES];
    Name method = intern(str_of(name));
    uint32_t count = classes_of(module, object, refs);
    for (uint32_t i = 0; i < count; i++) {
        FuncInfo *func = class_find_method(refs[i].cls, method);
        Run run = {module, object, other, into, MAX_OVERRIDES};
        if (!func)
            continue;
        add_run(module, func, object, other, into);
        if (refs[i].subtypes)
            add_overrides(&run, refs[i].cls, method);
    }
}

static void run_any(Module *module, Node *object, const char *const *names, size_t count, Summary *into) {
    for (size_t i = 0; i < count; i++)
        run_method(module, object, NULL, names[i], into);
}

// ---------------------------------------------------------------- operators

static const struct {
    Op op;
    const char *name, *reflected, *inplace;
} operators[] = {
    {OP_ADD, "__add__", "__radd__", "__iadd__"},
    {OP_SUB, "__sub__", "__rsub__", "__isub__"},
    {OP_MUL, "__mul__", "__rmul__", "__imul__"},
    {OP_MATMUL, "__matmul__", "__rmatmul__", "__imatmul__"},
    {OP_DIV, "__truediv__", "__rtruediv__", "__itruediv__"},
    {OP_FLOORDIV, "__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    {OP_MOD, "__mod__", "__rmod__", "__imod__"},
    {OP_POW, "__pow__", "__rpow__", "__ipow__"},
    {OP_LSHIFT, "__lshift__", "__rlshift__", "__ilshift__"},
    {OP_RSHIFT, "__rshift__", "__rrshift__", "__irshift__"},
    {OP_AND, "__and__", "__rand__", "__iand__"},
    {OP_OR, "__or__", "__ror__", "__ior__"},
    {OP_XOR, "__xor__", "__rxor__", "__ixor__"},
    {OP_EQ, "__eq__", "__eq__", NULL},
    {OP_NE, "__ne__", "__eq__", NULL}, // object.__ne__ asks __eq__
    {OP_LT, "__lt__", "__gt__", NULL},
    {OP_LE, "__le__", "__ge__", NULL},
    {OP_GT, "__gt__", "__lt__", NULL},
    {OP_GE, "__ge__", "__le__", NULL},
};

static void run_operator(Module *module, Op op, Node *left, Node *right, bool inplace, Summary *into) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].op != op)
            continue;
        run_method(module, left, right, operators[i].name, into);
        run_method(module, right, left, operators[i].reflected, into);
        if (inplace && operators[i].inplace)
            run_method(module, left, right, operators[i].inplace, into);
    }
    if (op == OP_NE)
        run_method(module, left, right, "__eq__", into);
}

static void run_compare(Module *module, Node *compare, Summary *into) {
    static const char *const looked_in[] = {"__contains__", "__iter__", "__next__", "__getitem__"};
    Node *left = compare->u.compare.left;
    for (uint32_t i = 0; i < compare->u.compare.comparators.len; i++) {
        Node *right = compare->u.compare.comparators.items[i];
        Op op = compare->u.compare.ops[i];
        if (op == OP_IN || op == OP_NOT_IN)
            run_any(module, right, looked_in, sizeof looked_in / sizeof *looked_in, into);
        else
            run_operator(module, op, left, right, false, into);
        left = right;
    }
}

static void run_test(Module *module, Node *test, Summary *into) {
    static const char *const names[] = {"__bool__", "__len__"};
    run_any(module, test, names, sizeof names / sizeof *names, into);
}

static void run_loop(Module *module, Node *container, Summary *into) {
    static const char *const names[] = {"__iter__", "__next__", "__getitem__", "__len__"};
    run_any(module, container, names, sizeof names / sizeof *names, into);
}

static void run_text(Module *module, Node *object, Summary *into) {
    static const char *const names[] = {"__format__", "__str__", "__repr__"};
    run_any(module, object, names, sizeof names / sizeof *names, into);
}

// ---------------------------------------------------------------- attributes

typedef struct Access {
    Node *object;
    Name attr;
    bool writes;
} Access;

// The functions of that name in a class body that are run by a read (or a write) of the attribute: properties and kin.
static void run_accessors(Module *module, const ClassInfo *cls, const Access *access, Summary *into) {
    for (FuncInfo *func = map_ptr(&cls->last_named, access->attr); func; func = func->earlier) {
        const Node *def = func->function->node;
        bool accessor = false;
        if (!node_is(def, NODE_FUNCTION_DEF)) // a lambda
            continue;
        for (uint32_t k = 0; k < def->u.function.decorators.len; k++) {
            Name name = node_dotted(def->u.function.decorators.items[k]);
            accessor |= name && (str_ends(name_str(name), STR(".setter")) ||
                                 str_ends(name_str(name), STR(".deleter")));
        }
        if (access->writes ? accessor : func_is_property(func))
            add_run(module, func, access->object, NULL, into);
    }
}

// What a property calls that is not known is taken to do no more than its name says: self.device looks at parameters.
static void run_property(Module *module, const ClassInfo *cls, const Access *access, Summary *into) {
    Summary summary = {0};
    run_accessors(module, cls, access, &summary);
    if (!access->writes) {
        summary.effects &= ~(uint32_t)(EFFECT_UNKNOWN | EFFECT_GIVES_AWAY);
        summary.given = 0;
    }
    summary_add(into, summary);
}

// x = Descriptor() in the class body: its __get__ and __set__.
static void run_descriptor(ClassInfo *cls, const Access *access, Summary *into) {
    AttrInfo *info = class_find_attr(cls, access->attr);
    for (uint32_t i = 0; info && i < info->values.len; i++) {
        bool of_class = i >= info->writers.len || !info->writers.items[i];
        Node *value = info->values.items[i];
        Ref made = of_class && value ? resolve_expr(cls->module, value) : (Ref){0};
        FuncInfo *func =
            made.kind == REF_INSTANCE
                ? class_find_method(made.cls, access->writes ? NAME_OF("__set__") : NAME_OF("__get__"))
                : NULL;
        if (func) // the descriptor itself, its first parameter, outlives the call
            into->effects |= summary_effects(summary_of_function(func));
    }
}

// A module's parameters and layers are no attributes to Python: it asks __getattr__ for them.
static bool misses(ClassInfo *cls, Name attr) {
    return !class_find_method(cls, attr) && attr != NAME_OF("__class__") &&
           (class_is_nn_module(cls) || !class_find_attr(cls, attr));
}

static void run_access(Module *module, const Access *access, Summary *into) {
    Ref refs[MAX_CLASSES];
    uint32_t count = classes_of(module, access->object, refs);
    for (uint32_t i = 0; i < count; i++) {
        ClassInfo *cls = refs[i].cls;
        FuncInfo *method = class_find_method(cls, access->attr);
        Run run = {module, access->object, NULL, into, MAX_OVERRIDES};
        if (method && method->cls)
            run_property(module, method->cls, access, into);
        else
            run_descriptor(cls, access, into);
        if (method && refs[i].subtypes && func_is_property(method) && !access->writes)
            add_overrides(&run, cls, access->attr);
        Summary any = {0}; // whether there is such an attribute is asked elsewhere
        run_method(module, access->object, NULL, access->writes ? "__setattr__" : "__getattribute__", &any);
        any.effects &= ~(uint32_t)EFFECT_MAY_RAISE;
        summary_add(into, any);
        if (!access->writes && misses(cls, access->attr))
            run_method(module, access->object, NULL, "__getattr__", into);
    }
}

static void run_attribute(Module *module, Node *attribute, Summary *into) {
    Access access = {attribute->u.attribute.value, attribute->u.attribute.attr,
                     attribute->flags & (NODE_STORE | NODE_DEL)};
    run_access(module, &access, into);
    access.writes = false;
    if (node_is(attribute->parent, NODE_AUG_ASSIGN))
        run_access(module, &access, into);
}

// ---------------------------------------------------------------- by kind of node

// What the node goes through from first to last, or NULL.
static Node *iterated(const Node *node) {
    return node_is(node, NODE_FOR)             ? node->u.loop.iter
           : node_is(node, NODE_COMPREHENSION) ? node->u.comprehension.iter
           : node_is(node, NODE_STARRED)       ? node->u.value.value
                                               : NULL;
}

static void run_unary(Module *module, Node *unary, Summary *into) {
    Op op = unary->u.unary.op;
    const char *name = op == OP_INVERT ? "__invert__" : op == OP_UMINUS ? "__neg__" : "__pos__";
    run_method(module, unary->u.unary.operand, NULL, name, into);
}

static void run_subscript(Module *module, Node *subscript, Summary *into) {
    const char *name = subscript->flags & NODE_STORE ? "__setitem__"
                       : subscript->flags & NODE_DEL ? "__delitem__"
                                                     : "__getitem__";
    run_method(module, subscript->u.subscript.value, subscript->u.subscript.index, name, into);
    if (node_is(subscript->parent, NODE_AUG_ASSIGN))
        run_method(module, subscript->u.subscript.value, subscript->u.subscript.index, "__getitem__", into);
}

Summary implicit_effects(Module *module, Node *node) {
    static const char *const managed[] = {"__enter__", "__exit__"};
    Summary summary = {0};
    if (truth_taken(node))
        run_test(module, truth_taken(node), &summary);
    if (iterated(node))
        run_loop(module, iterated(node), &summary);
    switch ((NodeKind)node->kind) {
    case NODE_BIN_OP:
        run_operator(module, node->u.binary.op, node->u.binary.left, node->u.binary.right, false, &summary);
        break;
    case NODE_AUG_ASSIGN:
        run_operator(module, node->u.aug.op, node->u.aug.target, node->u.aug.value, true, &summary);
        break;
    case NODE_COMPARE:
        run_compare(module, node, &summary);
        break;
    case NODE_UNARY_OP:
        if (node->u.unary.op != OP_NOT)
            run_unary(module, node, &summary);
        break;
    case NODE_FORMATTED_VALUE:
        if (!node_enclosing(node, NODE_RAISE)) // the text of what is raised: nothing runs after it
            run_text(module, node->u.formatted.value, &summary);
        break;
    case NODE_SUBSCRIPT:
        run_subscript(module, node, &summary);
        break;
    case NODE_ATTRIBUTE:
        run_attribute(module, node, &summary);
        break;
    case NODE_WITH_ITEM:
        run_any(module, node->u.with_item.context, managed, sizeof managed / sizeof *managed, &summary);
        break;
    default:
        break;
    }
    return summary;
}

// ---------------------------------------------------------------- builtins

// What a builtin may run of its arguments; nothing of isinstance() and kin.
Summary builtin_runs(Module *module, Node *call, Name name) {
    static const char *const silent[] = {"isinstance", "issubclass", "type", "id",
                                         "callable",   "super",      "vars"};
    static const char *const accessing[] = {"getattr", "hasattr", "setattr", "delattr"};
    static const char *const shown[] = {"str", "repr", "format", "ascii", "print"};
    static const char *const numbers[] = {"__int__",   "__float__", "__index__", "__abs__",
                                          "__round__", "__hash__",  "__bool__",  "__len__",
                                          "__lt__",    "__gt__",    "__add__",   "__radd__"};
    Summary summary = {0};
    Str text = name_str(name);
    if (AMONG(text, accessing)) {
        Access access = {fact_call_arg(call, 0, NULL), constant_name(module, fact_call_arg(call, 1, NULL)),
                         name == NAME_OF("setattr") || name == NAME_OF("delattr")};
        run_access(module, &access, &summary);
        return summary;
    }
    for (uint32_t i = 0; i < call->u.call.args.len && !AMONG(text, silent); i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) || node_is(arg, NODE_STARRED))
            continue;
        if (AMONG(text, shown)) {
            run_text(module, arg, &summary);
            continue;
        }
        run_any(module, arg, numbers, sizeof numbers / sizeof *numbers, &summary);
        if (!str_eq(text, STR("len")) && !str_eq(text, STR("bool")))
            run_loop(module, arg, &summary);
    }
    return summary;
}

// ---------------------------------------------------------------- functions that are called back

// What map() does with its function: known of the project's, of classes and of what others provide; a method, seen.append,
// may change what it is taken of.
Summary applied_effects(Module *module, Node *func) {
    Ref ref = resolve_expr(module, func);
    FuncInfo *target = node_is(func, NODE_LAMBDA) ? module_function_at(module, func) : ref.func;
    if (ref.kind == REF_INSTANCE)
        target = class_find_method(ref.cls,
                                   class_is_nn_module(ref.cls) ? NAME_OF("forward") : NAME_OF("__call__"));
    if (target)
        return summary_of(EFFECT_MAY_RAISE | summary_effects(summary_of_function(target)));
    bool writes = (ref.kind == REF_BUILTIN || ref.kind == REF_EXTERNAL) &&
                  (is_io_call(ref.name) || is_logging_function(ref.name));
    if (writes)
        return summary_of(EFFECT_MAY_RAISE | EFFECT_IO);
    if (ref.kind == REF_EXTERNAL && (torch_function_flags(ref.name) & OP_INPLACE ||
                                     operator_writes(ref.name) || is_first_changed(ref.name)))
        return summary_of(EFFECT_MAY_RAISE | EFFECT_INPLACE | EFFECT_INPLACE_SURE);
    Summary summary = layer_effects(module, func);
    summary.effects |= EFFECT_MAY_RAISE;
    if (ref.kind != REF_NONE)
        return summary;
    summary.effects |= EFFECT_UNKNOWN;
    BoundMethod bound = bound_method(module, func);
    if (bound.object)
        summary_add(&summary, writes_to(module, bound.object, EFFECT_WRITES_ITEM));
    return summary;
}

static Node *callback_of(Module *module, Node *call, const Ref *callee) {
    static const struct {
        const char *name;
        uint32_t at;
    } taking[] = {{"functools.reduce", 0},    {"itertools.starmap", 0},   {"itertools.filterfalse", 0},
                  {"itertools.takewhile", 0}, {"itertools.dropwhile", 0}, {"itertools.accumulate", 1},
                  {"itertools.groupby", 1}};
    static const char *const by_key[] = {"sorted", "min", "max"};
    const Node *func = call->u.call.func;
    bool sorts = node_is(func, NODE_ATTRIBUTE) && func->u.attribute.attr == NAME_OF("sort") &&
                 !is_tensor(fact_value(module, func->u.attribute.value));
    if (sorts || (callee->kind == REF_BUILTIN && AMONG(name_str(callee->name), by_key)))
        return fact_call_keyword(call, "key");
    if (callee->kind == REF_BUILTIN && (callee->name == NAME_OF("map") || callee->name == NAME_OF("filter")))
        return fact_call_arg(call, 0, NULL);
    for (size_t i = 0; callee->kind == REF_EXTERNAL && i < sizeof taking / sizeof *taking; i++)
        if (str_eq(name_str(callee->name), str_of(taking[i].name)))
            return fact_call_arg(call, taking[i].at, taking[i].at ? "func" : NULL);
    return NULL;
}

Summary callback_effects(Module *module, Node *call, const Ref *callee) {
    Node *callback = callback_of(module, call, callee);
    bool none = !callback || (node_is(callback, NODE_CONSTANT) && callback->u.constant.kind == CONST_NONE);
    return none ? (Summary){0} : applied_effects(module, callback);
}
