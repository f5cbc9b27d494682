# `cmake --install`: the command, the static core with its headers, and find_package(selvage).
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/selvage)
install(TARGETS selvage_core EXPORT selvageTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET selvage_cli)
    install(TARGETS selvage_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/selvage FILES_MATCHING PATTERN "*.h")
install(EXPORT selvageTargets NAMESPACE selvage:: DESTINATION ${package_folder})
configure_package_config_file(cmake/selvageConfig.cmake.in ${PROJECT_BINARY_DIR}/selvageConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/selvageConfig.cmake ${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake
    DESTINATION ${package_folder})
