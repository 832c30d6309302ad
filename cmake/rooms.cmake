# SPDX-License-Identifier: Apache-2.0
# A room is a folder. add_room(name [PIC] [TOGETHER] [ALONE regex] [TESTS_ALONE regex] [rooms...]) globs it into an object
# library (a static library would drop files that only register themselves); every *_test.cc becomes part of one test
# program a room, found by add_room_tests(). New files join by existing. TOGETHER: some 30 sources are compiled as one,
# since most of what the compiler does for one of them is the same headers and templates; what two of them keep to
# themselves then needs two names, or each a namespace of its own. Tests always are. ALONE, TESTS_ALONE: those that are not.
# The rooms are those that its tests stand on.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(ASSAY_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them")
option(ASSAY_TOGETHER "compile sources of some rooms several at a time; off: each alone, for work on one of them" ON)
option(ASSAY_STATIC_RUNTIME "link the C++ runtime statically into the program and the emulator" ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

set_property(GLOBAL PROPERTY ASSAY_ROOMS "")
# Instrumented programs are large, of which a test is linked every few seconds.
if(ASSAY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(LLD NAMES ld.lld)
  if(LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# One level of optimisation a preset, CMAKE_CXX_FLAGS_<type> in CMakePresets.json: of equal inline functions the linker
# keeps whichever it meets first, so that two levels in one program make its speed an accident.
# At -O1 alone g++ leaves out vzeroupper, which -fexpensive-optimizations brings back (VectorState.*).

function(assay_compile_settings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # By default it looks for garbage from a heap of 128 MB on, a sixth of its time in which it finds next to nothing.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=2000000)  # in KiB
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE assay_third_party)
  if(ASSAY_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${ASSAY_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # g++ 12 under sanitizers takes parts of std::regex and std::optional for it
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  elseif(ASSAY_STATIC_RUNTIME AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# Compiles the target's sources some 20 to 50 at a time, those that match `alone` by themselves. Which of them come into
# one unit hangs on their names alone: a new file joins the others of one unit, and where their number has doubled each
# unit falls into two. So two files that keep the same name to themselves can meet only if one of them is new.
function(assay_together target alone)
  set(sources ${ARGN})
  if(alone)
    list(FILTER sources EXCLUDE REGEX "${alone}")
  endif()
  list(LENGTH sources count)
  set(units 1)
  while(count GREATER 48)
    math(EXPR units "${units} * 2")
    math(EXPR count "${count} / 2")
  endwhile()
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(MD5 hash ${path})
    string(SUBSTRING ${hash} 0 4 hash)
    math(EXPR unit "0x${hash} % ${units}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(add_room name)
  cmake_parse_arguments(ROOM "PIC;TOGETHER" "ALONE;TESTS_ALONE" "" ${ARGN})
  string(REPLACE "/" "_" target "room_${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cc)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*_test.cc)
  file(GLOB_RECURSE benches CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*_bench.cc)
  list(REMOVE_ITEM sources ${tests} ${benches} "${PROJECT_SOURCE_DIR}/cli/main.cc"
       "${PROJECT_SOURCE_DIR}/kernels/forms/main.cc")
  list(FILTER sources EXCLUDE REGEX "/fuzz/(targets/|words/|main\\.cc$)")
  if(NOT sources)
    set(sources ${PROJECT_SOURCE_DIR}/cmake/empty.cc)
  endif()
  add_library(${target} OBJECT ${sources})
  assay_compile_settings(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(ROOM_PIC)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  # Fuzz targets are linked of single objects, each with options of its own.
  if(ROOM_TOGETHER AND ASSAY_TOGETHER AND NOT ASSAY_FUZZ)
    assay_together(${target} "${ROOM_ALONE}" ${sources})
  endif()
  set_property(GLOBAL PROPERTY ASSAY_ALONE_${name} "${ROOM_TESTS_ALONE}")
  set_property(GLOBAL APPEND PROPERTY ASSAY_ROOMS ${name})
  set_property(GLOBAL PROPERTY ASSAY_TESTS_${name} ${tests})
  set_property(GLOBAL PROPERTY ASSAY_STANDS_ON_${name} ${ROOM_UNPARSED_ARGUMENTS})
endfunction()

function(room_objects out)
  set(objects "")
  foreach(name IN LISTS ARGN)
    string(REPLACE "/" "_" target "room_${name}")
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# A library that is loaded at run time and exports what the version script names.
function(assay_loaded_library name exports)
  add_library(${name} SHARED ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/empty.cc)
  assay_compile_settings(${name})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${exports})
  target_link_options(${name} PRIVATE -Wl,--version-script=${exports})
  if(NOT ASSAY_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL)
  endif()
endfunction()

# Of the emulator what faults stand on, objects of their own.
set(ASSAY_HONEST_STEPS "emulator/\(fault|async/mbarrier|tma/reduction|tma/steps|tensor/tcgen05_scales|tensor/tcgen05_steps|tensor/tmem_steps\)[.]cc")

function(assay_honest_steps_together)
  if(NOT ASSAY_TOGETHER OR ASSAY_FUZZ)
    return()
  endif()
  get_target_property(sources room_devices_emulator SOURCES)
  list(FILTER sources INCLUDE REGEX "${ASSAY_HONEST_STEPS}")
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP honest)
endfunction()

# libassay_emulator.so: a CUDA driver. Nothing of reference/ beyond spec headers may be linked into it, and no fault.
# libassay_cudart.so: the public CUDA runtime on top of a driver; nothing of the emulator is in it.
# libassay_faults.so: the faults, and of the emulator the honest steps that they stand on.
function(add_emulator_library)
  room_objects(objects devices/emulator)
  assay_loaded_library(assay_emulator ${PROJECT_SOURCE_DIR}/devices/emulator/driver/exports.map ${objects})
  room_objects(runtime devices/cudart)
  assay_loaded_library(assay_cudart ${PROJECT_SOURCE_DIR}/devices/cudart/exports.map ${runtime})
  room_objects(faults devices/faults)
  assay_loaded_library(assay_faults ${PROJECT_SOURCE_DIR}/devices/faults/exports.map ${faults}
    $<FILTER:${objects},INCLUDE,unity_honest|${ASSAY_HONEST_STEPS}>)
endfunction()

function(add_assay_program)
  add_library(cli_main OBJECT ${PROJECT_SOURCE_DIR}/cli/main.cc)
  assay_compile_settings(cli_main)
  set_target_properties(cli_main PROPERTIES POSITION_INDEPENDENT_CODE ON)
  room_objects(objects reference generators devices/cuda suites reports cli)
  add_executable(assay_program ${objects} $<TARGET_OBJECTS:cli_main>)
  assay_compile_settings(assay_program)
  target_link_libraries(assay_program PRIVATE assay_kernels)
  # Looked at on every build, written only when it changed.
  add_custom_target(assay_commit BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/cli_version.cc
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PROJECT_BINARY_DIR}/generated/cli_version.cc -DVERSION=${PROJECT_VERSION}
            -DSOURCE=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake)
  target_sources(assay_program PRIVATE ${PROJECT_BINARY_DIR}/generated/cli_version.cc)
  add_dependencies(assay_program assay_commit)
  set_target_properties(assay_program PROPERTIES OUTPUT_NAME assay RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  add_dependencies(assay_program assay_emulator assay_cudart assay_faults)
endfunction()

# One test program a room, one CTest entry a GoogleTest. Environment: where the program, the
# emulator and the test data are.
function(add_room_tests)
  include(GoogleTest)
  get_property(rooms GLOBAL PROPERTY ASSAY_ROOMS)
  foreach(name IN LISTS rooms)
    get_property(tests GLOBAL PROPERTY ASSAY_TESTS_${name})
    get_property(stands_on GLOBAL PROPERTY ASSAY_STANDS_ON_${name})
    if(NOT tests)
      continue()
    endif()
    string(REPLACE "/" "_" target "${name}")
    if(name STREQUAL "devices/faults")
      set(stands_on devices/emulator)
    elseif(name STREQUAL "devices/emulator")
      set(stands_on devices/faults)
    endif()
    room_objects(objects ${name} ${stands_on})
    add_executable(${target}_test ${tests} ${objects})
    assay_compile_settings(${target}_test)
    target_link_libraries(${target}_test PRIVATE GTest::gtest GTest::gtest_main assay_kernels)
    if(ASSAY_TOGETHER)
      get_property(alone GLOBAL PROPERTY ASSAY_ALONE_${name})
      assay_together(${target}_test "${alone}" ${tests})
    endif()
    target_compile_definitions(${target}_test PRIVATE ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                               ASSAY_BINARY_DIR="${PROJECT_BINARY_DIR}"
                               ASSAY_VECTORS="${PROJECT_BINARY_DIR}/vectors")
    if(name MATCHES "^(suites|cli|devices/cuda|devices/emulator|reports)$")
      add_dependencies(${target}_test assay_emulator)
    endif()
    if(name STREQUAL "cli")
      target_sources(cli_test PRIVATE ${PROJECT_BINARY_DIR}/generated/cli_version.cc)
      add_dependencies(cli_test assay_program)
    endif()
    # What takes most of the time: every fault explained, every property on each kind of lying driver and on the paths of
    # silicon, every reading and combinations of them, eleven of twelve faults, signatures of one cause under two seeds, stand-alone programs and those of others (which nvcc compiles),
    # verdicts on a busy host, schedules besides the lazy one and targets that are sm_100 but for a few forms, and of what
    # everyday runs have the cases from the 25th of a property on. `./assay test --long` runs them, CI a share of them.
    set(long Explained/* Of/HostileLies* Targets/Rehearse.* Rival.* EveryReadingLong.* RankedCauses.* FaultLong.* DetectionLong.*
             Of/JudgedShareLong.* FirstContact.Names* Signature.* Families/Reproducer.* BusyHost.*
             Programs.StreamsAndPools* Programs.GraphsWithZstd Programs.CooperativeLaunches Programs.Clusters*
             Programs.HeapOfKernels Programs.Wmma* Programs.CallsThroughPointers Programs.AsynchronousStores*
             Programs.LinkedPtx Programs.MachineCode* Programs.TensorCopies*
             Bends.OneThatAltersNothing* PlacesOfFaults.TheLastColumnOfAGemm* PlacesOfFaults.ABarrier*
             DescriptorRowsOnADevice.AWrongDevice* GemmPipeline.MultipliesAnyShape* Hostile.ARareLaunchError*
             Tcgen05Faults.EachChanges*)
    list(JOIN long ":" long)
    # RapidCheck draws its seed from the clock unless told one: under ctest a commit passes or fails, run by hand a test
    # meets new cases each time. Under sanitizers the first 15 of the 100 cases: models that are slow by design take
    # longest there, and the others run without. All of them under sanitizers are a long test of their own.
    set(cases "")
    if(ASSAY_SANITIZE)
      set(cases " max_success=15")
      if(name MATCHES "^(reference|generators)$")
        add_test(NAME ${name}.AllCases COMMAND ${target}_test)
        set_tests_properties(${name}.AllCases PROPERTIES LABELS long TIMEOUT 7200 ENVIRONMENT "RC_PARAMS=seed=1")
      endif()
    endif()
    set(settings DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 SKIP_REGULAR_EXPRESSION "  SKIPPED "
                 ENVIRONMENT "RC_PARAMS=seed=1${cases}")
    if(name STREQUAL "suites")
      # Silicon.*: a property on a GPU of its own, which a resource spec gives out (`assay doctor
      # --ctest-resources FILE`); without one they take cuda:0, and are skipped where there is none.
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "-Silicon.*:Property.*:${long}" ${settings}
                           LABELS ${target})
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "Explained/*" TEST_LIST longest_suites_tests
                           ${settings} LABELS long COST 200)
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "${long}:-Explained/*"
                           TEST_LIST long_suites_tests ${settings} LABELS long COST 5)
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "Silicon.*" TEST_LIST silicon_tests
                           ${settings} LABELS gpu RESOURCE_GROUPS "gpus:1")
      # Property.*: opening a device takes as long as the cases, so all that run on one stand in one entry. The last
      # entry runs what none of the others does.
      set(others "Property.*-")
      set(first_targets "")
      foreach(mechanism wgmma tcgen05 mma_kinds)
        list(GET ASSAY_TARGETS_has_${mechanism} 0 target_with_it)
        list(APPEND first_targets ${target_with_it})
      endforeach()
      foreach(arch IN LISTS ASSAY_TARGETS)
        foreach(schedule eager lazy random_1)
          set(properties "Property.*.${arch}.${schedule}")
          add_test(NAME suites.Property.${arch}.${schedule} COMMAND suites_test --gtest_filter=${properties})
          set_tests_properties(suites.Property.${arch}.${schedule} PROPERTIES LABELS long TIMEOUT 900 COST 100)
          if(schedule STREQUAL "lazy" AND arch IN_LIST first_targets)
            add_test(NAME suites.Property.${arch}.${schedule}.first COMMAND suites_test --gtest_filter=${properties})
            set_tests_properties(suites.Property.${arch}.${schedule}.first PROPERTIES LABELS suites TIMEOUT 900 COST 100
                                 ENVIRONMENT ASSAY_PROPERTY_CASES=24)
          endif()
          string(APPEND others "*.${arch}.${schedule}:")
        endforeach()
      endforeach()
      add_test(NAME suites.Property.others COMMAND suites_test --gtest_filter=${others})
      set_tests_properties(suites.Property.others PROPERTIES LABELS suites TIMEOUT 900)
    elseif(name STREQUAL "cli")
      # Suites that make one run or one file for all of their tests stand in one entry each.
      set(others "-${long}")
      foreach(suite FirstContactCommand Kill)
        add_test(NAME cli.${suite} COMMAND cli_test --gtest_filter=${suite}.*)
        set_tests_properties(cli.${suite} PROPERTIES LABELS ${target} TIMEOUT 600 COST 20)
        string(APPEND others ":${suite}.*")
      endforeach()
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "${others}" ${settings} LABELS ${target})
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "${long}" TEST_LIST long_cli_tests
                           ${settings} LABELS long COST 50)
    else()
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "-${long}" ${settings} LABELS ${target})
      gtest_discover_tests(${target}_test TEST_PREFIX "${name}." TEST_FILTER "${long}" TEST_LIST long_${target}_tests
                           ${settings} LABELS long COST 5)
    endif()
  endforeach()
endfunction()

# An operation in a folder of its own, its kernel and its device side with it, which no source outside names: what one
# costs to add. Its test is also the fuzz target of all operations.
function(add_toy_operation)
  room_objects(objects suites generators reference devices/cuda reports)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/testdata/toy_operation/*.cc)
  add_kernel_library(toy_operation_kernels ${ASSAY_KERNEL_FOLDERS})
  add_executable(toy_operation_test ${sources} ${objects} $<TARGET_OBJECTS:fuzz_target_property_case>)
  assay_compile_settings(toy_operation_test)
  target_link_libraries(toy_operation_test PRIVATE GTest::gtest fuzz_fuzz toy_operation_kernels)
  target_compile_definitions(toy_operation_test PRIVATE ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             ASSAY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_dependencies(toy_operation_test assay_emulator assay_faults)
  add_test(NAME suites.ToyOperation COMMAND toy_operation_test)
  set_tests_properties(suites.ToyOperation PROPERTIES LABELS suites TIMEOUT 300)
endfunction()

function(add_benchmarks)
  if(ASSAY_SANITIZE)
    return()
  endif()
  if(NOT benchmark_FOUND)
    message(STATUS "Google Benchmark not found: no bench targets")
    return()
  endif()
  file(GLOB benches CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*_bench.cc)
  foreach(source IN LISTS benches)
    get_filename_component(target ${source} NAME_WE)
    room_objects(objects suites generators reports devices/cuda reference devices/emulator)
    add_executable(${target} ${source} ${objects})
    assay_compile_settings(${target})
    target_link_libraries(${target} PRIVATE benchmark::benchmark assay_kernels)
    target_compile_definitions(${target} PRIVATE ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                               ASSAY_BINARY_DIR="${PROJECT_BINARY_DIR}")
    add_dependencies(${target} assay_emulator)
  endforeach()
endfunction()

# What a case costs the host, counted under valgrind and held against bench/ledger.txt.
function(add_ledger)
  find_path(VALGRIND_INCLUDE valgrind/callgrind.h)
  find_program(PYTHON3 NAMES python3)
  if(ASSAY_SANITIZE OR NOT VALGRIND_INCLUDE OR NOT PYTHON3)
    message(STATUS "valgrind or python3 not found, or sanitizers on: no ledger")
    return()
  endif()
  room_objects(objects suites generators reports devices/cuda reference)
  add_executable(ledger ${PROJECT_SOURCE_DIR}/bench/ledger.cc ${objects})
  assay_compile_settings(ledger)
  target_link_libraries(ledger PRIVATE assay_kernels)
  add_dependencies(ledger assay_emulator)
  set(ledger ${PYTHON3} ${PROJECT_SOURCE_DIR}/bench/ledger.py $<TARGET_FILE:ledger> ${PROJECT_SOURCE_DIR}/bench/ledger.txt)
  add_custom_target(write_ledger COMMAND ${ledger} --write USES_TERMINAL)
  add_dependencies(write_ledger ledger)
  add_test(NAME repository.ledger COMMAND ${ledger})
  add_test(NAME repository.ledger_sees_growth COMMAND ${ledger} --test)
  set_tests_properties(repository.ledger repository.ledger_sees_growth PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  set_tests_properties(repository.ledger PROPERTIES LABELS ledger)
endfunction()

function(add_repository_tests)
  add_test(NAME repository.layers COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/layers.cmake
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
  if(CLANG_FORMAT)
    add_test(NAME repository.format COMMAND sh -c
             "git ls-files '*.h' '*.cc' '*.cu' '*.cuh' | xargs ${CLANG_FORMAT} --dry-run --Werror"
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
  find_program(PYTHON3 NAMES python3)
  if(PYTHON3)
    add_test(NAME repository.tidy COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/cmake/tidy.py ${PROJECT_SOURCE_DIR})
    # docs/programs.md against itself and the list of the programs that were run.
    add_test(NAME repository.programs COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/docs/programs/run.py check
             ${PROJECT_SOURCE_DIR}/docs/programs.md)
    # It builds a clone.
    add_test(NAME repository.adding COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/cmake/adding_test.py ${PROJECT_SOURCE_DIR})
    set_tests_properties(repository.adding PROPERTIES LABELS long TIMEOUT 3600 COST 500)
  endif()
  # What stands in for ptxas where a compiler's PTX shall reach the emulated driver.
  set(stand_in ${PROJECT_SOURCE_DIR}/docs/programs/ptxas)
  set(some_ptx ${PROJECT_SOURCE_DIR}/testdata/museum/column_past_512.ptx)
  add_test(NAME repository.ptxas_stand_in COMMAND sh -c
           "${stand_in} --version | grep -q 'release 13' && ${stand_in} -lineinfo -v --gpu-name=sm_100a ${some_ptx} -o stand_in.out && cmp ${some_ptx} stand_in.out && ! ${stand_in} -o stand_in.out 2>/dev/null"
           WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  add_test(NAME repository.launcher COMMAND ${PROJECT_SOURCE_DIR}/cmake/launcher_test.sh ${PROJECT_SOURCE_DIR})
  add_test(NAME repository.corpus COMMAND ${PROJECT_SOURCE_DIR}/cmake/corpus_test.sh ${PROJECT_SOURCE_DIR})
  set_tests_properties(repository.corpus PROPERTIES SKIP_RETURN_CODE 77)
  if(NOT ASSAY_SANITIZE)
    add_test(NAME repository.installation
             COMMAND ${PROJECT_SOURCE_DIR}/cmake/install_test.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    set_tests_properties(repository.installation PROPERTIES LABELS slow TIMEOUT 600 COST 500)
  endif()
  get_filename_component(preset ${PROJECT_BINARY_DIR} NAME)
  add_test(NAME repository.readme_commands
           COMMAND ${PROJECT_SOURCE_DIR}/cmake/readme_commands.sh ${PROJECT_SOURCE_DIR} ${preset} others)
  set_tests_properties(repository.readme_commands PROPERTIES LABELS slow TIMEOUT 1200 COST 1000)
  # It installs clang and builds an engine.
  add_test(NAME repository.readme_fuzz
           COMMAND ${PROJECT_SOURCE_DIR}/cmake/readme_commands.sh ${PROJECT_SOURCE_DIR} ${preset} fuzz)
  set_tests_properties(repository.readme_fuzz PROPERTIES LABELS long TIMEOUT 1200 COST 100)
endfunction()
