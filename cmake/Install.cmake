# What is installed: the program, its manual page and completions (it prints them itself), and the C API as a shared library
# with its header. In a wheel (SKBUILD) only the program, as the wheel's script, and the runtime as graphmend.runtime.

include(GNUInstallDirs)
if(SKBUILD)
    install(TARGETS graphmend RUNTIME DESTINATION "${SKBUILD_SCRIPTS_DIR}")
    install(FILES src/runtime/graphmend_runtime.py DESTINATION graphmend RENAME runtime.py)
    return()
endif()

add_library(graphmend_shared SHARED "${CMAKE_BINARY_DIR}/generated/empty.c")
file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/generated/empty.c" CONTENT "typedef int nothing;\n")
target_link_libraries(graphmend_shared PRIVATE graphmend_api graphmend_core)
target_include_directories(graphmend_shared INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
target_link_options(graphmend_shared PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map")
set_target_properties(graphmend_shared PROPERTIES OUTPUT_NAME graphmend VERSION ${PROJECT_VERSION} SOVERSION 1)

set(generated "${CMAKE_BINARY_DIR}/generated")
set(documents "")
foreach(kind man bash zsh fish)
    add_custom_command(OUTPUT "${generated}/graphmend.${kind}"
        COMMAND graphmend generate ${kind} > "${generated}/graphmend.${kind}" DEPENDS graphmend VERBATIM)
    list(APPEND documents "${generated}/graphmend.${kind}")
endforeach()
add_custom_target(documents ALL DEPENDS ${documents})

install(TARGETS graphmend RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS graphmend_shared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES include/graphmend/graphmend.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/graphmend")
install(FILES "${generated}/graphmend.man" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" RENAME graphmend.1)
install(FILES "${generated}/graphmend.bash" RENAME graphmend
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${generated}/graphmend.zsh" RENAME _graphmend DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${generated}/graphmend.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
