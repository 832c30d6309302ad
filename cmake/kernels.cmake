# Kernels: PTX text from kernels/ptx always; cubins where nvcc 13 is there. Both are embedded in the program, where
# devices/cuda/images.h finds them. The text in kernels/ptx is one a kernel file, in which statements stand for the
# forms of an instruction (kernels/forms/form.h); expand_forms spells them for each target. Target regenerate_ptx
# writes kernels/ptx anew; the test kernels.ptx compares.
include(kernel_targets)
set(ASSAY_NVCC_FLAGS -std=c++20 -O3 --expt-relaxed-constexpr -I${PROJECT_SOURCE_DIR})

find_program(ASSAY_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
set(ASSAY_NVCC_VERSION "")
if(ASSAY_NVCC)
  execute_process(COMMAND ${ASSAY_NVCC} --version OUTPUT_VARIABLE text ERROR_QUIET)
  string(REGEX MATCH "V([0-9]+)\\.([0-9]+)\\.([0-9]+)" version "${text}")
  if(CMAKE_MATCH_1 EQUAL 13)
    string(SUBSTRING "${version}" 1 -1 ASSAY_NVCC_VERSION)
  endif()
endif()
if(ASSAY_NVCC_VERSION)
  message(STATUS "nvcc ${ASSAY_NVCC_VERSION}: cubins are built")
else()
  message(STATUS "no nvcc 13: kernels are embedded as PTX text only")
endif()

function(add_kernels)
  add_library(assay_forms STATIC $<TARGET_OBJECTS:room_kernels_forms>)
  set_target_properties(assay_forms PROPERTIES LINKER_LANGUAGE CXX)
  add_executable(expand_forms ${PROJECT_SOURCE_DIR}/kernels/forms/main.cc)
  assay_compile_settings(expand_forms)
  target_link_libraries(expand_forms PRIVATE assay_forms)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/kernels)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cu)
  set(text "#include \"kernels/params/image.h\"\n")
  set(rows "")
  set(files "")
  set(fresh_texts "")
  set(count 0)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    kernel_targets(${name} targets)
    list(GET targets 0 first_target)
    set(fresh ${PROJECT_BINARY_DIR}/kernels/${name}.ptx)
    if(ASSAY_NVCC_VERSION)
      add_custom_command(OUTPUT ${fresh}
        COMMAND ${ASSAY_NVCC} ${ASSAY_NVCC_FLAGS} -arch=${first_target} -ptx -MD -MF ${fresh}.d -o ${fresh} ${source}
        DEPENDS ${source} DEPFILE ${fresh}.d COMMENT "PTX ${name}" VERBATIM)
      list(APPEND fresh_texts ${fresh})
    endif()
    foreach(target IN LISTS targets)
      set(kinds ptx)
      if(ASSAY_NVCC_VERSION)
        list(PREPEND kinds cubin)
      endif()
      foreach(kind IN LISTS kinds)
        if(kind STREQUAL "cubin")
          set(file ${PROJECT_BINARY_DIR}/kernels/${name}.${target}.cubin)
          add_custom_command(OUTPUT ${file}
            COMMAND expand_forms ${fresh} ${target} ${file}.ptx
            COMMAND ${ASSAY_NVCC} -arch=${target} -cubin -o ${file} ${file}.ptx
            DEPENDS ${fresh} expand_forms COMMENT "cubin ${name} ${target}" VERBATIM)
        else()
          set(kept ${PROJECT_SOURCE_DIR}/kernels/ptx/${name}.ptx)
          set(file ${PROJECT_BINARY_DIR}/kernels/${name}.${target}.ptx)
          add_custom_command(OUTPUT ${file} COMMAND expand_forms ${kept} ${target} ${file}
            DEPENDS ${kept} expand_forms COMMENT "PTX ${name} ${target}" VERBATIM)
        endif()
        list(APPEND files ${file})
        string(APPEND text "asm(\".pushsection .rodata\\n.balign 64\\nassay_image_${count}_begin:\\n\"\n"
          "    \".incbin \\\"${file}\\\"\\nassay_image_${count}_end:\\n.byte 0\\n.popsection\");\n"
          "extern \"C\" __attribute__((visibility(\"hidden\"))) const unsigned char assay_image_${count}_begin[], "
          "assay_image_${count}_end[];\n")
        string(APPEND rows "    {\"${name}\", \"${target}\", \"${kind}\", assay_image_${count}_begin, "
                           "assay_image_${count}_end},\n")
        math(EXPR count "${count} + 1")
      endforeach()
    endforeach()
  endforeach()
  string(APPEND text "const AssayKernelImage assay_kernel_images[] = {\n${rows}};\n"
                     "const size_t assay_kernel_image_count = ${count};\n")
  set(table ${PROJECT_BINARY_DIR}/generated/kernel_images.cc)
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  # Of those that ptxas takes longest over, the names come last: begun first, they have the others beside them.
  list(REVERSE files)
  set_source_files_properties(${table} PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(assay_kernels STATIC ${table})
  target_link_libraries(assay_kernels PUBLIC assay_forms)
  target_include_directories(assay_kernels PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(assay_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON)

  # The host path's own driver header, held against the toolkit's.
  get_filename_component(toolkit "${ASSAY_NVCC}" REALPATH)
  get_filename_component(toolkit "${toolkit}" DIRECTORY)
  if(EXISTS ${toolkit}/../include/cuda.h)
    add_library(assay_driver_api_check OBJECT ${PROJECT_SOURCE_DIR}/devices/cuda/driver_api_check.cc)
    target_include_directories(assay_driver_api_check PRIVATE ${PROJECT_SOURCE_DIR} ${toolkit}/../include)
    add_dependencies(assay_kernels assay_driver_api_check)
  endif()

  set(ptx_script ${CMAKE_COMMAND} -DVERSION=${ASSAY_NVCC_VERSION} -DKERNELS=${PROJECT_SOURCE_DIR}/kernels
    -DBUILT=${PROJECT_BINARY_DIR}/kernels)
  add_custom_target(regenerate_ptx COMMAND ${ptx_script} -DMODE=write -P ${PROJECT_SOURCE_DIR}/cmake/ptx.cmake
                    DEPENDS ${fresh_texts} VERBATIM)
  add_test(NAME kernels.ptx COMMAND ${ptx_script} -DMODE=compare -P ${PROJECT_SOURCE_DIR}/cmake/ptx.cmake)
  set_tests_properties(kernels.ptx PROPERTIES SKIP_REGULAR_EXPRESSION "declined:" TIMEOUT 60)
endfunction()
