// The control-flow graph of a function, built on first need.
//
// Input: a function's body as it stands now (passes may have changed it: statement sequences and text count
// as simple statements). Output: blocks of statements and heads of compound statements, with an exception
// edge from each block that may raise. Inside a try or with each statement has a block of its own, so that
// what a handler sees is known to the statement; elsewhere an exception leaves the function and the block may
// be longer. ir.h says what the edges mean.
//
// Reachability needs no second walk: the code is structured, so that when a block is begun every edge into it
// that could make it reachable has been drawn.
#include "ir/flow.h"

typedef enum Jump { JUMP_RETURN = 1, JUMP_BREAK = 2, JUMP_CONTINUE = 4, JUMP_RAISE = 8 } Jump;

// What encloses the statement being built and changes where a jump or exception goes.
typedef enum FrameKind { FRAME_LOOP, FRAME_CATCH, FRAME_FINALLY } FrameKind;
typedef struct Frame Frame;
struct Frame {
    FrameKind kind;
    Frame *outer;
    Block *head; // LOOP: where continue goes
    Block
        *target; // LOOP: where break goes; CATCH: where exceptions go; FINALLY: its body; made on first need
    uint32_t pending; // FINALLY: the Jumps that entered it
};

typedef struct Builder {
    Cfg *cfg;
    Arena *arena;
    Block *at; // the block being filled; NULL behind a jump
    Frame *frames;
} Builder;

const char *edge_kind_name(EdgeKind kind) {
    static const char *const names[] = {"next", "true", "false", "back", "exception", "finally"};
    CHECK((unsigned)kind < sizeof names / sizeof *names);
    return names[kind];
}

// ---------------------------------------------------------------- blocks and edges

static Block *block_new(Builder *b) {
    Block *block = ARENA_NEW(b->arena, Block);
    block->id = b->cfg->blocks.len;
    vec_push(&b->cfg->blocks, block);
    return block;
}

static void connect(Block *from, Block *to, EdgeKind kind) {
    for (uint32_t i = 0; i < from->successors.len; i++)
        if (from->successors.items[i].to == to && from->successors.items[i].kind == kind)
            return;
    vec_push(&from->successors, ((Edge){to, kind}));
    vec_push(&to->predecessors, from);
    to->reachable |= from->reachable;
}

static Block *branch(Builder *b, Block *from, EdgeKind kind) {
    Block *to = block_new(b);
    connect(from, to, kind);
    return to;
}

static Block *target_of(Builder *b, Frame *frame) {
    if (!frame->target)
        frame->target = block_new(b);
    return frame->target;
}

static Frame *exception_frame(Builder *b) {
    Frame *frame = b->frames;
    while (frame && frame->kind == FRAME_LOOP)
        frame = frame->outer;
    return frame;
}

static void connect_exception(Builder *b, Block *from, EdgeKind kind) {
    Frame *frame = exception_frame(b);
    if (frame && frame->kind == FRAME_FINALLY && from->reachable)
        frame->pending |= JUMP_RAISE;
    connect(from, frame ? target_of(b, frame) : b->cfg->raise_exit, kind);
}

// The edge of a jump, from the current frame outwards: the first finally takes it, and passes it on at its
// end.
static void connect_jump(Builder *b, Block *from, Jump jump, bool out_of_finally) {
    if (jump == JUMP_RAISE) {
        connect_exception(b, from, EDGE_FINALLY);
        return;
    }
    EdgeKind kind = out_of_finally ? EDGE_FINALLY : jump == JUMP_CONTINUE ? EDGE_BACK : EDGE_NEXT;
    for (Frame *frame = b->frames; frame; frame = frame->outer) {
        if (frame->kind == FRAME_FINALLY) {
            frame->pending |= from->reachable ? (uint32_t)jump : 0;
            connect(from, target_of(b, frame), EDGE_FINALLY);
            return;
        }
        if (frame->kind == FRAME_LOOP && jump != JUMP_RETURN) {
            connect(from, jump == JUMP_BREAK ? target_of(b, frame) : frame->head, kind);
            return;
        }
    }
    connect(from, b->cfg->exit, kind); // a break outside a loop, which Python refuses, ends here too
}

