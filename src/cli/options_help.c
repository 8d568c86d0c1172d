// --help, the manual page and the shells' completions, from the table of options.
#include "cli/options_table.h"

// ---------------------------------------------------------------- --help

enum { HELP_WIDTH = 100, HELP_INDENT = 30 };

// Wraps text to HELP_WIDTH; the cursor stands at column `at`, further lines begin at HELP_INDENT.
static void wrap(Buf *out, size_t at, const char *text) {
    if (at + 2 > HELP_INDENT)
        buf_char(out, '\n'), at = 0;
    buf_repeat(out, ' ', HELP_INDENT - at);
    size_t column = HELP_INDENT;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > HELP_INDENT && column + 1 + word > HELP_WIDTH) {
            buf_char(out, '\n');
            buf_repeat(out, ' ', HELP_INDENT);
            column = HELP_INDENT;
        } else if (column > HELP_INDENT) {
            buf_char(out, ' ');
            column++;
        }
        buf_bytes(out, text, word);
        column += word;
        text += word;
        while (*text == ' ')
            text++;
    }
    buf_char(out, '\n');
}

static void help_options(Command command, Buf *out) {
    buf_cstr(out, "\nOptions:\n");
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        if (!row_allowed(row, command))
            continue;
        size_t start = out->len;
        if (row->letter)
            buf_printf(out, "  -%c, --%s", row->letter, row->name);
        else
            buf_printf(out, "      --%s", row->name);
        if (row->argument)
            buf_printf(out, " %s", row->argument);
        wrap(out, out->len - start, row->help);
    }
}

static const char exit_codes[] =
    "\nExit codes:\n"
    "  0  fine: check found nothing, fix did its work (or --diff had nothing to show), verify found both "
    "equal\n"
    "  1  findings are left (check), the diff is not empty (fix --diff), something was rewritten\n"
    "     (fix --exit-non-zero-on-fix), both differ or the graph breaks more often (verify)\n"
    "  2  wrong usage or configuration, a file that could not be read, handled, run or written, an internal "
    "error;\n"
    "     in a tree all other files are still handled and written. A syntax error inside a file that could\n"
    "     otherwise be handled is a warning: the function around it is left as it is\n";

void options_help(Command command, Buf *out) {
    if (command == COMMAND_NONE) {
        buf_cstr(
            out,
            "graphmend: finds the statements at which TorchDynamo breaks the graph, and rewrites them\n\n"
            "Usage: graphmend COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
        for (int i = 1; i < COMMAND_COUNT; i++) {
            buf_printf(out, "  %s", command_rows[i].name);
            wrap(out, strlen(command_rows[i].name) + 2, command_rows[i].summary);
        }
    } else {
        const CommandRow *row = &command_rows[command];
        buf_printf(out, "graphmend %s: %s\n\nUsage: graphmend %s [OPTIONS] %s\n", row->name, row->summary,
                   row->name, row->arguments);
    }
    if (command == COMMAND_FIX)
        buf_cstr(
            out,
            "\nOne file without -o, --in-place or --diff goes to standard output; '-' is standard input.\n"
            "A folder, or several paths, need a destination.\n");
    if (command == COMMAND_CHECK)
        buf_cstr(out, "\nThe default path is the current folder; '-' is standard input. Findings go to "
                      "standard output,\n"
                      "the summary and what the tool has to say about its own work to standard error.\n");
    help_options(command, out);
    buf_cstr(out, exit_codes);
}

// ---------------------------------------------------------------- the manual page

static void man_text(const char *text, Buf *out) {
    for (; *text; text++) {
        if (*text == '\\')
            buf_cstr(out, "\\e");
        else if (*text == '-')
            buf_cstr(out, "\\-");
        else if ((*text == '.' || *text == '\'') && (out->len == 0 || out->ptr[out->len - 1] == '\n'))
            buf_printf(out, "\\&%c", *text);
        else
            buf_char(out, *text);
    }
}

static void man_options(Command command, Buf *out) {
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        bool common = row_allowed(row, COMMAND_NONE);
        if (!row_allowed(row, command) || (common && command != COMMAND_NONE))
            continue;
        buf_cstr(out, ".TP\n\\fB");
        if (row->letter)
            buf_printf(out, "\\-%c\\fR, \\fB", row->letter);
        buf_cstr(out, "\\-\\-");
        man_text(row->name, out);
        buf_cstr(out, "\\fR");
        if (row->argument) {
            buf_cstr(out, " \\fI");
            man_text(row->argument, out);
            buf_cstr(out, "\\fR");
        }
        buf_char(out, '\n');
        man_text(row->help, out);
        buf_char(out, '\n');
    }
}

