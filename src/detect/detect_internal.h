// What the detectors of this layer share. One detector a break category; each is asked about every node of compiled code.
#ifndef GM_DETECT_INTERNAL_H
#define GM_DETECT_INTERNAL_H

#include "detect/detect.h"
#include "rules/rules.h"

typedef struct Detector {
    Module *module;
    FuncInfo *function; // whose body holds the node
    FindingList *findings;
    bool quiet; // below output or an exception, whose finding stands for the values read in it
} Detector;

// Adds a finding for `node`, showing [start, end). Its status is STATUS_LEFT with reason "not-supported" until a pass
// takes it. Does nothing in code that the region does not reach at run time (boundaries). Returns NULL then.
Finding *detector_add(Detector *detector, const char *code, Node *node, uint32_t start, uint32_t end, Str message);

void detect_guard(Detector *detector, Node *node);  // GM2xx; IF, ASSERT
void detect_branch(Detector *detector, Node *node); // GM1xx; IF, WHILE, IF_EXP, BOOL_OP
void detect_output(Detector *detector, Node *node); // GM3xx; CALL, IF on isEnabledFor
void detect_scalar(Detector *detector, Node *node); // GM4xx, GM5xx; CALL

// `if C: raise ...` (what follows the raise cannot run): a guard, not a branch.
bool is_raising_guard(const Node *node);
bool raises_otherwise(const Node *node); // `if C: ... else: raise ...`
// A test whose truth is asked for here and that stands for itself: not an operand of a bigger test.
bool is_whole_test(const Node *node);

#endif