// A block to write into whose exceptions go where they have to go now.
static Block *fresh_block(Builder *b) {
    if (!b->at)
        b->at = block_new(b);
    else if (b->at->nodes.len > 0 || b->at->successors.len > 0)
        b->at = branch(b, b->at, EDGE_NEXT);
    return b->at;
}

static uint64_t position(const Block *block) {
    return (uint64_t)block->id << 32 | block->nodes.len;
}

static void append(Builder *b, Node *node, bool raises) {
    if (!b->at || exception_frame(b))
        fresh_block(b);
    map_put(&b->cfg->place, map_key_ptr(node), position(b->at));
    vec_push(&b->at->nodes, node);
    if (raises)
        connect_exception(b, b->at, EDGE_EXCEPTION);
}

// Ends a path in *join, which is made on first need.
static void join_into(Builder *b, Block **join) {
    if (!b->at)
        return;
    if (!*join)
        *join = block_new(b);
    connect(b->at, *join, EDGE_NEXT);
}

// ---------------------------------------------------------------- what cannot raise

static bool list_may_raise(NodeList list) {
    for (uint32_t i = 0; i < list.len; i++)
        if (cfg_may_raise(list.items[i]))
            return true;
    return false;
}

static bool name_may_raise(const Node *node) {
    if (node->flags & NODE_STORE)
        return false;
    const Symbol *symbol = node->u.name.symbol;
    return !symbol || !(symbol->flags & SYM_PARAM) || symbol->flags & SYM_DELETED;
}

static bool compare_may_raise(const Node *node) {
    for (uint32_t i = 0; i < node->u.compare.comparators.len; i++)
        if (node->u.compare.ops[i] != OP_IS && node->u.compare.ops[i] != OP_IS_NOT)
            return true;
    return cfg_may_raise(node->u.compare.left) || list_may_raise(node->u.compare.comparators);
}

static bool def_may_raise(const Node *node) {
    const Node *params = node->u.function.params;
    if (node->u.function.decorators.len > 0 || node->u.function.returns ||
        node->u.function.type_params.len > 0)
        return true;
    for (uint32_t i = 0; params && i < params->u.items.items.len; i++) {
        const Node *param = params->u.items.items.items[i];
        if (param->kind == NODE_PARAM && (param->u.param.annotation || param->u.param.default_value))
            return true;
    }
    return false;
}

bool cfg_may_raise(const Node *node) {
    if (!node)
        return false;
    switch (node->kind) {
    case NODE_PASS:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_GLOBAL:
    case NODE_NONLOCAL:
    case NODE_CONSTANT:
        return false;
    case NODE_NAME:
        return name_may_raise(node);
    case NODE_RETURN:
    case NODE_EXPR_STMT:
        return cfg_may_raise(node->u.value.value);
    case NODE_ASSIGN:
        for (uint32_t i = 0; i < node->u.assign.targets.len; i++)
            if (!node_is(node->u.assign.targets.items[i], NODE_NAME))
                return true;
        return cfg_may_raise(node->u.assign.value);
    case NODE_TUPLE:
    case NODE_LIST:
        return node->flags & (NODE_STORE | NODE_DEL) || list_may_raise(node->u.items.items);
    case NODE_COMPARE:
        return compare_may_raise(node);
    case NODE_FUNCTION_DEF:
        return def_may_raise(node);
    default:
        return true;
    }
}

typedef enum Truth { TRUTH_UNKNOWN, TRUTH_TRUE, TRUTH_FALSE } Truth;