void options_man(Buf *out) {
    buf_cstr(out, ".TH GRAPHMEND 1 \"\" \"graphmend " GRAPHMEND_VERSION "\" \"User Commands\"\n.SH NAME\n"
                  "graphmend \\- find and rewrite what breaks TorchDynamo's graph\n.SH SYNOPSIS\n");
    for (int c = 1; c < COMMAND_COUNT; c++) {
        buf_printf(out, ".B graphmend %s\n[OPTIONS] ", command_rows[c].name);
        man_text(command_rows[c].arguments, out);
        buf_cstr(out, "\n.br\n");
    }
    buf_cstr(out,
             ".SH DESCRIPTION\nReads PyTorch model code, finds the statements at which torch.compile would "
             "break the "
             "graph, and rewrites those\nthat can be rewritten without changing what the program does.\n");
    for (int c = 1; c < COMMAND_COUNT; c++) {
        buf_printf(out, ".SH \"graphmend %s\"\n", command_rows[c].name);
        man_text(command_rows[c].summary, out);
        buf_char(out, '\n');
        man_options((Command)c, out);
    }
    buf_cstr(out, ".SH \"ALL COMMANDS\"\n");
    man_options(COMMAND_NONE, out);
    buf_cstr(out, ".SH \"EXIT STATUS\"\n.nf\n");
    man_text(exit_codes + strlen("\nExit codes:\n"), out);
    buf_cstr(out, ".fi\n.SH FILES\n.TP\npyproject.toml, graphmend.toml\nThe nearest one with "
                  "[tool.graphmend], or the nearest "
                  "graphmend.toml, gives the options that the command line does not. Keys are the long names "
                  "of the options.\n");
}

// ---------------------------------------------------------------- completions

// "a|b|c" and "a,b,c" as "a b c"; nothing for PATH and the like.
static bool is_words(const OptionRow *row) {
    return row->kind == CHOICE || row->kind == SET;
}

static void put_choices(const OptionRow *row, Buf *out) {
    for (const char *c = row->argument; *c; c++)
        buf_char(out, *c == '|' || *c == ',' ? ' ' : *c);
}

static void put_command_names(Buf *out) {
    for (int c = 1; c < COMMAND_COUNT; c++)
        buf_printf(out, "%s%s", c > 1 ? " " : "", command_rows[c].name);
}

// The same option takes other words after another command.
static void bash_words(const OptionRow *row, Buf *out) {
    if (!is_words(row))
        return;
    const char *before = "    ";
    for (int c = 1; c < COMMAND_COUNT; c++) {
        if (!row_allowed(row, (Command)c))
            continue;
        buf_printf(out, "%s%s--%s", before, command_rows[c].name, row->name);
        before = " | ";
    }
    buf_cstr(out, ") COMPREPLY=($(compgen -W \"");
    put_choices(row, out);
    buf_cstr(out, "\" -- \"$cur\")); return ;;\n");
}

static void complete_bash(Buf *out) {
    buf_cstr(out,
             "# bash completion for graphmend; made by `graphmend generate bash`\n_graphmend() {\n"
             "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
             "command=${COMP_WORDS[1]} words=\n"
             "    COMPREPLY=()\n    if [[ $COMP_CWORD == 1 ]]; then\n        COMPREPLY=($(compgen -W \"");
    put_command_names(out);
    buf_cstr(out, " --help --version\" -- \"$cur\"))\n        return\n    fi\n    case $command$prev in\n");
    for (int i = 0; i < option_count; i++)
        bash_words(&option_rows[i], out);
    buf_cstr(out, "    esac\n    case $command in\n");
    for (int c = 1; c < COMMAND_COUNT; c++) {
        buf_printf(out, "    %s) words=\"", command_rows[c].name);
        for (int i = 0; i < option_count; i++)
            if (row_allowed(&option_rows[i], (Command)c))
                buf_printf(out, "--%s ", option_rows[i].name);
        if (c == COMMAND_GENERATE)
            buf_cstr(out, "man bash zsh fish ");
        if (c == COMMAND_HELP)
            put_command_names(out);
        buf_cstr(out, "\" ;;\n");
    }
    buf_cstr(out, "    esac\n    if [[ $cur == -* || $command == generate || $command == help ]]; then\n"
                  "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n    else\n"
                  "        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}\n"
                  "complete -o filenames -F _graphmend graphmend\n");
}

