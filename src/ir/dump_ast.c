// dump_ast: the tree as text, one node a line, children indented by two below their parent:
//
//   IF 120:180 +elif
//     COMPARE 123:130 >
//       NAME 123:124 x
//
// After the span come the flags that are set, each with a +, and the kind's own scalars. Tests diff this form; keep it stable.
#include "ir/ir.h"

static void put_name(Buf *out, Name name) {
    buf_char(out, ' ');
    if (name)
        buf_str(out, name_str(name));
    else
        buf_cstr(out, "-");
}

static void put_flags(Buf *out, uint32_t flags) {
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {
        {NODE_PARENS, "parens"}, {NODE_NEW, "new"},     {NODE_DIRTY, "dirty"},
        {NODE_ELIF, "elif"},     {NODE_ASYNC, "async"}, {NODE_OPAQUE, "opaque"},
        {NODE_STORE, "store"},   {NODE_DEL, "del"},     {NODE_EXCEPT_STAR, "star"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (flags & words[i].flag)
            buf_printf(out, " +%s", words[i].word);
}

static const char *const_word(ConstKind kind) {
    static const char *const words[] = {"int",  "float", "imag", "str", "bytes",
                                        "True", "False", "None", "..."};
    return words[kind];
}

static const char *param_word(ParamKind kind) {
    static const char *const words[] = {"posonly", "normal", "*", "kwonly", "**"};
    return words[kind];
}

static void put_scalars(Buf *out, const Node *node) {
    switch (node->kind) {
    case NODE_FUNCTION_DEF:
        put_name(out, node->u.function.name);
        buf_printf(out, " def=%u", node->u.function.def_start);
        break;
    case NODE_CLASS_DEF:
        put_name(out, node->u.cls.name);
        buf_printf(out, " def=%u", node->u.cls.def_start);
        break;
    case NODE_AUG_ASSIGN:
        buf_printf(out, " %s", op_text(node->u.aug.op));
        break;
    case NODE_IMPORT_FROM:
        put_name(out, node->u.from.module);
        buf_printf(out, " level=%u", node->u.from.level);
        break;
    case NODE_EXCEPT_HANDLER:
        put_name(out, node->u.handler.name);
        break;
    case NODE_ALIAS:
        put_name(out, node->u.alias.name);
        put_name(out, node->u.alias.as);
        break;
    case NODE_PARAM:
        put_name(out, node->u.param.name);
        buf_printf(out, " %s name=%u", param_word(node->u.param.kind), node->u.param.name_start);
        break;
    case NODE_NAME:
        put_name(out, node->u.name.name);
        break;
    case NODE_CONSTANT:
        buf_printf(out, " %s", const_word(node->u.constant.kind));
        break;
    case NODE_FORMATTED_VALUE:
        if (node->u.formatted.conversion)
            buf_printf(out, " !%c", node->u.formatted.conversion);
        if (node->u.formatted.debug)
            buf_cstr(out, " =");
        break;
    case NODE_ATTRIBUTE:
        put_name(out, node->u.attribute.attr);
        break;
    case NODE_KEYWORD:
        put_name(out, node->u.keyword.name);
        break;
    case NODE_BIN_OP:
    case NODE_BOOL_OP:
        buf_printf(out, " %s", op_text(node->u.binary.op));
        break;
    case NODE_UNARY_OP:
        buf_printf(out, " %s", op_text(node->u.unary.op));
        break;
    case NODE_COMPARE:
        for (uint32_t i = 0; i < node->u.compare.comparators.len; i++)
            buf_printf(out, "%s%s", i ? "," : " ", op_text(node->u.compare.ops[i]));
        break;
    case NODE_TEXT:
        buf_char(out, ' ');
        for (size_t i = 0; i < node->u.text.text.len; i++) {
            char c = node->u.text.text.ptr[i];
            if (c == '\n')
                buf_cstr(out, "\\n");
            else
                buf_char(out, c);
        }
        break;
    default:
        break;
    }
}

// Recursion is bounded by AST_MAX_DEPTH.
static void dump(Buf *out, Node *node, uint32_t depth) {
    buf_repeat(out, ' ', 2 * (size_t)depth);
    buf_printf(out, "%s %u:%u", node_kind_name((NodeKind)node->kind), node->start, node->end);
    put_flags(out, node->flags);
    put_scalars(out, node);
    buf_char(out, '\n');
    for (ChildIter it = ast_children(node); ast_next(&it);)
        dump(out, it.child, depth + 1);
}

void dump_ast(SyntaxTree *tree, Buf *out) {
    dump(out, tree->module, 0);
}
