// The list of what the user has to hear about the tool's own work: files that cannot be read, syntax that cannot be
// parsed, limits that were reached.
//
// Input: level, place, message. Output: the list, in the order of the calls; printing it is the command line's part.
// One thread a list: modules that are worked on in parallel have a list each.
#include "base/base.h"

#include <stdio.h>

void diag_init(DiagList *diags, Arena *arena) {
    *diags = (DiagList){.arena = arena};
}

void diag_free(DiagList *diags) {
    vec_free(&diags->list);
    diags->errors = 0;
}

void diag_add(DiagList *diags, DiagLevel level, Str path, uint32_t line, uint32_t column, const char *format,
              ...) {
    va_list args;
    va_start(args, format);
    char *text = NULL;
    int len = vasprintf(&text, format, args);
    va_end(args);
    if (len < 0)
        PANIC("out of memory: a diagnostic");
    Str message = str_dup(diags->arena, (Str){text, (size_t)len});
    free(text);
    Diag diag = {level, str_dup(diags->arena, path), line, column, message};
    vec_push(&diags->list, diag);
    if (level == DIAG_ERROR)
        diags->errors++;
}
