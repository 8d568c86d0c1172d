// graphmend check [PATH...]: the findings, in one of the formats; writes nothing but --output-file.
//
// Exit: 0 nothing found (or --exit-zero), 1 findings, 2 when some file could not be handled.
#include "cli/cli.h"

#include <unistd.h>

static void put_report(const Options *options, gm_session *session, Buf *out) {
    // In a file nobody's terminal can be guessed from where we run.
    bool color =
        options->output_file ? options->color == COLOR_ALWAYS : console_color(options, STDOUT_FILENO);
    if (options->statistics) {
        summary_statistics(session, NULL, out);
        return;
    }
    switch ((OutputFormat)options->output_format) {
    case FORMAT_FULL:
        report_text(session, true, color, out);
        break;
    case FORMAT_CONCISE:
        report_text(session, false, color, out);
        break;
    case FORMAT_JSON:
        report_json(session, out);
        break;
    case FORMAT_JSON_LINES:
        report_json_lines(session, out);
        break;
    case FORMAT_GITHUB:
        report_github(session, out);
        break;
    case FORMAT_GITLAB:
        report_gitlab(session, out);
        break;
    case FORMAT_SARIF:
        report_sarif(session, out);
        break;
    case FORMAT_JUNIT:
        report_junit(session, out);
        break;
    }
}

static bool write_report(const Options *options, gm_session *session) {
    Buf out = {0};
    put_report(options, session, &out);
    bool good;
    if (options->output_file) {
        Str why;
        good = file_write_atomic(options->output_file, buf_view(&out), NULL, options->arena, &why);
        if (!good)
            console_error(options, "%s: %.*s", options->output_file, STR_ARG(why));
    } else {
        good = console_write(options, buf_view(&out));
    }
    buf_free(&out);
    return good;
}

static bool read_log(const Options *options, Buf *log) {
    Str why = STR("");
    if (!options->from_log)
        return true;
    if (paths_is_stdin(options->from_log))
        return console_stdin(options, log);
    if (file_read_stream(options->from_log, log, options->arena, &why))
        return true;
    console_error(options, "%s: %.*s", options->from_log, STR_ARG(why));
    return false;
}

static bool reads_stdin_once(const Options *options) {
    uint32_t times = options->from_log && paths_is_stdin(options->from_log);
    for (uint32_t i = 0; i < options->arguments.len; i++)
        times += paths_is_stdin(options->arguments.items[i]);
    if (times > 1)
        console_error(options, "standard input can be read only once");
    return times <= 1;
}

// The report would take the place of what it is about.
static bool replaces_input(const Options *options, const gm_session *session) {
    const char *output = options->output_file;
    if (!output || !file_exists(output))
        return false;
    bool same = options->from_log && paths_same_file(options->from_log, output);
    for (uint32_t i = 0; i < options->arguments.len && !same; i++)
        same = paths_same_file(options->arguments.items[i], output);
    for (size_t i = 0; i < gm_file_count(session) && !same; i++)
        same = paths_same_file(gm_file_at(session, i)->path, output);
    if (same)
        console_error(options, "%s: the report would replace an input", output);
    return same;
}

static int check(const Options *options, gm_session *session, const Buf *log) {
    gm_check(session);
    progress_end();
    if (options->from_log && !gm_observe(session, log->ptr ? log->ptr : "", log->len))
        console_note(options, "warning: %s: no graph breaks in it: is it what TORCH_LOGS=graph_breaks wrote?",
                     options->from_log);
    console_diagnostics(options, session, 0);
    if (inputs_usage_failed(session) || replaces_input(options, session))
        return EXIT_TROUBLE;
    bool good = write_report(options, session) && gm_error_count(session) == 0;
    summary_check(options, session);
    bool clean = options->exit_zero || gm_finding_count(session) == 0;
    return !good ? EXIT_TROUBLE : clean ? EXIT_FINE : EXIT_FINDINGS;
}

int cmd_check(const Options *options) {
    static const char *const here[] = {"."};
    bool given = options->arguments.len > 0;
    Buf log = {0};
    int code = EXIT_TROUBLE;
    gm_session *session =
        reads_stdin_once(options) && read_log(options, &log) ? inputs_open(options, true) : NULL;
    if (session && inputs_add(options, session, given ? options->arguments.items : here,
                              given ? options->arguments.len : 1))
        code = check(options, session, &log);
    gm_close(session);
    buf_free(&log);
    return code;
}