static Truth truth_of(Builder *b, const Node *test) {
    if (!node_is(test, NODE_CONSTANT))
        return TRUTH_UNKNOWN;
    switch (test->u.constant.kind) {
    case CONST_TRUE:
        return TRUTH_TRUE;
    case CONST_FALSE:
    case CONST_NONE:
        return TRUTH_FALSE;
    case CONST_INT: {
        if (test->flags & (NODE_NEW | NODE_PARENS))
            return TRUTH_UNKNOWN;
        Str text = node_text(b->cfg->function->unit->tree, test);
        return str_eq(text, STR("1")) ? TRUTH_TRUE : str_eq(text, STR("0")) ? TRUTH_FALSE : TRUTH_UNKNOWN;
    }
    default:
        return TRUTH_UNKNOWN;
    }
}

// Deciding a test calls __bool__, which may raise where merely reading the value may not.
static bool test_may_raise(const Node *test) {
    return !(node_is(test, NODE_CONSTANT) || node_is(test, NODE_COMPARE)) || cfg_may_raise(test);
}

// ---------------------------------------------------------------- statements

static void build_stmt(Builder *b, Node *node);

static void build_list(Builder *b, NodeList list) {
    for (uint32_t i = 0; i < list.len; i++)
        build_stmt(b, list.items[i]);
}

// Appends a test; the two ways out, NULL for one that cannot be taken.
static void build_test(Builder *b, Node *test, Block **when_true, Block **when_false) {
    append(b, test, test_may_raise(test));
    Block *from = b->at;
    Truth truth = truth_of(b, test);
    *when_true = truth == TRUTH_FALSE ? NULL : branch(b, from, EDGE_TRUE);
    *when_false = truth == TRUTH_TRUE ? NULL : branch(b, from, EDGE_FALSE);
}

static void build_if(Builder *b, Node *node) {
    Block *when_true, *when_false, *join = NULL;
    build_test(b, node->u.branch.test, &when_true, &when_false);
    b->at = when_true;
    build_list(b, node->u.branch.body);
    join_into(b, &join);
    b->at = when_false;
    build_list(b, node->u.branch.orelse);
    join_into(b, &join);
    b->at = join;
}

static void build_loop_body(Builder *b, Frame *loop, NodeList body) {
    build_list(b, body);
    if (b->at)
        connect(b->at, loop->head, EDGE_BACK);
    b->frames = loop->outer;
}

static void build_loop_end(Builder *b, Frame *loop, Block *when_done, NodeList orelse) {
    b->at = when_done;
    build_list(b, orelse);
    join_into(b, &loop->target);
    b->at = loop->target;
}

static void build_while(Builder *b, Node *node) {
    Block *when_true, *when_false;
    if (!b->at)
        b->at = block_new(b);
    b->at = branch(b, b->at, EDGE_NEXT);
    Frame loop = {.kind = FRAME_LOOP, .outer = b->frames, .head = b->at};
    build_test(b, node->u.branch.test, &when_true, &when_false);
    b->frames = &loop;
    b->at = when_true;
    build_loop_body(b, &loop, node->u.branch.body);
    build_loop_end(b, &loop, when_false, node->u.branch.orelse);
}

// The target has a block of its own on the way in: where the iterator is empty it stays as it was.
static void build_for(Builder *b, Node *node) {
    append(b, node->u.loop.iter, true);
    Block *head = branch(b, b->at, EDGE_NEXT);
    Frame loop = {.kind = FRAME_LOOP, .outer = b->frames, .head = head};
    connect_exception(b, head, EDGE_EXCEPTION);
    Block *item = branch(b, head, EDGE_TRUE), *when_done = branch(b, head, EDGE_FALSE);
    b->frames = &loop;
    b->at = item;
    append(b, node->u.loop.target, !node_is(node->u.loop.target, NODE_NAME));
    build_loop_body(b, &loop, node->u.loop.body);
    build_loop_end(b, &loop, when_done, node->u.loop.orelse);
}

