# SPDX-License-Identifier: Apache-2.0
# Kernels: a folder of them holds NAME.cu, what these include, records in NAME.h or params/NAME.h, and PTX text in
# ptx/NAME.ptx always; cubins are built where nvcc 13 is there. Both are embedded in a library, where
# devices/cuda/images.h finds them, together with the sources. The PTX is one a kernel file, in which statements stand
# for the forms of an instruction (kernels/forms/form.h); expand_forms spells them for each target. Target regenerate_ptx
# writes ptx/ of all folders anew; the test kernels.ptx compares.
set(ASSAY_PRODUCT_KERNEL_FOLDERS kernels)
foreach(subject barrier bulk_copy mma pipeline screen tensor_copy tensor_map tmem warp_mma)
  list(APPEND ASSAY_PRODUCT_KERNEL_FOLDERS kernels/${subject})
endforeach()
set(ASSAY_KERNEL_FOLDERS ${ASSAY_PRODUCT_KERNEL_FOLDERS} testdata/toy_operation)
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
# A target that it does not know has PTX text alone.
set(ASSAY_NVCC_TARGETS "")
if(ASSAY_NVCC_VERSION)
  execute_process(COMMAND ${ASSAY_NVCC} --list-gpu-code OUTPUT_VARIABLE text ERROR_QUIET)
  string(REGEX MATCHALL "sm_[0-9]+" known "${text}")
  foreach(target IN LISTS known)
    list(APPEND ASSAY_NVCC_TARGETS ${target}a)
  endforeach()
  message(STATUS "nvcc ${ASSAY_NVCC_VERSION}: cubins are built")
else()
  message(STATUS "no nvcc 13: kernels are embedded as PTX text only")
endif()

# Builds the PTX and the cubins of a folder, for add_kernel_library(): property ASSAY_IMAGES_folder, with
# name|target|kind|file of each.
function(assay_build_kernels folder)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cu)
  set(images "")
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    kernel_targets(${name} targets)
    kernel_ptx(${name} ptx)
    list(GET targets 0 first_target)
    set(fresh ${PROJECT_BINARY_DIR}/${folder}/${name}.ptx)
    if(ASSAY_NVCC_VERSION)
      add_custom_command(OUTPUT ${fresh}
        COMMAND ${ASSAY_NVCC} ${ASSAY_NVCC_FLAGS} -arch=${first_target} -ptx -MD -MF ${fresh}.d -o ${fresh} ${source}
        DEPENDS ${source} DEPFILE ${fresh}.d COMMENT "PTX ${name}" VERBATIM)
      set_property(GLOBAL APPEND PROPERTY ASSAY_FRESH_PTX ${fresh})
    endif()
    foreach(target IN LISTS targets)
      if(target IN_LIST ASSAY_NVCC_TARGETS)
        set(file ${PROJECT_BINARY_DIR}/${folder}/${name}.${target}.cubin)
        add_custom_command(OUTPUT ${file}.ptx COMMAND expand_forms ${fresh} ${target} ${ptx} ${file}.ptx
          DEPENDS ${fresh} expand_forms COMMENT "fresh PTX ${name} ${target}" VERBATIM)
        add_custom_command(OUTPUT ${file} COMMAND ${ASSAY_NVCC} -arch=${target} -cubin -o ${file} ${file}.ptx
          DEPENDS ${file}.ptx COMMENT "cubin ${name} ${target}" VERBATIM)
        list(APPEND images "${name}|${target}|cubin|${file}")
      endif()
      set(kept ${PROJECT_SOURCE_DIR}/${folder}/ptx/${name}.ptx)
      set(file ${PROJECT_BINARY_DIR}/${folder}/${name}.${target}.ptx)
      add_custom_command(OUTPUT ${file} COMMAND expand_forms ${kept} ${target} ${ptx} ${file}
        DEPENDS ${kept} expand_forms COMMENT "PTX ${name} ${target}" VERBATIM)
      list(APPEND images "${name}|${target}|ptx|${file}")
    endforeach()
  endforeach()
  set_property(GLOBAL PROPERTY ASSAY_IMAGES_${folder} ${images})
endfunction()

