// What a statement and those before and behind it in its suite do, all together.
//
// Input: a statement. Output: effects, found for all statements of the parent at once, so that a function full of guards is not
// gone through anew for each of them. After a rewrite they may be more than what is there, as rewriting takes effects away
// and adds none: "nothing" is sure, anything else has to be looked for.
#include "analysis/effects_internal.h"

static Siblings of_statement(Module *module, Node *statement, uint32_t aspect) {
    if (child_is_eager(module, statement->parent, statement))
        return (Siblings){0};
    if (aspect == ASPECT_CHANGES)
        return (Siblings){.own = changes_anything(module, statement)};
    return (Siblings){.own = summary_effects(effects_in(module, statement)),
                      .own_quiet = summary_effects(effects_in_quiet(module, statement))};
}

static void compute_siblings(Module *module, Node *parent, uint32_t aspect) {
    VEC(Node *) statements = {0};
    VEC(Siblings) values = {0};
    Siblings sum = {0};
    for (ChildIter it = ast_children(parent); ast_next(&it);) {
        if (!node_is_stmt(it.child))
            continue;
        Siblings own = of_statement(module, it.child, aspect);
        own.before = sum.before;
        vec_push(&statements, it.child);
        vec_push(&values, own);
        sum.before |= own.own;
    }
    for (uint32_t i = statements.len; i-- > 0;) {
        values.items[i].behind = sum.behind;
        values.items[i].behind_quiet = sum.behind_quiet;
        memo_put(module, statements.items[i], aspect, (MemoValue){.siblings = values.items[i]});
        sum.behind |= values.items[i].own;
        sum.behind_quiet |= values.items[i].own_quiet;
    }
    vec_free(&values);
    vec_free(&statements);
}

static Siblings siblings_of(Module *module, Node *statement, uint32_t aspect) {
    MemoValue value;
    if (!memo_get(module, statement, aspect, &value)) {
        compute_siblings(module, statement->parent, aspect);
        memo_get(module, statement, aspect, &value);
    }
    return value.siblings;
}

Siblings effects_around(Module *module, Node *statement) {
    return siblings_of(module, statement, ASPECT_SIBLINGS);
}

Siblings changes_around(Module *module, Node *statement) {
    return siblings_of(module, statement, ASPECT_CHANGES);
}

uint32_t effects_before(Module *module, Node *statement) {
    memo_begin(module);
    return effects_around(module, statement).before;
}
