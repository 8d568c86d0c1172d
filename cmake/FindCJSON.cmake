# cJSON (Debian: libcjson-dev) as the target cjson_library; the static library where there is one, so that the program
# runs where cJSON is not installed.

find_path(CJSON_INCLUDE_DIR cjson/cJSON.h)
find_library(CJSON_STATIC_LIBRARY NAMES libcjson.a)
find_library(CJSON_SHARED_LIBRARY NAMES cjson)
if(CJSON_STATIC_LIBRARY)
    set(cjson_file "${CJSON_STATIC_LIBRARY}")
else()
    set(cjson_file "${CJSON_SHARED_LIBRARY}")
endif()
if(NOT CJSON_INCLUDE_DIR OR NOT cjson_file)
    message(FATAL_ERROR "cJSON is missing (Debian: apt-get install libcjson-dev)")
endif()
add_library(cjson_library INTERFACE)
target_include_directories(cjson_library SYSTEM INTERFACE "${CJSON_INCLUDE_DIR}")
target_link_libraries(cjson_library INTERFACE "${cjson_file}" m)
