// Fuzz harness: any bytes through the whole compiler, as `graphmend fix -` does it; their number says with which options.
//
// Properties: nothing crashes; the output has no more syntax errors than the input; fix on its own output changes
// nothing. Names that matter (torch, nn.Module, forward) have to come from the corpus: without them a file is passed over.
#include "pipeline/pipeline.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// The output, on the heap; the input where nothing changed.
static Buf fix(Str bytes, size_t variant) {
    const char *everything[] = {"all", NULL};
    PipelineOptions options = {
        .passes = {.trap = true,
                   .where = true,
                   .defer = true,
                   .cond = !(variant & 4),
                   .unsafe = variant & 1,
                   .trap_form = variant & 2 ? TRAP_ASSERT_ASYNC : TRAP_EXACT,
                   .runtime = RUNTIME_EMBED},
        .jobs = 1,
        .entries = everything,
    };
    Pipeline *pipeline = pipeline_new(&options);
    Buf output = {0};
    pipeline_add_bytes(pipeline, STR("fuzz.py"), bytes);
    pipeline_run(pipeline);
    const ModuleResult *result = pipeline_result(pipeline, STR("fuzz.py"));
    if (result && result->changed)
        bytes = buf_view(&result->output);
    buf_str(&output, bytes);
    pipeline_free(pipeline);
    return output;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Str input = {(const char *)bytes, size};
    Buf once = fix(input, size);
    if (!str_eq(buf_view(&once), input)) {
        CHECK(syntax_error_count(buf_view(&once)) <= syntax_error_count(input));
        Buf twice = fix(buf_view(&once), size);
        if (!str_eq(buf_view(&once), buf_view(&twice))) {
            fprintf(stderr, "---- once\n%s\n---- twice\n%s\n", once.ptr, twice.ptr);
            PANIC("fix on its own output changed it");
        }
        buf_free(&twice);
    }
    buf_free(&once);
    return 0;
}
