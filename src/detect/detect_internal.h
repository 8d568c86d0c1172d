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
    bool told;  // below a test or call whose finding stands for the numbers read in it
} Detector;

// Adds a finding for `node`, showing [start, end). Its status is STATUS_LEFT with reason "not-supported" until a pass
// takes it. Does nothing in code that the region does not reach at run time (boundaries). Returns NULL then.
Finding *detector_add(Detector *detector, const char *code, Node *node, uint32_t start, uint32_t end,
                      Str message);

// Those that give a bool say whether they added something.
void detect_guard(Detector *detector, Node *node); // GM2xx; IF, ASSERT
void detect_branch(Detector *detector,
                   Node *node); // GM1xx; IF, WHILE, IF_EXP, BOOL_OP, UNARY_OP, COMPARE, MATCH, CALL
void detect_output(Detector *detector, Node *node);                         // GM3xx; CALL, IF on isEnabledFor
bool detect_call(Detector *detector, Node *call);                           // GM304, GM6xx
void detect_with(Detector *detector, Node *item);                           // GM606; WITH_ITEM
void detect_data_store(Detector *detector, Node *attribute);                // GM609; ATTRIBUTE
void detect_handler(Detector *detector, Node *handler);                     // GM610; EXCEPT_HANDLER
bool detect_number(Detector *detector, Node *call);                         // GM405, GM505
void detect_index(Detector *detector, Node *subscript);                     // GM405; SUBSCRIPT
bool detect_scalar(Detector *detector, Node *call);                         // GM401 to GM404, GM406
void detect_percent(Detector *detector, Node *node);                        // GM406; BIN_OP
bool detect_shape(Detector *detector, Node *call);                          // GM501, GM503, GM504
void detect_mask(Detector *detector, Node *subscript);                      // GM502; SUBSCRIPT
void detect_filter(Detector *detector, Node *clause);                       // GM105; COMPREHENSION
void detect_comprehension(Detector *detector, Node *node, uint32_t before); // GM407

// ---------------------------------------------------------------- reads.c
bool decides_on_data(Module *module,
                     Node *test);            // its truth needs the values of a tensor that are not read yet
bool reads_here(Module *module, Node *expr); // evaluating it reads a tensor's values
bool asks_for_truth(Module *module, Node *node); // any(t), all(t), x in t, a < t < b: of tensors
bool fact_is_array(Fact fact);                   // a tensor or NumPy array, or None
bool is_array(Module *module, Node *expr);
bool tensor_as_number(Module *module, Node *expr);  // a tensor, where a number is wanted
bool tensor_in_numbers(Module *module, Node *expr); // the same, or a tuple or list that holds one
bool is_builtin_call(Module *module, const Node *node, const char *name);

// `if C: raise ...` (what follows the raise cannot run): a guard, not a branch.
bool is_raising_guard(const Node *node);
bool raises_otherwise(const Node *node); // `if C: ... else: raise ...`
// A test whose truth is asked for here and that stands for itself: not an operand of a bigger test.
bool is_whole_test(const Node *node);

#endif
