// Which rules are reported, which are rewritten, and which files are left out.
#ifndef GM_SELECT_H
#define GM_SELECT_H

#include "rules/rules.h"

// ---------------------------------------------------------------- select.c
// Lists are NULL-terminated, or NULL. A code is "GM301", a prefix "GM3", a rule's name, or "ALL".
typedef struct FileCodes {
    const char *pattern;
    const char *const *codes;
    const char *root; // what the pattern is relative to; NULL: SelectOptions.root
} FileCodes;
typedef struct SelectOptions {
    const char *const *select, *const *extend_select, *const *ignore, *const *fix_only;
    const FileCodes *per_file; // ended by one without a pattern
    const char *root;          // what the patterns are relative to; NULL: the working directory
    const char *target_torch;  // "2.6", or NULL
} SelectOptions;
typedef struct FileRules {
    const char *pattern, *root;
    bool *rules;
} FileRules;
typedef struct Selection {
    bool *reported, *fixed; // by the index of the rule
    VEC(FileRules) per_file;
} Selection;

// False when a code does not exist, with the nearest ones in *why.
bool selection_init(Selection *selection, const SelectOptions *options, Arena *arena, Str *why);
void selection_free(Selection *selection);
// What is reported in that file, by the index of the rule; `path` as opened. For one rule: whether it is.
bool *selection_of_file(const Selection *selection, Str path, Arena *arena);
bool selection_reports(const Selection *selection, const Rule *rule, Str path);
// How well a code fits: 0 not at all, else more for a longer one.
uint32_t code_fits(Str code, const Rule *rule);
bool code_exists(Str code);

// ---------------------------------------------------------------- exclude.c
typedef struct ExcludeOptions {
    const char *const *patterns, *const *here; // as in .gitignore
    const char *root; // of `patterns`; those of `here` stand in the working directory
    bool no_gitignore, force;
} ExcludeOptions;
typedef struct Exclude Exclude;
// Other options for what lies directly in a folder (a real path), for as long as this lives; `force` aside. NULL: none.
typedef const ExcludeOptions *ExcludeOptionsOf(void *context, Str folder);
Exclude *exclude_new(const ExcludeOptions *options, ExcludeOptionsOf *options_of, void *context,
                     Arena *arena);
void exclude_free(Exclude *exclude);
// For an entry met while a folder is walked.
bool exclude_skips(Exclude *exclude, const char *path, bool is_folder);
// For a file that was named itself: it, or a folder above it, is excluded. Only with `force`.
bool exclude_skips_named(Exclude *exclude, const char *path);
// Does a .gitignore pattern fit the path (relative to where the pattern stands)? `!` and a last slash aside.
bool pattern_fits(const char *pattern, const char *path);

#endif
