// Which build of the code this is: the linker's build id, a hash of all that it linked.
//
// Output: the id of the program or the shared library that holds this function; empty where the linker wrote none. Two
// builds of one version may find different things, and so may one source with another grammar or compiler.
#include "api/session.h"

#include <elf.h>
#include <link.h>

typedef struct Search {
    uintptr_t address; // in the object that is looked for
    Str id;
} Search;

static size_t padded(size_t size) {
    return (size + 3) & ~(size_t)3;
}

static Str id_in_notes(const char *notes, size_t size) {
    ElfW(Nhdr) note;
    for (size_t at = 0; at + sizeof note <= size;) {
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note, value = name + padded(note.n_namesz);
        if (value + note.n_descsz > size)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            memcmp(notes + name, "GNU", sizeof "GNU") == 0)
            return (Str){notes + value, note.n_descsz};
        at = value + padded(note.n_descsz);
    }
    return (Str){0};
}

static int look_into(struct dl_phdr_info *object, size_t size, void *context) {
    Search *search = context;
    bool holds = false;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        holds |= part->p_type == PT_LOAD && search->address - start < part->p_memsz;
    }
    for (unsigned i = 0; holds && i < object->dlpi_phnum && search->id.len == 0; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_NOTE)
            search->id = id_in_notes((const char *)(object->dlpi_addr + part->p_vaddr), part->p_memsz);
    }
    return holds;
}

Str build_id(void) {
    Search search = {.address = (uintptr_t)&build_id};
    dl_iterate_phdr(look_into, &search);
    return search.id;
}
