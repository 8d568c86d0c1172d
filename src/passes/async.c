// The paper's [Trap] (arXiv 2509.16248): the check is an operator in the graph, torch._assert_async, whose text carries an
// id; a handler around the compiled function finds the id in the RuntimeError and raises the exception that belongs to it.
//     _graphmend.register("pkg.mod:120", lambda: ValueError("bad scores"))          at the module's top
//     _graphmend.assert_async(torch.isfinite(x).all(), "pkg.mod:120", lambda: ValueError("bad scores"))
//     @_graphmend.translating(torch.compile)         _graphmend.translate(torch.compile(model))
// Only exceptions without run-time values can be written so, and only in a module that compiles something itself: elsewhere
// the exact form is used. runtime/graphmend_runtime.py says what is lost against it.
#include "passes/async.h"

#include <stdlib.h>

#include "analysis/runtime_calls.h"
#include "rules/rules.h"

typedef VEC(Node *) NodeVec;

static bool is_compile(Module *module, Node *func) {
    Ref ref = resolve_expr(module, func);
    return ref.kind == REF_EXTERNAL && is_compile_function(ref.name);
}

static bool is_decorator(const Node *node) {
    const Node *def = node->parent;
    NodeList decorators = {0};
    if (node_is(def, NODE_FUNCTION_DEF))
        decorators = def->u.function.decorators;
    else if (node_is(def, NODE_CLASS_DEF))
        decorators = def->u.cls.decorators;
    for (uint32_t i = 0; i < decorators.len; i++)
        if (decorators.items[i] == node)
            return true;
    return false;
}

// torch.compile(f, ...), or @torch.compile / @torch.compile(...): what the handler goes around.
static bool is_site(Module *module, Node *node) {
    if (is_decorator(node))
        return is_compile(module, node_is(node, NODE_CALL) ? node->u.call.func : node);
    if (!node_is(node, NODE_CALL) || node->u.call.args.len == 0 ||
        node_is(node->u.call.args.items[0], NODE_KEYWORD))
        return false;
    return is_compile(module, node->u.call.func);
}

static void find_sites(Module *module, Node *node, NodeVec *sites, int depth) {
    bool wrapped = node_is(node, NODE_CALL) && is_runtime_call(module, node); // by an earlier run
    if (depth > NODE_DEPTH_MAX || (node->flags & NODE_NEW) || wrapped)
        return;
    if (node_is_expr(node) && is_site(module, node)) {
        vec_push(sites, node);
        return;
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        find_sites(module, it.child, sites, depth + 1);
}

void async_find_sites(PassContext *context) {
    NodeVec sites = {0};
    find_sites(context->module, context->module->unit->tree->module, &sites, 0);
    context->compile_sites = ast_list(context->module->unit->arena, sites.len, sites.items);
    vec_free(&sites);
}

static bool starts_its_line(PassContext *context, const Node *node) {
    const Source *source = &context->module->unit->tree->source;
    return source_line_start(source, node->start) + source_indent(source, node->start).len == node->start;
}

Node *async_check(PassContext *context, Node *holds, const Node *guard, Node *exception) {
    if (context->compile_sites.len == 0 || (exception->flags & (NODE_NEW | NODE_DIRTY)))
        return NULL;
    Arena *arena = context->module->unit->arena;
    Place place = source_place(&context->module->unit->tree->source, guard->start);
    Str id = str_format(arena, "\"%.*s:%u\"", STR_ARG(name_str(context->module->name)), place.line);
    if (place.column > 1 && !starts_its_line(context, guard)) // another guard may stand before it
        id = str_format(arena, "\"%.*s:%u:%u\"", STR_ARG(name_str(context->module->name)), place.line,
                        place.column);
    Node *copy = ast_text(arena, node_text(context->module->unit->tree, exception));
    Node *registered[] = {ast_text(arena, id), thunk(context, copy)};
    VEC(Node *) all = {0}; // guards come last to first
    vec_push(&all, ast_expr_stmt(arena, runtime_call(context, "register", 2, registered)));
    for (uint32_t i = 0; i < context->registrations.len; i++)
        vec_push(&all, context->registrations.items[i]);
    context->registrations = ast_list(arena, all.len, all.items);
    vec_free(&all);
    Node *args[] = {holds, ast_text(arena, id), thunk(context, exception)};
    return runtime_call(context, "assert_async", 3, args);
}

void async_wrap_sites(PassContext *context) {
    for (uint32_t i = 0; i < context->compile_sites.len; i++) {
        Node *site = context->compile_sites.items[i];
        ast_replace(site, runtime_call(context, is_decorator(site) ? "translating" : "translate", 1, &site));
    }
}