// An exception in the body enters __exit__, which swallows it or not. The first item's own exceptions are not
// covered.
static void build_with(Builder *b, Node *node) {
    NodeList items = node->u.with.items;
    Frame catch = {.kind = FRAME_CATCH, .outer = b->frames};
    for (uint32_t i = 0; i < items.len; i++) {
        append(b, items.items[i], true);
        b->frames = &catch;
    }
    b->frames = &catch;
    fresh_block(b);
    build_list(b, node->u.with.body);
    b->frames = catch.outer;
    Block *join = NULL;
    join_into(b, &join);
    if (catch.target) {
        connect_exception(b, catch.target, EDGE_EXCEPTION);
        join = join ? join : block_new(b);
        connect(catch.target, join, EDGE_EXCEPTION);
    }
    if (join)
        connect_exception(b, join, EDGE_EXCEPTION); // __exit__ may raise on the normal way too
    b->at = join;
}

// The tests of the handlers one after the other; what matches none goes on outwards.
static void build_handlers(Builder *b, Frame *catch, NodeList handlers, Block **join) {
    Block *test = target_of(b, catch);
    for (uint32_t i = 0; i < handlers.len; i++) {
        Node *handler = handlers.items[i];
        if (!node_is(handler, NODE_EXCEPT_HANDLER) || !test)
            continue;
        Node *type = handler->u.handler.type;
        b->at = test;
        if (type)
            append(b, type, true);
        test = b->at;
        Block *next = type ? branch(b, test, EDGE_FALSE) : NULL;
        b->at = branch(b, test, type ? EDGE_TRUE : EDGE_NEXT);
        append(b, handler, false);
        build_list(b, handler->u.handler.body);
        if (b->at && next && handler->flags & NODE_EXCEPT_STAR)
            connect(b->at, next, EDGE_NEXT);
        join_into(b, join);
        test = next;
    }
    if (test)
        connect_exception(b, test, EDGE_EXCEPTION);
}

static void build_finally(Builder *b, Frame *finally, NodeList body) {
    bool normal = b->at && b->at->reachable;
    if (b->at)
        connect(b->at, target_of(b, finally), EDGE_NEXT);
    b->frames = finally->outer;
    b->at = target_of(b, finally);
    build_list(b, body);
    Block *end = b->at;
    if (!end)
        return;
    for (uint32_t jump = JUMP_RETURN; jump <= JUMP_RAISE; jump <<= 1)
        if (finally->pending & jump)
            connect_jump(b, end, (Jump)jump, true);
    b->at = normal ? branch(b, end, EDGE_NEXT) : NULL;
}

static void build_try(Builder *b, Node *node) {
    Frame finally = {.kind = FRAME_FINALLY, .outer = b->frames};
    if (node->u.try_.finalbody.len > 0)
        b->frames = &finally;
    Frame catch = {.kind = FRAME_CATCH, .outer = b->frames};
    if (node->u.try_.handlers.len > 0)
        b->frames = &catch;
    fresh_block(b);
    build_list(b, node->u.try_.body);
    b->frames = catch.outer;
    Block *join = NULL;
    if (node->u.try_.orelse.len > 0) {
        if (b->at)
            fresh_block(b);
        build_list(b, node->u.try_.orelse);
    }
    join_into(b, &join);
    if (node->u.try_.handlers.len > 0)
        build_handlers(b, &catch, node->u.try_.handlers, &join);
    b->at = join;
    if (node->u.try_.finalbody.len > 0)
        build_finally(b, &finally, node->u.try_.finalbody);
}

// `case _` and `case name`: what comes after cannot be reached.
static bool matches_all(Builder *b, const Node *match_case) {
    const Node *pattern = match_case->u.match_case.pattern;
    if (!pattern || match_case->u.match_case.guard || pattern->flags & NODE_NEW)
        return false;
    while (node_is(pattern, NODE_PATTERN)) {
        NodeList items = pattern->u.pattern.items;
        if (items.len == 0)
            return str_eq(node_text(b->cfg->function->unit->tree, pattern), STR("_"));
        if (items.len > 1 || items.items[0]->start != pattern->start || items.items[0]->end != pattern->end)
            return false;
        pattern = items.items[0];
    }
    return node_is(pattern, NODE_NAME) && pattern->flags & NODE_STORE;
}

