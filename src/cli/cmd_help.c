// graphmend help [COMMAND], and --help.
#include "cli/cli.h"

int cmd_help(const Options *options) {
    Command command = options->command == COMMAND_HELP && !options->help ? COMMAND_NONE : options->command;
    if (options->command == COMMAND_HELP && options->arguments.len > 0) {
        const char *name = vec_at(&options->arguments, 0);
        if (!command_find(name, &command)) {
            console_error(options, "unknown command '%s'; see 'graphmend help'", name);
            return EXIT_TROUBLE;
        }
    }
    Buf text = {0};
    options_help(command, &text);
    bool good = console_write(options, buf_view(&text));
    buf_free(&text);
    return good ? EXIT_FINE : EXIT_TROUBLE;
}
