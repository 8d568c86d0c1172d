// "did you mean ...?": the candidates nearest to a mistyped word, by edit distance.
//
// In: the word and, one after another, the candidates. Out: up to NEAREST_MAX of them, nearest first, first come first at
// equal distance. Nothing is suggested that differs in more than about a third of its letters. Case does not count.
#include "base/nearest.h"

enum { WORD_MAX = 64 }; // longer words are not typing errors of ours

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Optimal string alignment: insert, delete, replace, swap of neighbours.
static uint32_t distance(Str a, Str b) {
    uint32_t lines[3][WORD_MAX + 1];
    uint32_t *before = lines[0], *last = lines[1], *now = lines[2];
    for (uint32_t j = 0; j <= b.len; j++)
        last[j] = before[j] = j;
    for (uint32_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (uint32_t j = 1; j <= b.len; j++) {
            char x = lower(a.ptr[i - 1]), y = lower(b.ptr[j - 1]);
            uint32_t best = least(last[j] + 1, now[j - 1] + 1);
            best = least(best, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b.ptr[j - 2]) && y == lower(a.ptr[i - 2]))
                best = least(best, before[j - 2] + 1);
            now[j] = best;
        }
        uint32_t *oldest = before;
        before = last, last = now, now = oldest;
    }
    return last[b.len];
}

// A longer word with this beginning.
static bool begins(Str longer, Str word) {
    for (size_t i = 0; i < word.len && i < longer.len; i++)
        if (lower(word.ptr[i]) != lower(longer.ptr[i]))
            return false;
    return word.len < longer.len;
}

Nearest nearest_start(Str word) {
    return (Nearest){.word = word};
}

void nearest_try(Nearest *nearest, Str candidate) {
    Str word = nearest->word;
    if (word.len == 0 || word.len > WORD_MAX || candidate.len > WORD_MAX)
        return;
    uint32_t far = distance(word, candidate);
    // The beginning of a long name counts as near: "raising" for "raising-guard".
    if (word.len >= 3 && begins(candidate, word))
        far = 1;
    if (far > 1 + (word.len > candidate.len ? word.len : candidate.len) / 4)
        return;
    uint32_t at = nearest->count;
    while (at > 0 && nearest->distance[at - 1] > far)
        at--;
    if (at == NEAREST_MAX)
        return;
    if (nearest->count < NEAREST_MAX)
        nearest->count++;
    for (uint32_t i = nearest->count - 1; i > at; i--) {
        nearest->best[i] = nearest->best[i - 1];
        nearest->distance[i] = nearest->distance[i - 1];
    }
    nearest->best[at] = candidate;
    nearest->distance[at] = far;
}

void nearest_say(const Nearest *nearest, Buf *out) {
    for (uint32_t i = 0; i < nearest->count; i++)
        buf_printf(out, "%s'%.*s'", i ? ", " : "; did you mean ", STR_ARG(nearest->best[i]));
    if (nearest->count)
        buf_char(out, '?');
}
