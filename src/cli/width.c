// How many columns a code point takes on a terminal, so that carets stand under what they point at.
//
// In: a code point. Out: 0 for what combines with the character before it, 2 for East Asian wide and fullwidth ones and
// emoji, else 1. Sequences (flags, families joined by U+200D) are not put together: terminals differ on them.
#include "cli/cli.h"

typedef struct Range {
    uint32_t first, last;
} Range;
#include "cli/width_table.h"

static bool in_ranges(const Range *ranges, size_t count, uint32_t code_point) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code_point > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && code_point >= ranges[low].first;
}

uint32_t width_of(uint32_t code_point) {
    if (code_point < 0x300)
        return 1;
    if (in_ranges(combining, sizeof combining / sizeof *combining, code_point))
        return 0;
    return in_ranges(wide, sizeof wide / sizeof *wide, code_point) ? 2 : 1;
}

uint32_t utf8_next(Str text, size_t *at) {
    unsigned char lead = (unsigned char)text.ptr[(*at)++];
    if (lead < 0x80)
        return lead;
    uint32_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
    if (more == 0 || lead > 0xF4 || text.len - *at < more)
        return 0xFFFD;
    uint32_t code_point = lead & (0x3Fu >> more);
    for (uint32_t i = 0; i < more; i++) {
        unsigned char next = (unsigned char)text.ptr[*at + i];
        if ((next & 0xC0) != 0x80)
            return 0xFFFD;
        code_point = code_point << 6 | (next & 0x3Fu);
    }
    *at += more;
    return code_point;
}
