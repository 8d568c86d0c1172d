// Text forms of the IR, for people and for tests that diff them. Stable: the order is that of the source, and
// no address, path or hash is printed.
//
// Input: a unit. Output: lines.
//
// dump_symbols, one line a scope (outer before inner, a line's depth says whose child it is), then one a
// name:
//   scope KIND NAME line=N depth=N [generator] [dynamic] [star]
//     NAME CLASS [FLAG...] [bound=LINE,...] [uses=COUNT]
//   KIND: module class function lambda listcomp setcomp dictcomp genexpr typeparams. NAME: "top" for the module.
//   The line of a def or class is that of its keyword.
//   CLASS: local (bound here), free (bound in an outer function), nonlocal (the same, declared), global (declared),
//   module (found in the module), builtin (bound nowhere). FLAG: param cell import used deleted annotated.
//   Bindings and uses count all mentions of the real symbol, inner scopes too, and stand where it does.
//
// dump_cfg, one line a block, then one a statement or head in it:
//   function QUALNAME line=N
//     B0 entry -> B3 next, B2 exception          (exit, raise_exit, unreachable)
//       LINE: KIND first line of its text
//   With dot: one graph, a cluster a function.
//
// dump_ir: as dump_cfg, with the function's symbols before the blocks and, behind each statement, the names
// live after it.
#include "ir/ir.h"

enum { TEXT_MAX = 60 }; // bytes of a statement's text that are shown

static uint32_t line_of(const Unit *unit, uint32_t offset) {
    return source_place(&unit->tree->source, offset).line;
}

// Where a lambda or bracketed comprehension itself starts. (A generator's own parentheses count as its
// start.)
static uint32_t inside_parens(const Unit *unit, const Node *node) {
    uint32_t at = node->start;
    if (!(node->flags & NODE_PARENS) || node->kind == NODE_GENERATOR_EXP)
        return at;
    Str text = unit->tree->source.bytes;
    for (bool comment = false; at < node->end; at++) {
        char c = text.ptr[at];
        comment = (comment || c == '#') && c != '\n';
        if (!comment && !strchr("( \t\f\r\n\\", c))
            break;
    }
    return at;
}

static uint32_t node_line(const Unit *unit, const Node *node) {
    if (node_is(node, NODE_FUNCTION_DEF))
        return line_of(unit, node->u.function.def_start);
    if (node_is(node, NODE_CLASS_DEF))
        return line_of(unit, node->u.cls.def_start);
    return line_of(unit, inside_parens(unit, node));
}

// ---------------------------------------------------------------- symbols

static const char *scope_kind_name(const Scope *scope) {
    static const char *const names[] = {"module", "class", "function", "lambda", NULL, "typeparams"};
    if (scope->kind != SCOPE_COMPREHENSION)
        return names[scope->kind];
    switch (scope->owner->kind) {
    case NODE_LIST_COMP:
        return "listcomp";
    case NODE_SET_COMP:
        return "setcomp";
    case NODE_DICT_COMP:
        return "dictcomp";
    default:
        return "genexpr";
    }
}

static Str scope_name(const Scope *scope) {
    switch (scope->owner->kind) {
    case NODE_MODULE:
        return STR("top");
    case NODE_FUNCTION_DEF:
        return name_str(scope->owner->u.function.name);
    case NODE_CLASS_DEF:
        return name_str(scope->owner->u.cls.name);
    case NODE_TYPE_ALIAS:
        return node_is(scope->owner->u.ann.target, NODE_NAME)
                   ? name_str(scope->owner->u.ann.target->u.name.name)
                   : STR("?");
    default:
        return str_of(scope_kind_name(scope));
    }
}

static const char *symbol_class(const Symbol *symbol) {
    if (symbol->flags & SYM_GLOBAL)
        return "global";
    if (symbol->flags & SYM_NONLOCAL)
        return "nonlocal";
    if (symbol->real->flags & SYM_IMPLICIT)
        return "builtin";
    if (symbol->real == symbol)
        return "local";
    return symbol->flags & SYM_FREE ? "free" : "module";
}

