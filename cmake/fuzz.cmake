# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: every file of fuzz/targets becomes fuzz_NAME, a program that replays inputs, whose run over its corpus
# is a test; where the compiler is clang and ASSAY_FUZZ is on (preset fuzz) also libfuzzer_NAME. The corpus NAME is
# fuzz/corpus/NAME.tar.xz, unpacked into the folder corpus/NAME of the build.
option(ASSAY_FUZZ "build libFuzzer targets: clang, ASSAY_SANITIZE with fuzzer-no-link" OFF)

# The rooms that a target stands on besides fuzz and reference. PART/devices/emulator: only what is used of it,
# and no instruction that registers itself; an engine looks at a counter of every branch that is linked, after
# every input. WORD: of reference and fuzz only what is about one word, so that an engine is built in seconds.
set(ASSAY_FUZZ_ROOMS_empty WORD)
set(ASSAY_FUZZ_ROOMS_smem_desc WORD)
set(ASSAY_FUZZ_ROOMS_instr_desc WORD PART/devices/emulator)
set(ASSAY_FUZZ_ROOMS_zero_column_mask WORD)
set(ASSAY_FUZZ_ROOMS_describe WORD)
set(ASSAY_FUZZ_ROOMS_tensor_map PART/devices/emulator)
set(ASSAY_FUZZ_ROOMS_encode_tiled generators PART/devices/emulator)
set(ASSAY_FUZZ_ROOMS_encode_im2col generators PART/devices/emulator)
set(ASSAY_FUZZ_ROOMS_tiled_copy generators PART/devices/emulator)
set(ASSAY_FUZZ_ROOMS_ptx devices/emulator)
set(ASSAY_FUZZ_ROOMS_ptx_kernel devices/emulator)
set(ASSAY_FUZZ_ROOMS_expectations reports)
set(ASSAY_FUZZ_ROOMS_results_db reports)
set(ASSAY_FUZZ_ROOMS_property_case suites generators reports devices/cuda)
set(ASSAY_FUZZ_ROOMS_case_json suites generators reports devices/cuda)
set(ASSAY_FUZZ_ROOMS_vector_csv suites generators reports devices/cuda)
# Mutants that the test of a target runs besides its corpus.
set(ASSAY_FUZZ_MUTANTS 2000)
set(ASSAY_FUZZ_MUTANTS_property_case 200)
# `assay fuzz` builds from here.
set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/commands/fuzz.cc PROPERTIES
                            COMPILE_DEFINITIONS "ASSAY_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")

# What runs for every input, a million times a second. Their mutators change fields by their tables and never
# take an operand of a comparison that the engine has seen, and what is called indirectly are the rows of a table,
# always in turn, so that noting each would be for nothing.
set(assay_fuzz_hot_options -fno-sanitize-coverage=trace-cmp,indirect-calls)
function(assay_fuzz_hot target)
  if(ASSAY_FUZZ)
    target_compile_options(${target} PRIVATE ${assay_fuzz_hot_options})
  endif()
endfunction()
# Of the emulator what the targets of one descriptor or one map run.
if(ASSAY_FUZZ)
  set_property(SOURCE devices/emulator/encode/encode.cc
                      devices/emulator/encode/map_encoder.cc devices/emulator/tensor/tcgen05_desc.cc
                      devices/emulator/tma/apply.cc devices/emulator/tma/plan.cc devices/emulator/tma/read_map.cc
               APPEND PROPERTY COMPILE_OPTIONS ${assay_fuzz_hot_options})
  # Which rules a word breaks are cells of its target: branches inside the rules would tell the engine that again.
  set_property(SOURCE reference/spec/instr_desc_rules.cc
               APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
endif()

function(assay_unpack_corpus name)
  set(archive ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}.tar.xz)
  set(folder ${PROJECT_BINARY_DIR}/corpus/${name})
  if(NOT EXISTS ${archive})
    message(FATAL_ERROR "${archive} is missing; `fuzz/add_to_corpus.sh ${name} FILE` makes it of a first input")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${archive})
  if(${archive} IS_NEWER_THAN ${folder}.unpacked)  # true as well where the latter is missing
    file(REMOVE_RECURSE ${folder})
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder})
    file(TOUCH ${folder}.unpacked)
  endif()
endfunction()

function(assay_fuzz_target name)
  add_library(fuzz_target_${name} OBJECT EXCLUDE_FROM_ALL ${ARGN})
  assay_compile_settings(fuzz_target_${name})
  assay_fuzz_hot(fuzz_target_${name})
endfunction()

