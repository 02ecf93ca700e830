# make install: both libraries, the headers, winnow.pc, a CMake package, manual pages, the documents and the examples.
# SPDX-License-Identifier: Apache-2.0
if(NOT DEFINED CMAKE_INSTALL_LIBDIR)
  set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Directory of the libraries below the prefix")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(WN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
install(TARGETS winnow winnow_static EXPORT winnowTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/winnow.h DESTINATION include)
install(FILES include/winnow.hpp include/winnow_events.h DESTINATION include OPTIONAL)
configure_file(docs/man/winnow.3.in winnow.3 @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/winnow.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN man EXCLUDE)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples PATTERN __pycache__ EXCLUDE)

# winnow.pc finds its prefix from where it lies, so the installed tree may be moved.
file(RELATIVE_PATH WN_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" WN_PC_UP "${WN_PC_UP}")
configure_file(cmake/winnow.pc.in winnow.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/winnow.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/winnowConfig.cmake.in winnowConfig.cmake INSTALL_DESTINATION ${WN_CMAKE_DIR})
write_basic_package_version_file(winnowConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT winnowTargets NAMESPACE winnow:: DESTINATION ${WN_CMAKE_DIR})
install(FILES ${PROJECT_BINARY_DIR}/winnowConfig.cmake ${PROJECT_BINARY_DIR}/winnowConfigVersion.cmake
        DESTINATION ${WN_CMAKE_DIR})
