// The bytes of an input that was read for the byte scan but not parsed. In: a module. Out: its bytes; empty once parsed
// or dropped. Dropping them is safe: they are read again if anybody asks. Also what else others ask about its file.
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

const Digest *module_digest(const Module *module) {
    return &module->state->digest;
}

Str module_import_root(const Module *module) {
    return module->state->import_root;
}

Str module_real_dir(const Module *module) {
    return module->state->real_dir;
}