static void dump_symbol(const Unit *unit, const Symbol *symbol, Buf *out) {
    static const struct {
        uint32_t flag;
        const char *name;
    } flags[] = {{SYM_PARAM, "param"}, {SYM_CELL, "cell"},       {SYM_IMPORT, "import"},
                 {SYM_USED, "used"},   {SYM_DELETED, "deleted"}, {SYM_ANNOTATED, "annotated"}};
    buf_printf(out, "  %.*s %s", STR_ARG(name_str(symbol->name)), symbol_class(symbol));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (symbol->flags & flags[i].flag)
            buf_printf(out, " %s", flags[i].name);
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        buf_printf(out, "%s%u", i ? "," : " bound=", node_line(unit, symbol->bindings.items[i]));
    if (symbol->uses.len > 0)
        buf_printf(out, " uses=%u", symbol->uses.len);
    buf_char(out, '\n');
}

static void dump_scope(const Unit *unit, const Scope *scope, uint32_t depth, Buf *out) {
    buf_printf(out, "scope %s %.*s line=%u depth=%u%s%s%s\n", scope_kind_name(scope),
               STR_ARG(scope_name(scope)), scope->parent ? node_line(unit, scope->owner) : 0, depth,
               scope->has_yield ? " generator" : "", scope->is_dynamic ? " dynamic" : "",
               scope->has_star_import ? " star" : "");
    for (uint32_t k = 0; k < scope->symbols.len; k++)
        dump_symbol(unit, (const Symbol *)scope->symbols.entries[k].value, out);
}

// Depth first, so that the depth tells a scope's parent.
void dump_symbols(Unit *unit, Buf *out) {
    typedef struct Waiting {
        const Scope *scope;
        uint32_t depth;
    } Waiting;
    VEC(Waiting) stack = {0};
    vec_push(&stack, ((Waiting){unit->scope, 0}));
    while (stack.len > 0) {
        Waiting next = vec_pop(&stack);
        dump_scope(unit, next.scope, next.depth, out);
        for (uint32_t i = next.scope->children.len; i-- > 0;)
            vec_push(&stack, ((Waiting){next.scope->children.items[i], next.depth + 1}));
    }
    vec_free(&stack);
}

// ---------------------------------------------------------------- control flow

static Str first_line(const Unit *unit, const Node *node) {
    if (node->flags & NODE_NEW)
        return STR("(new)");
    Str text = node_text(unit->tree, node);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\n' || text.ptr[i] == '\r')
            text.len = i;
    if (text.len > TEXT_MAX) { // not in the middle of a character
        text.len = TEXT_MAX;
        while (text.len > 0 && ((unsigned char)text.ptr[text.len] & 0xC0) == 0x80)
            text.len--;
    }
    return text;
}

static void dump_node(const Unit *unit, const Node *node, Buf *out) {
    buf_printf(out, "%u: %s %.*s", node_line(unit, node), node_kind_name((NodeKind)node->kind),
               STR_ARG(first_line(unit, node)));
}

static const char *block_role(const Cfg *cfg, const Block *block) {
    if (block == cfg->blocks.items[0])
        return " entry";
    if (block == cfg->exit)
        return block->reachable ? " exit" : " exit unreachable";
    if (block == cfg->raise_exit)
        return block->reachable ? " raise_exit" : " raise_exit unreachable";
    return block->reachable ? "" : " unreachable";
}

static void dump_block_head(const Cfg *cfg, const Block *block, Buf *out) {
    buf_printf(out, "  B%u%s", block->id, block_role(cfg, block));
    for (uint32_t i = 0; i < block->successors.len; i++) {
        const Edge *edge = &block->successors.items[i];
        buf_printf(out, "%s B%u %s", i ? "," : " ->", edge->to->id, edge_kind_name(edge->kind));
    }
    buf_char(out, '\n');
}

