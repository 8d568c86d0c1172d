// Opens the paths that fix and check were given.
#include "cli/cli.h"

#include <errno.h>
#include <unistd.h>

static bool add_stdin(const Options *options, Pipeline *pipeline, Str *why) {
    Buf bytes = {0};
    const char *name = options->stdin_filename ? options->stdin_filename : "<stdin>";
    if (!console_stdin(options, &bytes)) {
        buf_free(&bytes);
        *why = STR("");
        return false;
    }
    bool good = pipeline_add_bytes(pipeline, str_of(name), buf_view(&bytes), why);
    buf_free(&bytes);
    return good;
}

bool inputs_add(const Options *options, Pipeline *pipeline, const char *const *paths, uint32_t count) {
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const char *path = paths[i], *name = path;
        Str why = STR("");
        bool added;
        if (paths_is_stdin(path)) {
            name = options->stdin_filename ? options->stdin_filename : "<stdin>";
            added = add_stdin(options, pipeline, &why);
        } else if (file_is_dir(path) && access(path, R_OK | X_OK) == 0) {
            added = pipeline_add(pipeline, path, &why);
        } else if (access(path, R_OK) != 0) {
            why = str_of(strerror(errno));
            added = false;
        } else {
            added = pipeline_add(pipeline, path, &why);
        }
        if (!added && why.len)
            console_error(options, "%s: %.*s", name, STR_ARG(why));
        good = good && added;
    }
    return good;
}
