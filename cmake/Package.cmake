# cmake --install and .deb: the program, its manual page and completions, scenarios with studies, and the documents,
# where Debian expects them; and the CMake package, with which another project tests its own adapter or joiner
# (component "dev", a .deb of its own).
#
#   cmake --install build/release --prefix /usr/local
#   cd build/release && cpack -G DEB
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

set(texts "${PROJECT_BINARY_DIR}/install_texts")
add_custom_command(
  OUTPUT "${texts}/photonsim.1" "${texts}/photonsim.bash" "${texts}/_photonsim" "${texts}/photonsim.fish"
  COMMAND "${PROJECT_SOURCE_DIR}/scripts/completions.sh" "$<TARGET_FILE:photonsim>" "${texts}"
  DEPENDS photonsim "${PROJECT_SOURCE_DIR}/scripts/completions.sh"
  COMMENT "Writing manual page and completions"
  VERBATIM)
# Everything that is installed.
add_custom_target(photonsim_package ALL DEPENDS photonsim "${texts}/photonsim.1")

install(TARGETS photonsim RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${texts}/photonsim.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${texts}/photonsim.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  RENAME photonsim)
install(FILES "${texts}/_photonsim" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${texts}/photonsim.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(DIRECTORY scenarios/ DESTINATION "${CMAKE_INSTALL_DATADIR}/photonsim/scenarios"
  FILES_MATCHING PATTERN "*.toml" PATTERN "*.csv"
  PATTERN config EXCLUDE PATTERN deployment EXCLUDE PATTERN language EXCLUDE PATTERN schema EXCLUDE
  PATTERN world EXCLUDE PATTERN faults EXCLUDE PATTERN extensions EXCLUDE)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")
install(FILES README.md ARCHITECTURE.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Other builds (sanitizers, -O0) are for this project alone.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  include(PackageLibrary)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME photonsim)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator and deterministic test harness for Photon")
set(CPACK_PACKAGE_CONTACT "photonsim developers")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME photonsim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME photonsim-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_DESCRIPTION "photonsim as a CMake package: tests of another project's adapter or joiner")
list(TRANSFORM PHOTONSIM_PACKAGE_NEEDS REPLACE ".*:" "" OUTPUT_VARIABLE dev_depends)
list(APPEND dev_depends libboost1.81-dev "photonsim (= ${PROJECT_VERSION})")
list(REMOVE_DUPLICATES dev_depends)
list(JOIN dev_depends ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
