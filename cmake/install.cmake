# SPDX-License-Identifier: Apache-2.0
# cmake --install: the program in a folder that can be moved, with the libraries that it loads, and the reference model as
# a library for find_package(assay). `cpack` makes a Debian package and an archive of the same files; the archive runs from
# any folder.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The headers that the example includes, with what these include: those that are promised to stay.
function(public_headers out)
  set(found "")
  set(unread docs/example/own_kernel_test.cc)
  while(unread)
    list(POP_FRONT unread file)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${file} lines REGEX "^#include \"reference/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" header "${line}")
      if(NOT header IN_LIST found)
        list(APPEND found ${header})
        list(APPEND unread ${header})
      endif()
    endforeach()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

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
  install(FILES README.md CHANGELOG.md LICENSE NOTICE SOURCES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
          FILES_MATCHING PATTERN "*.md" PATTERN read_results.py PATTERN report.png)
  install(FILES cmake/debian_copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

  add_library(assay_reference STATIC $<TARGET_OBJECTS:room_reference>)
  set_target_properties(assay_reference PROPERTIES EXPORT_NAME reference)
  target_compile_features(assay_reference INTERFACE cxx_std_20)
  target_include_directories(assay_reference INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/assay>)
  install(TARGETS assay_reference EXPORT assayTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  public_headers(headers)
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay/${folder})
  endforeach()
  install(EXPORT assayTargets NAMESPACE assay:: DESTINATION ${package} FILE assayConfig.cmake)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/assayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/assayConfigVersion.cmake DESTINATION ${package})

  set(CPACK_GENERATOR DEB TXZ)
  set(CPACK_ARCHIVE_FILE_NAME assay-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_THREADS 0)  # all cores
  set(CPACK_PACKAGE_NAME assay)
  set(CPACK_PACKAGE_CONTACT "assay maintainers")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance and fuzz suite for NVIDIA TMA and tcgen05")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6)  # all other libraries are linked in
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endfunction()
