// graphmend: the program. Reads the command line and hands over to the subcommand; the exit code comes from there.
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>

static int dispatch(const Options *options) {
    switch (options->command) {
    case COMMAND_FIX:
        return cmd_fix(options);
    case COMMAND_CHECK:
        return cmd_check(options);
    case COMMAND_EXPLAIN:
        return cmd_explain(options);
    case COMMAND_VERIFY:
        return cmd_verify(options);
    case COMMAND_DUMP:
        return cmd_dump(options);
    case COMMAND_GENERATE:
        return cmd_generate(options);
    case COMMAND_HELP:
        return cmd_help(options);
    case COMMAND_NONE:
        break;
    }
    return cmd_help(options);
}

static int run(Options *options) {
    if (options->version)
        return console_write(options, STR("graphmend " GRAPHMEND_VERSION "\n")) ? EXIT_FINE : EXIT_TROUBLE;
    if (options->help)
        return cmd_help(options);
    if (options->command == COMMAND_NONE) {
        console_error(options, "no command; see 'graphmend --help'");
        return EXIT_TROUBLE;
    }
    bool configured = options->command == COMMAND_FIX || options->command == COMMAND_CHECK;
    if (configured && !config_read(options))
        return EXIT_TROUBLE;
    options_end_lists(options);
    if (options->show_settings)
        return cmd_settings(options);
    return dispatch(options);
}

int main(int argc, char **argv) {
    Arena *arena = arena_new();
    Options options;
    Str why;
    int code = EXIT_TROUBLE;
    signal(SIGXFSZ, SIG_IGN); // a write over the size limit then fails like any other
    if (options_parse(&options, argc, argv, arena, &why)) {
        code = run(&options);
    } else {
        const char *name = command_name(options.command);
        console_error(&options, "%.*s (see 'graphmend %s%s--help')", STR_ARG(why), name, *name ? " " : "");
    }
    config_free(&options);
    options_free(&options);
    arena_free(arena);
    return code;
}
