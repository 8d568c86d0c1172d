// Which edits of a file belong to which finding.
//
// In:  a file's old and new text, its findings. Out: for a finding the changed spans that touch its statement, with those
// that no finding's statement explains (the import of the runtime): applied alone they give a file that works. Edits of
// more than EDIT_BYTES_MAX are left out: the whole file tells more than they do. Computed when first asked for.
#include "api/session.h"

enum { EDIT_BYTES_MAX = 64 * 1024 }; // a line of thousands of statements would otherwise be repeated for each

// The first edit that ends at or behind `offset`.
static uint32_t first_edit(const EditList *edits, uint32_t offset) {
    uint32_t low = 0, high = edits->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edits->items[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void compute(gm_session *session, FileEdits *edits, uint32_t index) {
    const gm_file *file = &session->files.items[index];
    edits->done = true;
    if (!file->output)
        return;
    diff_edits((Str){file->text, file->len}, (Str){file->output, file->output_len}, &edits->list);
    bool *owned = heap_alloc(edits->list.len, sizeof *owned);
    for (uint32_t i = 0; i < edits->origin_count; i++) {
        const Origin *origin = &edits->origins[i];
        if (!origin->rewritten)
            continue;
        for (uint32_t e = first_edit(&edits->list, origin->start); e < edits->list.len; e++) {
            if (edits->list.items[e].start > origin->end)
                break;
            owned[e] = true;
        }
    }
    for (uint32_t e = 0; e < edits->list.len; e++)
        if (!owned[e])
            vec_push(&edits->common, edits->list.items[e]);
    free(owned);
}

static void add_edit(gm_session *session, const Edit *edit, size_t *bytes) {
    gm_edit out = {edit->start, edit->end, edit->text.ptr, edit->text.len};
    vec_push(&session->answer, out);
    *bytes += edit->text.len;
}

// In the order of the file.
const gm_edit *gm_finding_edits(gm_session *session, const gm_finding *finding, size_t *count) {
    *count = 0;
    vec_clear(&session->answer);
    const Origin *origin = session->origins.items[finding - session->findings.items];
    if (!origin || !origin->rewritten)
        return NULL;
    uint32_t index = (uint32_t)(finding->file - session->files.items);
    FileEdits *edits = &session->edits[index];
    if (!edits->done)
        compute(session, edits, index);
    size_t bytes = 0;
    uint32_t c = 0;
    // What only takes a comment out needs nothing else.
    uint32_t common = origin->in_code ? edits->common.len : 0;
    for (; c < common && edits->common.items[c].start < origin->start; c++)
        add_edit(session, &edits->common.items[c], &bytes);
    for (uint32_t e = first_edit(&edits->list, origin->start); e < edits->list.len; e++) {
        if (edits->list.items[e].start > origin->end)
            break;
        add_edit(session, &edits->list.items[e], &bytes);
    }
    for (; c < common && bytes <= EDIT_BYTES_MAX; c++)
        add_edit(session, &edits->common.items[c], &bytes);
    if (bytes > EDIT_BYTES_MAX)
        return NULL;
    *count = session->answer.len;
    return session->answer.items;
}

void session_free_edits(gm_session *session) {
    for (uint32_t i = 0; session->edits && i < session->files.len; i++) {
        vec_free(&session->edits[i].list);
        vec_free(&session->edits[i].common);
    }
    vec_free(&session->answer);
}
