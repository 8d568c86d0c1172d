// The part of the runtime that a file carries when it is embedded.
#ifndef GM_RUNTIME_PART_H
#define GM_RUNTIME_PART_H

#include "ir/ir.h"

// What the public names in `used` (Name -> anything) need of src/runtime/graphmend_runtime.py, appended to `out`.
void runtime_part(const Map *used, Buf *out);

#endif
