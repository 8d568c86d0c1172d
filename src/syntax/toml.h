// TOML by its tree-sitter grammar: configuration files.
#ifndef GM_TOML_H
#define GM_TOML_H

#include "base/base.h"

// What stands at a dotted path ("tool.graphmend"; "": the whole document), a table or not, as JSON, into `json`. False if
// nothing does, and then *why is empty, or with the reason "line 3, column 5: ..." where the text is no TOML.
bool toml_section(Str text, Str path, Arena *arena, Buf *json, Str *why);

#endif
