// toml++ behind a C function: a table of a TOML text as JSON. The only file of C++.
//
// Input: the text and the dotted path of a table ("": the whole). Output: malloc'ed JSON; NULL where the table is not
// there, or with an error "line 3, column 5: ..." where the text is no TOML 1.0.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

extern "C" char *toml_section(const char *text, size_t len, const char *path, char **error);

extern "C" char *toml_section(const char *text, size_t len, const char *path, char **error) {
    *error = nullptr;
    toml::parse_result result = toml::parse(std::string_view(text, len));
    std::ostringstream out;
    if (!result) {
        const toml::source_position place = result.error().source().begin;
        out << "line " << place.line << ", column " << place.column << ": " << result.error().description();
        *error = strdup(out.str().c_str());
        return nullptr;
    }
    toml::node_view<toml::node> node = *path ? result.table().at_path(path) : toml::node_view<toml::node>(result.table());
    if (!node)
        return nullptr;
    if (const toml::table *table = node.as_table())
        out << toml::json_formatter{*table};
    else
        out << "null";
    return strdup(out.str().c_str());
}