# fuzz_NAME: some sources of a room, compiled as all of them are, into objects of their own: a target then waits for no
# others.
function(assay_fuzz_part name room filter regex)
  string(REPLACE "/" "_" target "room_${room}")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources ${filter} REGEX "${regex}")
  add_library(fuzz_${name} STATIC EXCLUDE_FROM_ALL ${sources})
  assay_compile_settings(fuzz_${name})
  set_target_properties(fuzz_${name} PROPERTIES COMPILE_OPTIONS "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
endfunction()

# libfuzzer_NAME: the target with the engine, and what else it is linked of.
function(assay_fuzz_engine name)
  add_executable(libfuzzer_${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:fuzz_target_${name}>)
  set_target_properties(libfuzzer_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_options(libfuzzer_${name} PRIVATE -fsanitize=fuzzer)
  assay_compile_settings(libfuzzer_${name})
  target_link_libraries(libfuzzer_${name} PRIVATE ${ARGN})
endfunction()

function(add_fuzz_targets)
  assay_fuzz_hot(room_reference)
  assay_fuzz_hot(room_fuzz)
  if(ASSAY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # A driver's entries are called by this program's own types of them, whatever the driver calls its types.
    target_compile_options(room_devices_cuda PRIVATE -fno-sanitize=function)
  endif()
  # Rooms in which files register themselves go in whole, these by what is used of them.
  set(archived reference generators reports fuzz)
  foreach(room IN LISTS archived)
    add_library(fuzz_${room} STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:room_${room}>)
    set_target_properties(fuzz_${room} PROPERTIES LINKER_LANGUAGE CXX)
  endforeach()
  set(word_archives fuzz_fuzz assay_forms fuzz_reference)
  if(ASSAY_FUZZ)
    assay_fuzz_part(emulator devices/emulator EXCLUDE "emulator/(alu|driver|insns|machine|ptx)/|/gpu[.]cc")
    assay_fuzz_part(spec reference INCLUDE "reference/spec/")
    assay_fuzz_part(word fuzz INCLUDE "fuzz/target[.]cc")
    set(word_archives fuzz_word fuzz_spec)
  else()
    room_objects(objects devices/emulator)
    add_library(fuzz_emulator STATIC EXCLUDE_FROM_ALL ${objects})
    set_target_properties(fuzz_emulator PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  add_library(fuzz_main OBJECT ${PROJECT_SOURCE_DIR}/fuzz/main.cc)
  assay_compile_settings(fuzz_main)
  if(ASSAY_SANITIZE)
    target_compile_definitions(fuzz_main PRIVATE ASSAY_SANITIZED)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/targets/*.cc)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    if(NOT DEFINED ASSAY_FUZZ_ROOMS_${name})
      message(FATAL_ERROR "${source}: cmake/fuzz.cmake does not say which rooms it stands on")
    endif()
    set(whole ${ASSAY_FUZZ_ROOMS_${name}})
    list(REMOVE_ITEM whole ${archived} PART/devices/emulator WORD)
    room_objects(objects ${whole})
    set(archives fuzz_fuzz assay_forms)
    set(lowest fuzz_reference)
    if("WORD" IN_LIST ASSAY_FUZZ_ROOMS_${name})
      set(archives "")
      set(lowest ${word_archives})
    endif()
    if("PART/devices/emulator" IN_LIST ASSAY_FUZZ_ROOMS_${name})
      list(APPEND archives fuzz_emulator)
    endif()
    foreach(room reports generators)
      if(room IN_LIST ASSAY_FUZZ_ROOMS_${name})
        list(APPEND archives fuzz_${room})
      endif()
    endforeach()
    list(APPEND archives ${lowest})
    # How inputs of one word are changed is a file of its own: the same mutator without the target is what an engine
    # costs by itself (libfuzzer_empty_NAME).
    set(words ${PROJECT_SOURCE_DIR}/fuzz/words/${name}.cc)
    if(name STREQUAL "empty")
      set(words ${PROJECT_SOURCE_DIR}/fuzz/words/smem_desc.cc)
    elseif(NOT EXISTS ${words})
      set(words "")
    elseif(ASSAY_FUZZ)
      assay_fuzz_target(empty_${name} ${PROJECT_SOURCE_DIR}/fuzz/targets/empty.cc ${words})
      assay_fuzz_engine(empty_${name} ${word_archives})
    endif()
    assay_fuzz_target(${name} ${source} ${words})
    set(programs fuzz_${name})
    add_executable(fuzz_${name} $<TARGET_OBJECTS:fuzz_main> $<TARGET_OBJECTS:fuzz_target_${name}> ${objects})
    assay_compile_settings(fuzz_${name})
    target_link_libraries(fuzz_${name} PRIVATE ${archives})
    if(ASSAY_FUZZ)
      assay_fuzz_engine(${name} ${objects} ${archives})
      list(APPEND programs libfuzzer_${name})
    endif()
    foreach(program IN LISTS programs)
      if("suites" IN_LIST ASSAY_FUZZ_ROOMS_${name} OR "devices/cuda" IN_LIST ASSAY_FUZZ_ROOMS_${name})
        target_link_libraries(${program} PRIVATE assay_kernels)
        add_dependencies(${program} assay_emulator)
      endif()
    endforeach()
    set(mutants ${ASSAY_FUZZ_MUTANTS})
    if(DEFINED ASSAY_FUZZ_MUTANTS_${name})
      set(mutants ${ASSAY_FUZZ_MUTANTS_${name}})
    endif()
    assay_unpack_corpus(${name})
    add_test(NAME fuzz.corpus.${name}
             COMMAND fuzz_${name} --mutate ${mutants} ${PROJECT_BINARY_DIR}/corpus/${name})
    set_tests_properties(fuzz.corpus.${name} PROPERTIES TIMEOUT 300 LABELS fuzz)
    if(NOT name STREQUAL "empty")  # a corpus that no longer gets anywhere, such as files of an older version
      set_tests_properties(fuzz.corpus.${name} PROPERTIES FAIL_REGULAR_EXPRESSION "inputs, 0 past the parser")
    endif()
  endforeach()
endfunction()
