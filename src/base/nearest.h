// "did you mean ...?": the nearest of some candidates to a mistyped word.
#ifndef GM_NEAREST_H
#define GM_NEAREST_H

#include "base/base.h"

enum { NEAREST_MAX = 3 };
typedef struct Nearest {
    Str word;
    Str best[NEAREST_MAX];
    uint32_t distance[NEAREST_MAX];
    uint32_t count;
} Nearest;
Nearest nearest_start(Str word);
void nearest_try(Nearest *nearest, Str candidate);
// "; did you mean 'a', 'b'?" or nothing.
void nearest_say(const Nearest *nearest, Buf *out);

#endif
