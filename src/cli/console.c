// Standard output and standard error.
//
// Results go to standard output, everything about the tool's own work to standard error, each message on a line of its
// own that begins with "graphmend: error: " or "graphmend: warning: ". What comes from a file or a file name is shown
// with its control characters as \xNN: a terminal would obey them.
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STDIN_STEP = 64 * 1024 };
static const size_t stdin_max = (size_t)1 << 31; // as a file: offsets are 32 bits

bool console_color(const Options *options, int descriptor) {
    if (options->color != COLOR_AUTO)
        return options->color == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_color && *no_color)
        return false;
    return isatty(descriptor) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void buf_printable(Buf *buf, Str text) {
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        uint32_t code_point = utf8_next(text, &at);
        bool control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
        // Bidirectional overrides make a line look like another one.
        control |=
            (code_point >= 0x202A && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
        if (control || (code_point == 0xFFFD && at == start + 1))
            for (size_t i = start; i < at; i++)
                buf_printf(buf, "\\x%02x", (unsigned)(unsigned char)text.ptr[i]);
        else
            buf_bytes(buf, text.ptr + start, at - start);
    }
}

// One message. Whether standard error can be written to makes no difference to anybody.
static void say(const Options *options, const char *label, const char *color, Str message) {
    progress_end();
    Buf line = {0};
    bool colored = *label && console_color(options, STDERR_FILENO);
    buf_cstr(&line, "graphmend: ");
    if (colored)
        buf_cstr(&line, color);
    buf_cstr(&line, label);
    if (colored)
        buf_cstr(&line, "\033[0m");
    buf_printable(&line, message);
    buf_char(&line, '\n');
    fwrite(line.ptr, 1, line.len, stderr);
    buf_free(&line);
}

static void say_format(const Options *options, const char *label, const char *color, const char *format,
                       va_list args) {
    char *text = NULL;
    int len = vasprintf(&text, format, args);
    if (len < 0)
        PANIC("out of memory: a message");
    say(options, label, color, (Str){text, (size_t)len});
    free(text);
}

void console_error(const Options *options, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_format(options, "error: ", "\033[1;31m", format, args);
    va_end(args);
}

void console_note(const Options *options, const char *format, ...) {
    if (options->quiet)
        return;
    va_list args;
    va_start(args, format);
    say_format(options, "", "", format, args);
    va_end(args);
}

static void say_diagnostic(const Options *options, gm_diagnostic diagnostic) {
    static const char *const labels[] = {"note: ", "warning: ", "error: "};
    static const char *const colors[] = {"\033[1;36m", "\033[1;33m", "\033[1;31m"};
    if (options->quiet && diagnostic.level != GM_ERROR)
        return;
    Buf text = {0};
    buf_cstr(&text, diagnostic.path);
    if (diagnostic.line)
        buf_printf(&text, ":%u", diagnostic.line);
    if (diagnostic.column)
        buf_printf(&text, ":%u", diagnostic.column);
    if (*diagnostic.path)
        buf_cstr(&text, ": ");
    buf_cstr(&text, diagnostic.message);
    say(options, labels[diagnostic.level], colors[diagnostic.level], buf_view(&text));
    buf_free(&text);
}

void console_diags(const Options *options, const DiagList *diags) {
    for (uint32_t i = 0; i < diags->list.len; i++) {
        const Diag *diag = &vec_at(&diags->list, i);
        say_diagnostic(options, (gm_diagnostic){(gm_level)diag->level, diag->path.len ? diag->path.ptr : "",
                                                diag->line, diag->column, diag->message.ptr});
    }
}

void console_diagnostics(const Options *options, const gm_session *session, size_t from) {
    for (size_t i = from; i < gm_diagnostic_count(session); i++)
        say_diagnostic(options, gm_diagnostic_at(session, i));
}

bool console_write(const Options *options, Str bytes) {
    bool good =
        (bytes.len == 0 || fwrite(bytes.ptr, 1, bytes.len, stdout) == bytes.len) && fflush(stdout) == 0;
    if (!good)
        console_error(options, "cannot write to standard output: %s", strerror(errno));
    return good;
}

bool console_stdin(const Options *options, Buf *into) {
    char *step = heap_alloc(STDIN_STEP, 1);
    size_t got;
    while ((got = fread(step, 1, STDIN_STEP, stdin)) > 0 && into->len <= stdin_max)
        buf_bytes(into, step, got);
    free(step);
    if (ferror(stdin)) {
        console_error(options, "cannot read standard input: %s", strerror(errno));
        return false;
    }
    return true;
}
