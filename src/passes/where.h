// [Where], inside: deciding (where_plan.c, where_check.c) is apart from rewriting (where.c). Shapes with files of their own:
// arms that end in the same call (where_call.c), a loop that a branch leaves (where_loop.c), a test of a random draw
// (where_draw.c).
#ifndef GM_WHERE_H
#define GM_WHERE_H

#include "passes/rewrite.h"

typedef VEC(Name) NameVec;
typedef VEC(struct Arms) ArmsVec;

// What moves into functions: the statements between two places of the source.
typedef struct Moved {
    const Node *function; // whose statements they are
    uint32_t start, end;
} Moved;

// How the runtime may run the arms of a selection (where_cond.c).
typedef struct WhereArms {
    bool taken;           // only the one that is taken may run
    bool random;          // and draws random numbers
    bool costly;          // both may run, but one is enough
    bool too_deep;        // too many selections in each other
    bool stores;          // in place, into values that they are given: into copies
    const NameVec *alone; // names that have what the original gives them only if no others know their values
    Node *recorder;       // what records output, a check or a write; NULL: nothing does
} WhereArms;

// How one `if` on data becomes a selection.
typedef struct WherePlan {
    Finding *finding;
    Node *branch; // IF
    NodeList first,
        second; // what runs where the test holds, and where not: the arms, and what moves into them
    Node *last; // the selection takes the place of the statements from the branch to this one
    Moved moved;
    NameVec outs; // names that either arm binds and that are read afterwards, in order of first binding
    NameVec ins;  // names bound in an arm that already have a value before: both arms take them as parameters
    NameVec stored; // those of ins whose tensors an arm changes in place, which nobody else knows
    Node *store;    // the first place where one does
    NameVec alone;  // those of outs of which name_is_unshared was asked: the runtime looks whether it holds
    bool returns;   // both ways end in a return
    ArmsVec *made;  // gets the functions that are made of the arms
    bool smooth;    // select may differentiate both arms: see arms_are_smooth
    Node
        *taken; // an expression that may run only if its arm is taken (where_cond.c); NULL: both arms may run
    WhereArms arms;
} WherePlan;

// An arm that is looked at (where_check.c).
typedef struct WhereCheck {
    PassContext *context;
    Finding *finding;
    Scope *scope;      // the function's
    NodeList arm;      // that is looked at
    NameVec *assigned; // in it
    int loops;         // loops of the arm around the statement: break and continue belong to them
    int depth;
    Node **taken;    // gets what may run only if its arm is taken; NULL: nothing may be so
    WherePlan *plan; // gets what is stored in place; NULL: nothing may be
} WhereCheck;
WhereCheck where_check_of(PassContext *context, Finding *finding);
bool where_refuse(WhereCheck *check, const char *reason, Node *at); // declines the finding: false
// A whole arm; tail: a return may stand at its end. `assigned` gets the names that it binds.
bool where_check_arm(WhereCheck *check, NodeList suite, bool tail, NameVec *assigned);

// Fills the plan, or declines the finding and returns false. Reads the tree only.
bool where_plan(PassContext *context, Finding *finding, WherePlan *plan);
void where_plan_free(WherePlan *plan);
// An expression that may be evaluated although the original would not have: declines the finding otherwise. With `taken` also
// one that may not, if torch.cond can run its arm alone: *taken is then the first of them.
bool where_speculates(PassContext *context, Finding *finding, Node *expr, Node **taken);
// Statements that may run although the original would not have: the names that they bind go to `assigned`. Declines the
// finding otherwise.
bool where_speculates_suite(PassContext *context, Finding *finding, NodeList suite, NameVec *assigned);
// The function goes on binding each of the names somewhere else than in what moves, if it reads them there, or gets it back as
// one of `outs`. Declines the finding otherwise.
bool where_names_stay(PassContext *context, Finding *finding, Moved moved, const NameVec *assigned,
                      const NameVec *outs);
// What the moved statements bind to the name is not changed in place after `node`. Declines the finding otherwise.
bool where_stays_unchanged(PassContext *context, Finding *finding, Node *node, Moved moved, Name name);
bool where_is_live(const Finding *finding, Name name);
Symbol *where_symbol(PassContext *context, const Finding *finding, Name name);
bool names_has(const NameVec *names, Name name);
void names_add(NameVec *names, Name name);
// Values that select() can never hold as one: a tensor and None, two different constants.
bool where_unlike(Module *module, Node *one, Node *two);
// Where the moved statements give the name a number, a text or None. select() gives those only if both arms give the same.
Node *where_plain_binding(PassContext *context, const Finding *finding, Moved moved, Name name);
// The loop that an arm of the branch leaves by break, or NULL; rewrites it (where_loop.c). All in the loop must have been dealt
// with before.
typedef struct WhereNames {
    Name turn, loop, ends; // the same in all functions of a module; 0: not needed yet
} WhereNames;
Node *where_loop_left(const Finding *finding);
void where_loop(PassContext *context, Finding *finding, WhereNames *names, ArmsVec *made);
// A test that compares a draw of torch.rand with a rate (where_draw.c): accepts the finding, or leaves it as it is.
void where_draw(PassContext *context, Finding *finding);
// Arms that end in the same call (where_call.c). False: nothing was changed, where_plan decides.
bool where_common_call(PassContext *context, Finding *finding);
// An expression that torch.cond may evaluate in the arm that is taken (where_cond.c).
bool where_may_run_taken(PassContext *context, Node *expr);
// A call of the runtime's cond() that was made of a branch further in.
bool where_is_cond(const PassContext *context, const Node *call);
// What is to be known of two arms, suites or single expressions, of which the caller knows whether both may run.
WhereArms where_arms(PassContext *context, NodeList first, NodeList second, bool taken);
// _graphmend.select(args...), select_one() or cond(), with what the runtime is to know of the arms.
Node *where_selection(PassContext *context, WhereArms arms, bool smooth, uint32_t len, Node *const *args);
// A statement whose values select() may differentiate in both arms (see where_smooth.c).
bool where_is_smooth(PassContext *context, const WherePlan *plan);

// Building, in where.c.
Node *where_params(PassContext *context, const NameVec *names);      // NULL: none
Node *where_names_tuple(PassContext *context, const NameVec *names); // a, or (a, b)
// Puts the selection in the place of the plan's statements.
void where_rewrite(PassContext *context, WherePlan *plan, Node *test, bool negated);

#endif
