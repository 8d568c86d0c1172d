// graphmend generate man|bash|zsh|fish: the manual page and the shells' completions, from the tables of options.
#include "cli/cli.h"

int cmd_generate(const Options *options) {
    static const char *const kinds[] = {"man", "bash", "zsh", "fish"};
    const char *kind = options->arguments.len == 1 ? options->arguments.items[0] : "";
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        known |= strcmp(kind, kinds[i]) == 0;
    if (!known) {
        console_error(options, "generate takes one of man, bash, zsh, fish");
        return EXIT_TROUBLE;
    }
    Buf out = {0};
    if (strcmp(kind, "man") == 0)
        options_man(&out);
    else
        options_completion(kind, &out);
    bool good = console_write(options, buf_view(&out));
    buf_free(&out);
    return good ? EXIT_FINE : EXIT_TROUBLE;
}
