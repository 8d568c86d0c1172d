# libsodium (Debian: libsodium-dev), for its BLAKE2b, as the target sodium_library; the static library where there is one,
# so that the program runs where libsodium is not installed.

find_path(SODIUM_INCLUDE_DIR sodium.h)
find_library(SODIUM_STATIC_LIBRARY NAMES libsodium.a)
find_library(SODIUM_SHARED_LIBRARY NAMES sodium)
if(SODIUM_STATIC_LIBRARY)
    set(sodium_file "${SODIUM_STATIC_LIBRARY}")
else()
    set(sodium_file "${SODIUM_SHARED_LIBRARY}")
endif()
if(NOT SODIUM_INCLUDE_DIR OR NOT sodium_file)
    message(FATAL_ERROR "libsodium is missing (Debian: apt-get install libsodium-dev)")
endif()
add_library(sodium_library INTERFACE)
target_include_directories(sodium_library SYSTEM INTERFACE "${SODIUM_INCLUDE_DIR}")
target_link_libraries(sodium_library INTERFACE "${sodium_file}")
