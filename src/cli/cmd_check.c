// graphmend check [PATH...]: the findings, in one of three forms; writes nothing but --output-file.
//
// Exit: 0 nothing found (or --exit-zero), 1 findings, 2 when some file could not be handled.
#include "cli/cli.h"

#include <unistd.h>

static bool write_report(const Options *options, Pipeline *pipeline) {
    Buf out = {0};
    // In a file nobody's terminal can be guessed from where we run.
    bool color =
        options->output_file ? options->color == COLOR_ALWAYS : console_color(options, STDOUT_FILENO);
    if (options->output_format == FORMAT_JSON)
        report_json(pipeline, &out);
    else
        report_text(pipeline, options->output_format == FORMAT_FULL, color, &out);
    bool good;
    if (options->output_file) {
        Str why;
        good = file_write_atomic(options->output_file, buf_view(&out), NULL, pipeline->arena, &why);
        if (!good)
            console_error(options, "%s: %.*s", options->output_file, STR_ARG(why));
    } else {
        good = console_write(options, buf_view(&out));
    }
    buf_free(&out);
    return good;
}

int cmd_check(const Options *options) {
    static const char *const here[] = {"."};
    bool given = options->arguments.len > 0;
    PipelineOptions settings = options_pipeline(options);
    // Edits show how a file would change: an import tells that better than a whole embedded runtime.
    if (settings.passes.runtime == RUNTIME_AUTO)
        settings.passes.runtime = RUNTIME_MODULE;
    Pipeline *pipeline = pipeline_new(&settings);
    int code = EXIT_TROUBLE;
    if (inputs_add(options, pipeline, given ? options->arguments.items : here,
                   given ? options->arguments.len : 1)) {
        pipeline_run(pipeline);
        console_diags(options, &pipeline->diags);
        bool good = write_report(options, pipeline) && pipeline->diags.errors == 0;
        summary_check(options, pipeline);
        bool clean = options->exit_zero || totals_of(pipeline).found == 0;
        code = !good ? EXIT_TROUBLE : clean ? EXIT_FINE : EXIT_FINDINGS;
    }
    pipeline_free(pipeline);
    return code;
}
