// Fuzz harness: what surrounds the compiler. The bytes are a pattern of .gitignore, a log of Dynamo's and a source at once.
//
// Properties: nothing crashes; every finding lies in its text; edits are in order and apply.
#include "graphmend/graphmend.h"
#include "pipeline/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_edits(gm_session *session, const gm_finding *finding) {
    size_t count, at = 0;
    const gm_edit *edits = gm_finding_edits(session, finding, &count);
    for (size_t i = 0; i < count; i++) {
        CHECK(edits[i].start >= at && edits[i].end >= edits[i].start);
        at = edits[i].end;
    }
    CHECK(at <= (finding->file ? finding->file->len : 0));
}

static void check_text(const uint8_t *bytes, size_t size) {
    const char *all[] = {"all", NULL}, *why;
    gm_session *session = gm_open(&(gm_options){.entries = all, .pedantic = true, .jobs = 1}, &why);
    CHECK(session);
    if (gm_add_text(session, "fuzz.py", (const char *)bytes, size)) {
        gm_check(session);
        gm_observe(session, (const char *)bytes, size);
        for (size_t i = 0; i < gm_finding_count(session); i++) {
            const gm_finding *finding = gm_finding_at(session, i);
            CHECK(finding->range.start.byte <= finding->range.end.byte);
            CHECK(!finding->file || !finding->file->text || finding->range.end.byte <= finding->file->len);
            check_edits(session, finding);
        }
    }
    gm_close(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_new();
    Str text = str_dup(arena, (Str){(const char *)bytes, size});
    size_t line = 0;
    if (str_find(text, STR("\n"), &line))
        (void)pattern_fits(str_dup(arena, str_slice(text, 0, line)).ptr,
                           str_dup(arena, str_slice(text, line + 1, size)).ptr);
    check_text(bytes, size);
    arena_free(arena);
    return 0;
}
