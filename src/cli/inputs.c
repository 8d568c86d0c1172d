// Opens a session by the options, and in it the paths that fix and check were given.
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// An absolute path from the environment; XDG's rule is that any other is none.
static const char *folder_in(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

// Not in the source tree, which may be read-only or be copied; as black and ccache do it. NULL: nowhere.
static const char *cache_folder(const Options *options) {
    const char *own = getenv("GRAPHMEND_CACHE_DIR");
    const char *caches = folder_in("XDG_CACHE_HOME"), *home = folder_in("HOME");
    if (options->no_cache)
        return NULL;
    if (options->cache_dir)
        return options->cache_dir;
    if (own)
        return *own ? own : NULL;
    if (caches)
        return paths_join(options->arena, caches, "graphmend");
    return home ? paths_join(options->arena, home, ".cache/graphmend") : NULL;
}

gm_session *inputs_open(const Options *options, bool for_check) {
    gm_options settings = options_api(options);
    const char *why = "";
    // Edits show how a file would change: an import tells that better than a whole embedded runtime.
    if (for_check && settings.runtime == GM_RUNTIME_AUTO)
        settings.runtime = GM_RUNTIME_MODULE;
    if (!options->config && !options->isolated) {
        settings.options_of = config_of;
        settings.options_context = (Options *)(uintptr_t)options;
    }
    settings.cache_dir = cache_folder(options);
    progress_start(options, &settings);
    gm_session *session = gm_open(&settings, &why);
    if (!session)
        console_error(options, "%s", why);
    return session;
}

static bool add_stdin(const Options *options, gm_session *session, const char *name, const char **why) {
    Buf bytes = {0};
    *why = "";
    bool good = console_stdin(options, &bytes);
    if (good) {
        good = gm_add_text(session, name, bytes.ptr ? bytes.ptr : "", bytes.len);
        *why = gm_error(session);
    }
    buf_free(&bytes);
    return good;
}

bool inputs_add(const Options *options, gm_session *session, const char *const *paths, uint32_t count) {
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const char *path = paths[i], *why = "";
        bool added = false;
        if (paths_is_stdin(path)) {
            path = options->stdin_filename ? options->stdin_filename : "<stdin>";
            added = add_stdin(options, session, path, &why);
        } else if (access(path, R_OK) != 0) {
            why = strerror(errno);
        } else {
            added = gm_add_path(session, path);
            why = gm_error(session);
        }
        if (!added && *why)
            console_error(options, "%s: %s", path, why);
        good = good && added;
    }
    return good && !config_failed(options);
}

bool inputs_usage_failed(const gm_session *session) {
    for (size_t i = 0; i < gm_diagnostic_count(session); i++) {
        gm_diagnostic diagnostic = gm_diagnostic_at(session, i);
        if (diagnostic.level == GM_ERROR && !*diagnostic.path)
            return true;
    }
    return false;
}
