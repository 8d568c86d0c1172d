# Puts the Python runtime and the rule tables into the program: a small C program of ours writes them as C arrays.
# Sets EMBEDDED_C; what it defines is declared in src/rules/embedded.h.

set(EMBEDDED_C "${CMAKE_BINARY_DIR}/generated/embedded.c")
set(embedded_runtime "${PROJECT_SOURCE_DIR}/src/runtime/graphmend_runtime.py")
file(GLOB embedded_rules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rules/*.json")

add_executable(embed cmake/embed.c)
add_custom_command(
    OUTPUT "${EMBEDDED_C}"
    COMMAND embed "${EMBEDDED_C}" "${embedded_runtime}" ${embedded_rules}
    DEPENDS embed "${embedded_runtime}" ${embedded_rules}
    COMMENT "Embedding the runtime and the rules")
