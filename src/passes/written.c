// What surely writes state before a place in a compiled region.
//
// Dynamo writes attributes, lists and dicts back after the graph, some before the deferred checks and some after them
// (runtime/graphmend_runtime.py): what was written before a check that fails could be lost.
//
// In:  an analysed project. Out: for each function the nearest statement that writes before a sure call on some way to it,
// found for all of them at once, breadth first along the calls; for a node in it those before it there come first.
#include "passes/written.h"

static Node *written_in_function(Module *module, Node *node) {
    bool inside = true;
    for (Node *child = node, *up = node->parent; up && inside; child = up, up = up->parent) {
        inside = !node_is(up, NODE_FUNCTION_DEF) && !node_is(up, NODE_LAMBDA);
        if (node_is_stmt(child) && !(child->flags & NODE_NEW) &&
            !(effects_before(module, child) & STATE_WRITES))
            continue;
        for (ChildIter it = ast_children(up); ast_next(&it) && it.child != child;)
            if (node_is_stmt(it.child) && effects_of_stmt(module, it.child) & STATE_WRITES)
                return it.child;
    }
    return NULL;
}

static Writer *writer_of(const Writers *writers, const FuncInfo *function) {
    return map_ptr(&writers->before, map_key_ptr(function));
}

typedef VEC(FuncInfo *) FunctionVec;

static void set_writer(Writers *writers, FunctionVec *queue, FuncInfo *function, Writer *writer) {
    map_put(&writers->before, map_key_ptr(function), (uintptr_t)writer);
    vec_push(queue, function);
}

static bool is_sure(const CallEdge *edge) {
    return edge->certain || edge->by_wrapper;
}

// Writers in the function itself, before its calls.
static void add_direct(Writers *writers, FunctionVec *queue, FuncInfo *caller) {
    for (uint32_t i = 0; caller->reachable && i < caller->calls.len; i++) {
        CallEdge edge = caller->calls.items[i];
        if (!is_sure(&edge) || writer_of(writers, edge.callee))
            continue;
        Node *node = written_in_function(caller->module, edge.call);
        if (!node)
            continue;
        Writer *writer = ARENA_NEW(writers->arena, Writer);
        *writer = (Writer){node, caller->module};
        set_writer(writers, queue, edge.callee, writer);
    }
}

static void find_writers(Writers *writers, Project *project) {
    FunctionVec queue = {0};
    for (uint32_t m = 0; m < project_module_count(project); m++) {
        const Module *module = project_module(project, m);
        for (uint32_t i = 0; i < module->functions.len; i++)
            add_direct(writers, &queue, module->functions.items[i]);
    }
    for (uint32_t at = 0; at < queue.len; at++) {
        FuncInfo *caller = queue.items[at];
        for (uint32_t i = 0; caller->reachable && i < caller->calls.len; i++) {
            CallEdge edge = caller->calls.items[i];
            if (is_sure(&edge) && !writer_of(writers, edge.callee))
                set_writer(writers, &queue, edge.callee, writer_of(writers, caller));
        }
    }
    vec_free(&queue);
    writers->known = true;
}

Writer written_before(Writers *writers, Module *module, Node *node) {
    Node *here = written_in_function(module, node);
    if (here)
        return (Writer){here, module};
    if (!writers->known)
        find_writers(writers, module->project);
    const Writer *writer = writer_of(writers, function_info(module, node));
    return writer ? *writer : (Writer){0};
}
