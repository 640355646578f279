# cmake --install and .deb: the program, its manual page and completions, scenarios with studies, and the documents,
# where Debian expects them.
#
#   cmake --install build/release --prefix /usr/local
#   cd build/release && cpack -G DEB
include(GNUInstallDirs)

set(texts "${PROJECT_BINARY_DIR}/install_texts")
add_custom_command(
  OUTPUT "${texts}/photonsim.1" "${texts}/photonsim.bash" "${texts}/_photonsim" "${texts}/photonsim.fish"
  COMMAND "${PROJECT_SOURCE_DIR}/scripts/completions.sh" "$<TARGET_FILE:photonsim>" "${texts}"
  DEPENDS photonsim "${PROJECT_SOURCE_DIR}/scripts/completions.sh"
  COMMENT "Writing manual page and completions"
  VERBATIM)
add_custom_target(photonsim_install_texts ALL DEPENDS "${texts}/photonsim.1")

install(TARGETS photonsim RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${texts}/photonsim.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${texts}/photonsim.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  RENAME photonsim)
install(FILES "${texts}/_photonsim" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${texts}/photonsim.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(DIRECTORY scenarios/ DESTINATION "${CMAKE_INSTALL_DATADIR}/photonsim/scenarios"
  FILES_MATCHING PATTERN "*.toml" PATTERN "*.csv"
  PATTERN config EXCLUDE PATTERN deployment EXCLUDE PATTERN language EXCLUDE PATTERN schema EXCLUDE
  PATTERN world EXCLUDE PATTERN faults EXCLUDE)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")
install(FILES README.md ARCHITECTURE.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME photonsim)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator and deterministic test harness for Photon")
set(CPACK_PACKAGE_CONTACT "photonsim developers")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