// Inside single quotes, for zsh and fish; brackets and colons mean something to zsh.
static void put_quoted(const char *text, bool zsh, Buf *out) {
    for (; *text; text++) {
        if (*text == '\'')
            buf_cstr(out, zsh ? "'\\''" : "\\'");
        else if (zsh && (*text == '[' || *text == ']' || *text == ':'))
            buf_printf(out, "\\%c", *text);
        else
            buf_char(out, *text);
    }
}

static void zsh_option(const OptionRow *row, Buf *out) {
    buf_printf(out, " \\\n            '%s--%s%s[", row_is_list(row) ? "*" : "", row->name,
               row->argument ? "=" : "");
    put_quoted(row->help, true, out);
    buf_char(out, ']');
    if (row->argument && is_words(row)) {
        buf_printf(out, ":%s:(", row->name);
        put_choices(row, out);
        buf_char(out, ')');
    } else if (row->argument) {
        buf_printf(out, ":%s:_files", row->name);
    }
    buf_char(out, '\'');
}

static void complete_zsh(Buf *out) {
    buf_cstr(out, "#compdef graphmend\n# made by `graphmend generate zsh`\n_graphmend() {\n    if (( CURRENT "
                  "== 2 )); then\n"
                  "        local -a commands=(");
    for (int c = 1; c < COMMAND_COUNT; c++) {
        buf_printf(out, "\n            '%s:", command_rows[c].name);
        put_quoted(command_rows[c].summary, true, out);
        buf_char(out, '\'');
    }
    buf_cstr(out,
             ")\n        _describe command commands\n        return\n    fi\n    local command=$words[2]\n"
             "    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (int c = 1; c < COMMAND_COUNT; c++) {
        buf_printf(out, "    %s)\n        _arguments", command_rows[c].name);
        for (int i = 0; i < option_count; i++)
            if (row_allowed(&option_rows[i], (Command)c))
                zsh_option(&option_rows[i], out);
        if (c == COMMAND_GENERATE)
            buf_cstr(out, " \\\n            ':kind:(man bash zsh fish)'\n        ;;\n");
        else
            buf_cstr(out, " \\\n            '*:file:_files'\n        ;;\n");
    }
    buf_cstr(out, "    esac\n}\n_graphmend \"$@\"\n");
}

static void complete_fish(Buf *out) {
    buf_cstr(out, "# fish completion for graphmend; made by `graphmend generate fish`\n");
    for (int c = 1; c < COMMAND_COUNT; c++) {
        buf_printf(out, "complete -c graphmend -n __fish_use_subcommand -f -a %s -d '", command_rows[c].name);
        put_quoted(command_rows[c].summary, false, out);
        buf_cstr(out, "'\n");
    }
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        buf_cstr(out, "complete -c graphmend -n '__fish_seen_subcommand_from");
        for (int c = 1; c < COMMAND_COUNT; c++)
            if (row_allowed(row, (Command)c))
                buf_printf(out, " %s", command_rows[c].name);
        buf_printf(out, "' -l %s", row->name);
        if (row->letter)
            buf_printf(out, " -s %c", row->letter);
        buf_cstr(out, row->argument ? is_words(row) ? " -x -a '" : " -r" : "");
        if (row->argument && is_words(row)) {
            put_choices(row, out);
            buf_char(out, '\'');
        }
        buf_cstr(out, " -d '");
        put_quoted(row->help, false, out);
        buf_cstr(out, "'\n");
    }
    buf_cstr(out,
             "complete -c graphmend -n '__fish_seen_subcommand_from generate' -f -a 'man bash zsh fish'\n");
}

void options_completion(const char *shell, Buf *out) {
    if (strcmp(shell, "bash") == 0)
        complete_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        complete_zsh(out);
    else
        complete_fish(out);
}
