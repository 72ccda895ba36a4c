# What `cmake --install` puts where: the library under its own and TensorFlow's names, the command,
# headers, pkg-config files and a CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS weir EXPORT weirTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET weir_command)
  install(TARGETS weir_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The guide, with the pages of the top folder in it and links to match.
set(guide ${CMAKE_INSTALL_DATAROOTDIR}/doc/weir)
install(DIRECTORY docs/ DESTINATION ${guide})
install(FILES README.md SECURITY.md CONTRIBUTING.md CHANGELOG.md LICENSE DESTINATION ${guide})
install(CODE "set(guide \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${guide}\")")
install(SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/cmake/guide_links.cmake)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# Names under which programs built for TensorFlow's C library look for it.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/names)
foreach(name libtensorflow.so libtensorflow.so.2 libtensorflow_framework.so
    libtensorflow_framework.so.2 libtensorflow_cc.so.2)
  file(CREATE_LINK libweir.so.0 ${CMAKE_BINARY_DIR}/names/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/names/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

# pkg-config files find the prefix from where they lie, so that the tree can be moved.
file(RELATIVE_PATH WEIR_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(pc weir tensorflow)
  configure_file(cmake/${pc}.pc.in ${CMAKE_BINARY_DIR}/${pc}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${pc}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/weirConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/weirConfig.cmake ${CMAKE_BINARY_DIR}/weirConfigVersion.cmake
  DESTINATION ${package})

# Man pages and completions, which the command makes of its own table.
if(TARGET weir_command AND NOT CMAKE_CROSSCOMPILING)
  set(share ${CMAKE_BINARY_DIR}/share)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:weir_command>\" help --share \"${share}\"
    COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${share}/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR})
endif()
