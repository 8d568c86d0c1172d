// graphmend explain [WORD]: what a rule or a reason means; WORD is a code, a rule's name, a PyTorch GB id or a reason id. Of a
// GB id that no rule has it says what PyTorch calls it. Without WORD all of them are listed. Exit: 2 with the nearest names when there is no such thing.
#include "cli/cli.h"

#include "rules/rules.h"

#include <unistd.h>

enum { TEXT_WIDTH = 96 };

// A paragraph, wrapped; newlines in the text stay.
static void put_paragraphs(Str text, Buf *out) {
    size_t column = 0;
    for (size_t at = 0; at < text.len;) {
        if (text.ptr[at] == '\n' || text.ptr[at] == ' ') {
            if (text.ptr[at] == '\n') {
                buf_char(out, '\n');
                column = 0;
            }
            at++;
            continue;
        }
        size_t end = at;
        while (end < text.len && text.ptr[end] != ' ' && text.ptr[end] != '\n')
            end++;
        if (column > 0 && column + 1 + (end - at) > TEXT_WIDTH) {
            buf_char(out, '\n');
            column = 0;
        } else if (column > 0) {
            buf_char(out, ' ');
            column++;
        }
        buf_bytes(out, text.ptr + at, end - at);
        column += end - at;
        at = end;
    }
    buf_char(out, '\n');
}

static void put_code(const char *title, Str code, Buf *out) {
    if (code.len == 0)
        return;
    buf_printf(out, "\n%s:\n\n", title);
    for (size_t at = 0; at < code.len;) {
        const char *end = memchr(code.ptr + at, '\n', code.len - at);
        size_t stop = end ? (size_t)(end - code.ptr) : code.len;
        buf_printf(out, stop > at ? "    %.*s\n" : "%.*s\n", STR_ARG(str_slice(code, at, stop)));
        at = stop + 1;
    }
}

static void put_title(const Options *options, Str first, Str second, Buf *out) {
    bool color = console_color(options, STDOUT_FILENO);
    buf_printf(out, "%s%.*s%s", color ? "\033[1m" : "", STR_ARG(first), color ? "\033[0m" : "");
    if (second.len)
        buf_printf(out, " (%.*s)", STR_ARG(second));
    buf_cstr(out, "\n\n");
}

static void put_rule(const Options *options, const Rule *rule, Buf *out) {
    put_title(options, name_str(rule->code), rule->name, out);
    put_paragraphs(rule->summary, out);
    buf_char(out, '\n');
    put_paragraphs(rule->help, out);
    put_code("Before", rule->before, out);
    put_code("After", rule->after, out);
    if (rule->gb_ids.len) {
        buf_cstr(out, "\nPyTorch's ids: ");
        for (uint32_t i = 0; i < rule->gb_ids.len; i++)
            buf_printf(out, "%s%s", i ? ", " : "", name_str(rule->gb_ids.items[i]).ptr);
        buf_char(out, '\n');
    }
    if (rule->since.len)
        buf_printf(out, "Since torch %.*s\n", STR_ARG(rule->since));
    if (rule->until.len)
        buf_printf(out, "Until torch %.*s\n", STR_ARG(rule->until));
}

static void put_reason(const Options *options, const Reason *reason, Buf *out) {
    put_title(options, name_str(reason->id), STR("why a finding is left as it is"), out);
    put_paragraphs(reason->summary, out);
    buf_char(out, '\n');
    put_paragraphs(reason->help, out);
}

static bool put_break(const Options *options, Str id, Buf *out) {
    Str type, context;
    if (!gb_find(id, &type, &context))
        return false;
    put_title(options, id, STR("a graph break of PyTorch's that no rule looks for"), out);
    put_paragraphs(type, out);
    if (context.len)
        buf_printf(out, "\nContext: %.*s\n", STR_ARG(context));
    return true;
}

