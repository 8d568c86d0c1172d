// The bytes of an input that was read for the byte scan but not parsed. In: a module. Out: its bytes; empty once parsed
// or dropped. Dropping them is safe: they are read again if anybody asks.
#include "project/internal.h"

Str module_raw(const Module *module) {
    return module->state->has_raw ? buf_view(&module->state->raw) : (Str){0};
}

void module_drop_raw(Module *module) {
    if (!module->state->has_raw || module->state->in_memory)
        return;
    buf_free(&module->state->raw);
    module->state->has_raw = false;
}
