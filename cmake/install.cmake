# SPDX-License-Identifier: Apache-2.0
# cmake --install: the program in a folder that can be moved, with the libraries that it loads, and the reference model as
# a library for find_package(assay). `cpack` makes a Debian package of the same files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(add_installation)
  set(programs ${CMAKE_INSTALL_LIBEXECDIR}/assay)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
  install(TARGETS assay_program RUNTIME DESTINATION ${programs})
  install(TARGETS assay_emulator assay_cudart assay_faults LIBRARY DESTINATION ${programs})
  # The program looks for the libraries beside itself, whatever link it is started by.
  install(CODE "
    set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    file(MAKE_DIRECTORY \"\${root}/${CMAKE_INSTALL_BINDIR}\" \"\${root}/${CMAKE_INSTALL_MANDIR}/man1\"
                        \"\${root}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\"
                        \"\${root}/${CMAKE_INSTALL_DATADIR}/zsh/site-functions\"
                        \"\${root}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d\")
    file(CREATE_LINK ../${programs}/assay \"\${root}/${CMAKE_INSTALL_BINDIR}/assay\" SYMBOLIC)
    set(assay \"\${root}/${programs}/assay\")
    execute_process(COMMAND \"\${assay}\" manual COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_MANDIR}/man1/assay.1\")
    execute_process(COMMAND \"\${assay}\" completion bash COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/assay\")
    execute_process(COMMAND \"\${assay}\" completion zsh COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_assay\")
    execute_process(COMMAND \"\${assay}\" completion fish COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/assay.fish\")
  ")
  install(FILES README.md docs/machine_readable.md docs/read_results.py docs/waivers.md docs/fleet.md
          LICENSE NOTICE SOURCES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES cmake/debian_copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

  add_library(assay_reference STATIC $<TARGET_OBJECTS:room_reference>)
  set_target_properties(assay_reference PROPERTIES EXPORT_NAME reference)
  target_compile_features(assay_reference INTERFACE cxx_std_20)
  target_include_directories(assay_reference INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/assay>)
  install(TARGETS assay_reference EXPORT assayTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY reference DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay FILES_MATCHING PATTERN "*.h" PATTERN "*.inc"
          PATTERN "*_test.h" EXCLUDE)
  install(EXPORT assayTargets NAMESPACE assay:: DESTINATION ${package} FILE assayConfig.cmake)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/assayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/assayConfigVersion.cmake DESTINATION ${package})

  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME assay)
  set(CPACK_PACKAGE_CONTACT "assay maintainers")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance and fuzz suite for NVIDIA TMA and tcgen05")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6)  # all other libraries are linked in
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endfunction()
