# SPDX-License-Identifier: Apache-2.0
# The text of the kernels of some folders, embedded for the stand-alone programs that show a failure
# (suites/failure/replay.h).
function(add_kernel_sources library)
  set(patterns "")
  foreach(folder IN LISTS ARGN)
    foreach(pattern *.cu *.cuh *.h params/*.h params/*.inc)
      list(APPEND patterns ${PROJECT_SOURCE_DIR}/${folder}/${pattern})
    endforeach()
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
  list(APPEND sources reference/spec/mma_kind.h)  # which records have
  set(text "#include \"kernels/params/source.h\"\n")
  set(rows "")
  set(files "")
  set(count 0)
  foreach(source IN LISTS sources)
    list(APPEND files ${PROJECT_SOURCE_DIR}/${source})
    string(APPEND text "asm(\".pushsection .rodata\\nassay_source_${count}:\\n\"\n"
      "    \".incbin \\\"${PROJECT_SOURCE_DIR}/${source}\\\"\\n.byte 0\\n.popsection\");\n"
      "extern \"C\" __attribute__((visibility(\"hidden\"))) const char assay_source_${count}[];\n")
    string(APPEND rows "    {\"${source}\", assay_source_${count}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  string(APPEND text "const AssayKernelSource assay_kernel_sources[] = {\n${rows}};\n"
                     "const size_t assay_kernel_source_count = ${count};\n")
  set(table ${PROJECT_BINARY_DIR}/generated/${library}_sources.cc)
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  set_source_files_properties(${table} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${library} PRIVATE ${table})
endfunction()
