// The call graph as text that tests diff, or as a graph for dot.
//
//     model:Net.forward entry reachable
//       12:16 model:Net.helper
//       13:9 model:Base.scale maybe
//       unknown calls
//
// Functions in the order of their modules and source; calls in source order.

#include <stdlib.h>

#include "project/internal.h"

static void put_function(const FuncInfo *func, Buf *out) {
    buf_printf(out, "%.*s:%.*s", STR_ARG(name_str(func->module->name)), STR_ARG(name_str(func->name)));
}

static int by_place(const void *a, const void *b) {
    const CallEdge *x = a, *y = b;
    if (x->call->start != y->call->start)
        return x->call->start < y->call->start ? -1 : 1;
    if (x->callee->module != y->callee->module)
        return str_cmp(name_str(x->callee->module->name), name_str(y->callee->module->name));
    return str_cmp(name_str(x->callee->name), name_str(y->callee->name));
}

static void put_calls(FuncInfo *func, Buf *out) {
    if (func->calls.len == 0)
        return;
    size_t size = func->calls.len * sizeof(CallEdge);
    CallEdge *sorted = heap_alloc(func->calls.len, sizeof *sorted);
    memcpy(sorted, func->calls.items, size);
    qsort(sorted, func->calls.len, sizeof *sorted, by_place);
    for (uint32_t i = 0; i < func->calls.len; i++) {
        Place place = source_place(&func->module->unit->tree->source, sorted[i].call->start);
        buf_printf(out, "  %u:%u ", place.line, place.column);
        put_function(sorted[i].callee, out);
        buf_cstr(out, sorted[i].by_wrapper ? " wrapped\n" : sorted[i].certain ? "\n" : " maybe\n");
    }
    free(sorted);
}

static void put_text(FuncInfo *func, Buf *out) {
    put_function(func, out);
    buf_cstr(out, func->is_entry ? " entry" : "");
    buf_cstr(out, func->reachable ? " reachable" : "");
    buf_cstr(out, func->reachable && func->higher_order ? " higher-order" : "");
    buf_cstr(out, func->caught ? " caught\n" : "\n");
    put_calls(func, out);
    if (func->has_unknown_calls)
        buf_cstr(out, "  unknown calls\n");
}

static void put_dot(FuncInfo *func, Buf *out) {
    if (!func->reachable)
        return;
    buf_cstr(out, "  \"");
    put_function(func, out);
    buf_printf(out, "\"%s;\n", func->is_entry ? " [shape=box]" : "");
    for (uint32_t i = 0; i < func->calls.len; i++) {
        buf_cstr(out, "  \"");
        put_function(func, out);
        buf_cstr(out, "\" -> \"");
        put_function(func->calls.items[i].callee, out);
        buf_printf(out, "\"%s;\n", func->calls.items[i].certain ? "" : " [style=dashed]");
    }
}

void dump_calls(Project *project, Buf *out, bool dot) {
    if (dot)
        buf_cstr(out, "digraph calls {\n");
    for (uint32_t i = 0; i < project->modules.len; i++)
        for (uint32_t k = 0; k < project->modules.items[i]->functions.len; k++) {
            FuncInfo *func = project->modules.items[i]->functions.items[k];
            if (dot)
                put_dot(func, out);
            else
                put_text(func, out);
        }
    if (dot)
        buf_cstr(out, "}\n");
}
