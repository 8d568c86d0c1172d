// What deferred checks of both forms share (trap.c, need.c).
#ifndef GM_TRAP_H
#define GM_TRAP_H

#include "passes/rewrite.h"

// How the check is made. by_place: the runtime sees to it that nothing after it fails first.
typedef struct Form {
    FindingStatus status;
    bool by_place;
} Form;

// Whether the finding's statement may raise when the region ends instead of where it stands; else the reason is on the
// finding. raised: the exception, or a statement of which more is not known; NULL for an assert. untaken: a branch that the
// check takes the place of, or NULL.
bool trap_is_legal(PassContext *context, Finding *finding, Node *test, Node *raised, Node *untaken,
                   Form *form);
typedef VEC(Node *) NodeVec;
// unsafe=True, places=True
void trap_add_options(PassContext *context, Form form, NodeVec *args);

// need.c. Looks, while the module is as it was, for branches of this form; what [Where] then leaves of them is rewritten.
void need_find(PassContext *context);

#endif
