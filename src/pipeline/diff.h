// Two texts compared by lines: a unified diff, and the changed spans as edits.
#ifndef GM_DIFF_H
#define GM_DIFF_H

#include "base/base.h"

// A unified diff with three lines of context that `git apply` and `patch -p1` take; nothing when equal.
// before.ptr NULL: the file is new.
void diff_unified(Str path, Str before, Str after, Buf *out);
void diff_color(Str diff, Buf *out); // the same text with ANSI colours
// The changed spans, smallest first to last, as byte offsets into both texts: whole lines trimmed to what differs.
typedef struct Edit {
    size_t start, end; // in before
    Str text;          // from after
} Edit;
typedef VEC(Edit) EditList;
void diff_edits(Str before, Str after, EditList *edits);

#endif