# The kernels of some folders, embedded: a program links one such library.
function(add_kernel_library library)
  set(text "#include \"kernels/params/image.h\"\n")
  set(rows "")
  set(files "")
  set(count 0)
  foreach(folder IN LISTS ARGN)
    get_property(images GLOBAL PROPERTY ASSAY_IMAGES_${folder})
    foreach(image IN LISTS images)
      string(REGEX MATCH "^(.*)\\|(.*)\\|(.*)\\|(.*)$" image "${image}")
      set(begin assay_image_${count}_begin)
      set(end assay_image_${count}_end)
      list(APPEND files ${CMAKE_MATCH_4})
      string(APPEND text "asm(\".pushsection .rodata\\n.balign 64\\n${begin}:\\n\"\n"
        "    \".incbin \\\"${CMAKE_MATCH_4}\\\"\\n${end}:\\n.byte 0\\n.popsection\");\n"
        "extern \"C\" __attribute__((visibility(\"hidden\"))) const unsigned char ${begin}[], ${end}[];\n")
      string(APPEND rows "    {\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", ${begin}, ${end}},\n")
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
  string(APPEND text "const AssayKernelImage assay_kernel_images[] = {\n${rows}};\n"
                     "const size_t assay_kernel_image_count = ${count};\n")
  set(table ${PROJECT_BINARY_DIR}/generated/${library}_images.cc)
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  # Of those that ptxas takes longest over, the names come last: begun first, they have the others beside them.
  list(REVERSE files)
  set_source_files_properties(${table} PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(${library} STATIC ${table})
  target_link_libraries(${library} PUBLIC assay_forms)
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_kernel_sources(${library} ${ARGN})
endfunction()

function(add_kernels)
  add_library(assay_forms STATIC $<TARGET_OBJECTS:room_kernels_forms>)
  set_target_properties(assay_forms PROPERTIES LINKER_LANGUAGE CXX)
  add_executable(expand_forms ${PROJECT_SOURCE_DIR}/kernels/forms/main.cc)
  assay_compile_settings(expand_forms)
  target_link_libraries(expand_forms PRIVATE assay_forms)
  foreach(folder IN LISTS ASSAY_KERNEL_FOLDERS)
    assay_build_kernels(${folder})
  endforeach()
  add_kernel_library(assay_kernels ${ASSAY_PRODUCT_KERNEL_FOLDERS})

  # The host path's own driver header, held against the toolkit's.
  get_filename_component(toolkit "${ASSAY_NVCC}" REALPATH)
  get_filename_component(toolkit "${toolkit}" DIRECTORY)
  if(EXISTS ${toolkit}/../include/cuda.h)
    add_library(assay_driver_api_check OBJECT ${PROJECT_SOURCE_DIR}/devices/cuda/driver_api_check.cc)
    target_include_directories(assay_driver_api_check PRIVATE ${PROJECT_SOURCE_DIR} ${toolkit}/../include)
    add_dependencies(assay_kernels assay_driver_api_check)
  endif()

  get_property(fresh_texts GLOBAL PROPERTY ASSAY_FRESH_PTX)
  set(ptx_script ${CMAKE_COMMAND} -DVERSION=${ASSAY_NVCC_VERSION} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DBUILT=${PROJECT_BINARY_DIR})
  set(folders "-DFOLDERS=${ASSAY_KERNEL_FOLDERS}")
  set(targets "-DTARGETS=${ASSAY_NVCC_TARGETS}")
  add_custom_target(regenerate_ptx
                    COMMAND ${ptx_script} "${folders}" "${targets}" -DMODE=write -P ${PROJECT_SOURCE_DIR}/cmake/ptx.cmake
                    DEPENDS ${fresh_texts} VERBATIM)
  add_test(NAME kernels.ptx COMMAND ${ptx_script} "${folders}" "${targets}" -DMODE=compare -P ${PROJECT_SOURCE_DIR}/cmake/ptx.cmake)
  get_filename_component(ptxas "${ASSAY_NVCC}" DIRECTORY)
  add_test(NAME kernels.ptx_versions COMMAND ${CMAKE_COMMAND} -DPTXAS=${ptxas}/ptxas -DBUILT=${PROJECT_BINARY_DIR}
           -P ${PROJECT_SOURCE_DIR}/cmake/ptx_versions.cmake)
  set_tests_properties(kernels.ptx kernels.ptx_versions PROPERTIES SKIP_REGULAR_EXPRESSION "declined:" TIMEOUT 60)
endfunction()
