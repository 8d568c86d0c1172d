// `graphmend dump --facts`: one line for each name that is assigned and each test in compiled code.
//
//     12:8   name   scores          tensor conf 3
//     14:4   test   scores.any()    data
#include "analysis/facts_internal.h"

static const char *const kind_names[] = {"tensor", "module",      "bool",    "int",      "float", "str",
                                         "none",   "sequence",    "dict",    "callable", "dtype", "device",
                                         "object", "scalar-read", "ndarray", "other"};

static void put_kinds(Buf *out, uint32_t kinds) {
    if (kinds == KIND_ANY) {
        buf_cstr(out, "any");
        return;
    }
    if (kinds == KIND_STATIC) {
        buf_cstr(out, "static");
        return;
    }
    bool first = true;
    for (uint32_t bit = 0; bit < sizeof kind_names / sizeof *kind_names; bit++)
        if (kinds & (1u << bit)) {
            buf_printf(out, "%s%s", first ? "" : "|", kind_names[bit]);
            first = false;
        }
}

static void put_place(Module *module, const Node *node, const char *what, Buf *out) {
    Place place = source_place(&module->unit->tree->source, node->start);
    Str text = node_text(module->unit->tree, node);
    size_t len = 0;
    while (len < text.len && len < 60 && text.ptr[len] != '\n')
        len++;
    buf_printf(out, "%u:%u\t%s\t%.*s\t", place.line, place.column, what, (int)len, text.ptr);
}

static void put_fact(Module *module, Node *node, const char *what, Buf *out) {
    put_place(module, node, what, out);
    Fact fact = fact_of(module, node);
    put_kinds(out, fact.kinds);
    if (fact.element && fact.element != KIND_ANY) {
        buf_cstr(out, " of ");
        put_kinds(out, fact.element);
    }
    buf_printf(out, " conf %d\n", fact.confidence);
}

static void put_test(Module *module, Node *test, Buf *out) {
    static const char *const words[] = {"static", "data", "unknown"};
    put_place(module, test, "test", out);
    buf_printf(out, "%s\n", words[predicate_of(module, test)]);
}

static void dump_node(Module *module, Node *node, Buf *out, int depth) {
    if (depth > 300)
        return;
    if (node->kind == NODE_IF || node->kind == NODE_WHILE)
        put_test(module, node->u.branch.test, out);
    else if (node->kind == NODE_IF_EXP)
        put_test(module, node->u.if_exp.test, out);
    else if (node->kind == NODE_ASSERT)
        put_test(module, node->u.assert_.test, out);
    else if (node->kind == NODE_ASSIGN && node->u.assign.value)
        put_fact(module, node->u.assign.value, "value", out);
    else if (node->kind == NODE_NAME && !(node->flags & (NODE_STORE | NODE_DEL)) && node->u.name.symbol &&
             node->u.name.symbol->flags & SYM_PARAM)
        put_fact(module, node, "param", out);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        dump_node(module, it.child, out, depth + 1);
}

void dump_facts(Module *module, Buf *out) {
    if (module->unit)
        dump_node(module, module->unit->tree->module, out, 0);
}
