// The bytes of an input that was read for the byte scan but not parsed. In: a module. Out: its bytes; empty once parsed.
#include "project/internal.h"

Str module_raw(const Module *module) {
    return module->state->has_raw ? buf_view(&module->state->raw) : (Str){0};
}
