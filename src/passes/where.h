// [Where], inside: deciding (where_plan.c) is apart from rewriting (where.c).
#ifndef GM_WHERE_H
#define GM_WHERE_H

#include "passes/rewrite.h"

typedef VEC(Name) NameVec;
typedef VEC(struct Arms) ArmsVec;

// How one `if` on data becomes a selection.
typedef struct WherePlan {
    Finding *finding;
    Node *branch; // IF
    NameVec outs; // names that either arm binds and that are read afterwards, in order of first binding
    NameVec ins;  // names bound in an arm that already have a value before: both arms take them as parameters
    bool returns; // both ways end in a return: the statements after the branch belong to the second arm
    uint32_t
        rest; // how many statements of the suite follow the branch (moved into the second arm when `returns`)
    ArmsVec *made; // gets the functions that are made of the arms
    bool smooth;   // select may differentiate both arms: see arms_are_smooth
} WherePlan;

// Fills the plan, or declines the finding and returns false. Reads the tree only.
bool where_plan(PassContext *context, Finding *finding, WherePlan *plan);
void where_plan_free(WherePlan *plan);
// An expression that may be evaluated although the original would not have: declines the finding otherwise.
bool where_speculates(PassContext *context, Finding *finding, Node *expr);
// Arms that end in the same call (where_call.c). False: nothing was changed, where_plan decides.
bool where_common_call(PassContext *context, Finding *finding);
// A statement whose values select() may differentiate in both arms (see where_smooth.c).
bool where_is_smooth(PassContext *context, const WherePlan *plan);

#endif