static void build_match(Builder *b, Node *node) {
    Block *join = NULL;
    append(b, node->u.match.subject, true);
    Block *decide = b->at;
    for (uint32_t i = 0; i < node->u.match.cases.len && decide; i++) {
        Node *one = node->u.match.cases.items[i];
        if (!node_is(one, NODE_MATCH_CASE))
            continue;
        connect_exception(b, decide, EDGE_EXCEPTION);
        Block *next = matches_all(b, one) ? NULL : branch(b, decide, EDGE_FALSE);
        b->at = branch(b, decide, EDGE_TRUE);
        if (one->u.match_case.pattern)
            append(b, one->u.match_case.pattern, true);
        if (one->u.match_case.guard) {
            append(b, one->u.match_case.guard, true);
            Block *guard = b->at;
            b->at = branch(b, guard, EDGE_TRUE);
            connect(guard, next, EDGE_FALSE);
        }
        build_list(b, one->u.match_case.body);
        join_into(b, &join);
        decide = next;
    }
    b->at = decide;
    join_into(b, &join);
    b->at = join;
}

static void build_jump(Builder *b, Node *node, Jump jump) {
    append(b, node, cfg_may_raise(node));
    map_put(&b->cfg->after, map_key_ptr(node), position(b->at));
    if (jump != JUMP_RAISE)
        connect_jump(b, b->at, jump, false);
    b->at = NULL;
}

static bool build_compound(Builder *b, Node *node) {
    switch (node->kind) {
    case NODE_IF:
        build_if(b, node);
        return true;
    case NODE_WHILE:
        build_while(b, node);
        return true;
    case NODE_FOR:
        build_for(b, node);
        return true;
    case NODE_WITH:
        build_with(b, node);
        return true;
    case NODE_TRY:
        build_try(b, node);
        return true;
    case NODE_MATCH:
        build_match(b, node);
        return true;
    case NODE_STMT_SEQ:
        build_list(b, node->u.items.items);
        return true;
    default:
        return false;
    }
}

static void build_stmt(Builder *b, Node *node) {
    switch (node->kind) {
    case NODE_RETURN:
        build_jump(b, node, JUMP_RETURN);
        return;
    case NODE_RAISE:
        build_jump(b, node, JUMP_RAISE);
        return;
    case NODE_BREAK:
        build_jump(b, node, JUMP_BREAK);
        return;
    case NODE_CONTINUE:
        build_jump(b, node, JUMP_CONTINUE);
        return;
    default:
        break;
    }
    if (!build_compound(b, node))
        append(b, node, cfg_may_raise(node));
    map_put(&b->cfg->after, map_key_ptr(node), b->at ? position(b->at) : CFG_NOWHERE);
}

// ---------------------------------------------------------------- entry points

static void build_function(Builder *b, Node *node) {
    b->at = b->cfg->blocks.items[0];
    if (node->kind == NODE_FUNCTION_DEF)
        build_list(b, node->u.function.body);
    else if (node->u.lambda.body)
        append(b, node->u.lambda.body, cfg_may_raise(node->u.lambda.body));
    if (b->at)
        connect(b->at, b->cfg->exit, EDGE_NEXT);
}

Cfg *function_cfg(Function *function) {
    if (function->cfg)
        return function->cfg;
    Cfg *cfg = ARENA_NEW(function->unit->arena, Cfg);
    Builder b = {.cfg = cfg, .arena = function->unit->arena};
    cfg->function = function;
    block_new(&b)->reachable = true;
    cfg->exit = block_new(&b);
    cfg->raise_exit = block_new(&b);
    build_function(&b, function->node);
    return function->cfg = cfg;
}

void function_changed(Function *function) {
    Cfg *cfg = function->cfg;
    if (!cfg)
        return;
    for (uint32_t i = 0; i < cfg->blocks.len; i++) {
        Block *block = cfg->blocks.items[i];
        vec_free(&block->nodes);
        vec_free(&block->successors);
        vec_free(&block->predecessors);
    }
    vec_free(&cfg->blocks);
    map_free(&cfg->place);
    map_free(&cfg->after);
    flow_free(cfg);
    function->cfg = NULL;
}