static void dump_live(Cfg *cfg, const Node *node, Buf *out) {
    if (!map_get(&cfg->after, map_key_ptr(node), NULL))
        return; // a head
    buf_cstr(out, "  # live:");
    for (Symbol **live = cfg_live_after(cfg, node); *live; live++)
        buf_printf(out, " %.*s", STR_ARG(name_str((*live)->name)));
}

static void dump_blocks(Cfg *cfg, Buf *out, bool live) {
    const Unit *unit = cfg->function->unit;
    for (uint32_t i = 0; i < cfg->blocks.len; i++) {
        const Block *block = cfg->blocks.items[i];
        dump_block_head(cfg, block, out);
        for (uint32_t k = 0; k < block->nodes.len; k++) {
            buf_cstr(out, "    ");
            dump_node(unit, block->nodes.items[k], out);
            if (live)
                dump_live(cfg, block->nodes.items[k], out);
            buf_char(out, '\n');
        }
    }
}

static void dump_function_head(const Function *function, Buf *out) {
    buf_printf(out, "function %.*s line=%u\n", STR_ARG(name_str(function->qualname)),
               node_line(function->unit, function->node));
}

static void dot_text(Buf *out, Str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, text.ptr[i]);
    }
}

static void dump_dot_block(const Cfg *cfg, uint32_t number, const Block *block, Buf *out) {
    const Unit *unit = cfg->function->unit;
    buf_printf(out, "    f%u_b%u [shape=box%s, label=\"B%u%s\\l", number, block->id,
               block->reachable ? "" : ", style=dashed", block->id, block_role(cfg, block));
    for (uint32_t k = 0; k < block->nodes.len; k++) {
        buf_printf(out, "%u: ", node_line(unit, block->nodes.items[k]));
        dot_text(out, first_line(unit, block->nodes.items[k]));
        buf_cstr(out, "\\l");
    }
    buf_cstr(out, "\"];\n");
    for (uint32_t k = 0; k < block->successors.len; k++) {
        const Edge *edge = &block->successors.items[k];
        buf_printf(out, "    f%u_b%u -> f%u_b%u [label=\"%s\"%s];\n", number, block->id, number, edge->to->id,
                   edge_kind_name(edge->kind), edge->kind == EDGE_EXCEPTION ? ", style=dotted" : "");
    }
}

static void dump_dot(Unit *unit, Buf *out) {
    buf_cstr(out, "digraph cfg {\n  node [fontname=monospace];\n");
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        const Cfg *cfg = function_cfg(unit->functions.items[i]);
        buf_printf(out, "  subgraph cluster_%u {\n    label=\"", i);
        dot_text(out, name_str(cfg->function->qualname));
        buf_cstr(out, "\";\n");
        for (uint32_t k = 0; k < cfg->blocks.len; k++)
            dump_dot_block(cfg, i, cfg->blocks.items[k], out);
        buf_cstr(out, "  }\n");
    }
    buf_cstr(out, "}\n");
}

void dump_cfg(Unit *unit, Buf *out, bool dot) {
    if (dot) {
        dump_dot(unit, out);
        return;
    }
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        dump_function_head(unit->functions.items[i], out);
        dump_blocks(function_cfg(unit->functions.items[i]), out, false);
    }
}

void dump_ir(Unit *unit, Buf *out) {
    for (uint32_t i = 0; i < unit->functions.len; i++) {
        const Function *function = unit->functions.items[i];
        dump_function_head(function, out);
        for (uint32_t k = 0; k < function->scope->symbols.len; k++)
            dump_symbol(unit, (const Symbol *)function->scope->symbols.entries[k].value, out);
        dump_blocks(function_cfg(unit->functions.items[i]), out, true);
    }
}
