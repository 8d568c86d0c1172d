// Which rules and patterns hold where: the session's own, or what gm_options.options_of gives for a folder.
//
// In:  options, a folder. Out: the selection and the exclude patterns of what lies in it, read once for each different
// options. Declines: codes that do not exist; the session's own then make gm_open fail, and those of a folder gm_add_path.
#include "api/session.h"

static bool select_rules(const gm_options *options, Selection *selection, Arena *arena, Str *why) {
    size_t count = 0;
    while (options->file_ignores && options->file_ignores[count].pattern)
        count++;
    FileCodes *files = ARENA_ARRAY(arena, FileCodes, count + 1);
    for (size_t i = 0; i < count; i++)
        files[i] = (FileCodes){options->file_ignores[i].pattern, options->file_ignores[i].codes,
                               options->file_ignores[i].root};
    SelectOptions select = {
        .select = options->select,
        .extend_select = options->extend_select,
        .ignore = options->ignore,
        .fix_only = options->fix_only,
        .per_file = files,
        .root = options->root,
        .target_torch = options->target_torch,
    };
    return selection_init(selection, &select, arena, why);
}

Settings *settings_read(gm_session *session, const gm_options *options, Str *why) {
    Settings *settings = ARENA_NEW(session->arena, Settings);
    // Read when folders are walked, long after gm_open.
    settings->exclude =
        (ExcludeOptions){.patterns = session_list(session, options->exclude),
                         .here = session_list(session, options->exclude_here),
                         .root = options->root ? session_text(session, str_of(options->root)) : NULL,
                         .no_gitignore = options->no_gitignore,
                         .force = options->force_exclude};
    return select_rules(options, &settings->selection, session->arena, why) ? settings : NULL;
}

static const gm_options *options_of(gm_session *session, Str folder) {
    const gm_options *options = &session->options;
    if (!options->options_of)
        return NULL;
    return options->options_of(options->options_context, name_str(intern(folder)).ptr);
}

const Settings *settings_of(gm_session *session, Str folder) {
    const gm_options *options = options_of(session, folder);
    if (!options)
        return session->settings;
    Settings *settings = map_ptr(&session->other_settings, map_key_ptr(options));
    if (settings)
        return settings;
    Str why = STR("");
    settings = settings_read(session, options, &why);
    if (!settings) {
        session->settings_error =
            str_format(session->arena, "%s: %.*s", options->root ? options->root : ".", STR_ARG(why));
        settings = session->settings;
    }
    map_put(&session->other_settings, map_key_ptr(options), (uintptr_t)settings);
    return settings;
}

void settings_free(gm_session *session) {
    for (uint32_t i = 0; i < session->other_settings.len; i++)
        selection_free(&((Settings *)session->other_settings.entries[i].value)->selection);
    if (session->settings)
        selection_free(&session->settings->selection);
    map_free(&session->other_settings);
}