static void put_list(Buf *out) {
    buf_cstr(out, "Rules:\n");
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        buf_printf(out, "  %s  %-26.*s  %.*s\n", name_str(rule->code).ptr, STR_ARG(rule->name),
                   STR_ARG(rule->summary));
    }
    buf_cstr(out, "\nReasons for which a finding is left as it is:\n");
    for (uint32_t i = 0; i < reason_count(); i++) {
        const Reason *reason = reason_at(i);
        buf_printf(out, "  %-33s  %.*s\n", name_str(reason->id).ptr, STR_ARG(reason->summary));
    }
}

static Str change_case(Arena *arena, Str word, bool upper) {
    char *text = arena_dup(arena, word.ptr, word.len + 1);
    for (size_t i = 0; i < word.len; i++) {
        if (upper && text[i] >= 'a' && text[i] <= 'z')
            text[i] = (char)(text[i] - 'a' + 'A');
        else if (!upper && text[i] >= 'A' && text[i] <= 'Z')
            text[i] = (char)(text[i] - 'A' + 'a');
    }
    return (Str){text, word.len};
}

static bool names_id(const Rule *rule, Str id) {
    for (uint32_t i = 0; i < rule->gb_ids.len; i++)
        if (str_eq(name_str(rule->gb_ids.items[i]), id))
            return true;
    return false;
}

// One of PyTorch's ids may stand for several rules: the first was shown, the others are named.
static void put_others(const Rule *shown, Str id, Buf *out) {
    bool first = true;
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        if (rule == shown || !names_id(rule, id))
            continue;
        if (first)
            buf_printf(out, "\n%.*s also stands for:\n", STR_ARG(id));
        first = false;
        buf_printf(out, "  %s  %.*s\n", name_str(rule->code).ptr, STR_ARG(rule->summary));
    }
}

// Codes and GB ids are written in capitals, names and reasons in small letters; the user need not care.
static bool explain_word(const Options *options, Str word, Buf *out, Arena *arena) {
    Str upper = change_case(arena, word, true), lower = change_case(arena, word, false);
    const Rule *rule = rule_find(upper);
    if (!rule)
        rule = rule_find(lower);
    const Reason *reason = rule ? NULL : reason_find(lower);
    if (rule) {
        put_rule(options, rule, out);
        put_others(rule, upper, out);
    } else if (reason)
        put_reason(options, reason, out);
    return rule || reason || put_break(options, upper, out);
}

static void say_unknown(const Options *options, Str word) {
    Nearest nearest = nearest_start(word);
    for (uint32_t i = 0; i < rule_count(); i++) {
        const Rule *rule = rule_at(i);
        nearest_try(&nearest, name_str(rule->code));
        nearest_try(&nearest, rule->name);
    }
    for (uint32_t i = 0; i < reason_count(); i++)
        nearest_try(&nearest, name_str(reason_at(i)->id));
    for (uint32_t i = 0; i < rule_count() && nearest.count == 0; i++)
        for (uint32_t g = 0; g < rule_at(i)->gb_ids.len; g++)
            nearest_try(&nearest, name_str(rule_at(i)->gb_ids.items[g]));
    Buf text = {0};
    nearest_say(&nearest, &text);
    console_error(options, "no rule and no reason is called '%.*s'%.*s", STR_ARG(word),
                  STR_ARG(buf_view(&text)));
    buf_free(&text);
}

int cmd_explain(const Options *options) {
    Arena *arena = arena_new();
    Buf out = {0};
    bool good = true;
    if (options->arguments.len == 0)
        put_list(&out);
    for (uint32_t i = 0; i < options->arguments.len; i++) {
        Str word = str_of(options->arguments.items[i]);
        size_t start = out.len;
        if (start > 0)
            buf_char(&out, '\n');
        if (!explain_word(options, word, &out, arena)) {
            say_unknown(options, word);
            out.len = start;
            good = false;
        }
    }
    good = console_write(options, buf_view(&out)) && good;
    buf_free(&out);
    arena_free(arena);
    return good ? EXIT_FINE : EXIT_TROUBLE;
}
