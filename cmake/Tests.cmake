# Unit tests: each tests/unit/*.c is a program that prints "N passed, N failed". Fuzz harnesses: each tests/fuzz/fuzz_*.c
# is built with libFuzzer where GRAPHMEND_FUZZ is on, and otherwise with a main that replays its corpus as a test.

file(GLOB unit_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/*.c")
foreach(source ${unit_sources})
    get_filename_component(name "${source}" NAME_WE)
    add_executable(unit_${name} "${source}")
    target_link_libraries(unit_${name} PRIVATE graphmend_api graphmend_core)
    target_include_directories(unit_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    add_test(NAME unit/${name} COMMAND unit_${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(unit/${name} PROPERTIES TIMEOUT 400) # hostile inputs take a while under the sanitizers
endforeach()

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.c")
foreach(source ${fuzz_sources})
    get_filename_component(name "${source}" NAME_WE)
    if(GRAPHMEND_FUZZ)
        add_executable(${name} "${source}")
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
        add_executable(${name} "${source}" "${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c")
        add_test(NAME fuzz/${name} COMMAND ${name} tests/fuzz/corpus tests/behaviour/suite
            WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
        set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 300)
    endif()
    target_link_libraries(${name} PRIVATE graphmend_api graphmend_core)
endforeach()

add_executable(project_stats EXCLUDE_FROM_ALL tests/project/stats.c)
target_link_libraries(project_stats PRIVATE graphmend_core)
add_executable(bench_parse EXCLUDE_FROM_ALL bench/parse.c)
target_link_libraries(bench_parse PRIVATE graphmend_core)

# The example of the C API, which sees nothing but the public header and the shared library.
if(NOT GRAPHMEND_FUZZ)
    add_executable(example_api "${PROJECT_SOURCE_DIR}/examples/api.c")
    target_compile_options(example_api PRIVATE -Wall -Wextra -Wconversion -Werror)
    target_link_libraries(example_api PRIVATE graphmend_shared)
    if(GRAPHMEND_SANITIZE)
        target_link_options(example_api PRIVATE -fsanitize=address,undefined)
    endif()
    add_test(NAME api/example
        COMMAND "${CMAKE_COMMAND}" "-DCOMMAND=$<TARGET_FILE:example_api>;examples/encoder.py"
            "-DEXPECTED=[0-9]+ findings, [1-9][0-9]* edits" -P cmake/Expect.cmake
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endif()
