// What writes state before a place in a compiled region: for Trap.
#ifndef GM_WRITTEN_H
#define GM_WRITTEN_H

#include "passes/passes.h"

enum { STATE_WRITES = EFFECT_WRITES_ATTR | EFFECT_WRITES_GLOBAL | EFFECT_WRITES_ITEM_SURE };

// A statement that surely runs earlier in the region, in the node's function or in a caller that surely calls it, however far
// up. node NULL: none.
Writer written_before(Writers *writers, Module *module, Node *node);

#endif
