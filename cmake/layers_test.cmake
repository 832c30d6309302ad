# SPDX-License-Identifier: Apache-2.0
# Plants each kind of breach in a small tree and sees layers.cmake name it; an honest tree passes.
#   cmake -DTREE=folder -P cmake/layers_test.cmake
if(NOT TREE)
  message(FATAL_ERROR "no folder for the trees: -DTREE=...")
endif()

# An honest tree. Every room includes something that it may.
function(plant_honest_tree)
  file(REMOVE_RECURSE ${TREE})
  file(WRITE ${TREE}/reference/spec/formats.h "#pragma once\n#include <string>\n")
  file(WRITE ${TREE}/reference/spec/rules.h "#pragma once\n#include \"reference/spec/formats.h\"\n")
  file(WRITE ${TREE}/reference/layout/swizzle.h "#pragma once\n#include \"reference/spec/formats.h\"\n")
  file(WRITE ${TREE}/reference/numerics/exact.h "#pragma once\n#include \"reference/spec/formats.h\"\n")
  file(WRITE ${TREE}/reference/model/tiled.h "#pragma once\n#include \"reference/layout/swizzle.h\"\n")
  file(WRITE ${TREE}/reference/model/tiled.cc "#include \"reference/model/tiled.h\"\n")
  file(WRITE ${TREE}/devices/emulator/gpu.h "#pragma once\n#include \"reference/spec/formats.h\"\n#include <cstring>\n")
  file(WRITE ${TREE}/devices/emulator/gpu.cc "#include \"devices/emulator/gpu.h\"\n// #include \"reference/model/tiled.h\"\n")
  file(WRITE ${TREE}/devices/emulator/encode/encode_tiled.h "#pragma once\n#include \"devices/emulator/gpu.h\"\n")
  file(WRITE ${TREE}/devices/emulator/tensor/adder.h "#pragma once\n#include \"devices/emulator/machine/step.h\"\n")
  file(WRITE ${TREE}/devices/emulator/machine/step.h "#pragma once\n")
  file(WRITE ${TREE}/devices/emulator/machine/step_test.cc "#include \"devices/emulator/tensor/adder.h\"\n")
  file(WRITE ${TREE}/devices/emulator/rows.txt "#include \"reference/model/tiled.h\"\n")
  file(WRITE ${TREE}/kernels/params/batch.h "#pragma once\n")
  file(WRITE ${TREE}/kernels/ptx.cuh "#pragma once\n")
  file(WRITE ${TREE}/suites/operations/bulk/bulk_case.h "#pragma once\n")
  file(WRITE ${TREE}/suites/vectors/csv.h "#pragma once\n")
  file(WRITE ${TREE}/suites/run/open_test.cc "#include \"suites/operations/bulk/bulk_case.h\"\n")
  file(WRITE ${TREE}/suites/run.cc "#include \"reference/model/tiled.h\"\n#include \"kernels/params/batch.h\"\n")
endfunction()

function(judge out_result out_text)
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${TREE} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/layers.cmake
                  RESULT_VARIABLE result ERROR_VARIABLE text OUTPUT_QUIET)
  set(${out_result} ${result} PARENT_SCOPE)
  set(${out_text} "${text}" PARENT_SCOPE)
endfunction()

set(failures "")
plant_honest_tree()
judge(result text)
if(NOT result EQUAL 0)
  list(APPEND failures "an honest tree is refused: ${text}")
endif()

# breach(what, file, its text, words of the message). Files that exist are replaced.
function(breach what file text)
  plant_honest_tree()
  file(WRITE ${TREE}/${file} "${text}")
  judge(result text)
  foreach(words IN LISTS ARGN ITEMS ${file})
    string(FIND "${text}" "${words}" at)
    if(result EQUAL 0 OR at EQUAL -1)
      list(APPEND failures "${what}: not named (${words}): ${text}")
    endif()
  endforeach()
  set(failures "${failures}" PARENT_SCOPE)
endfunction()

set(emulator_to_model "devices/emulator may not include reference/model/tiled.h")
breach("quotes" devices/emulator/a.cc "#include \"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("angle brackets" devices/emulator/a.cc "#include <reference/model/tiled.h>\n" ${emulator_to_model})
breach("a blank after #" devices/emulator/a.cc "#  include \"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("blanks before #" devices/emulator/a.cc " \t# include \"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("no blank" devices/emulator/a.cc "#include\"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("the other spelling of #" devices/emulator/a.cc "%:include \"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("a comment between" devices/emulator/a.cc "#/* x */include /* y */ \"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("a path that climbs" devices/emulator/a.cc "#include \"../../reference/model/tiled.h\"\n" ${emulator_to_model})
breach("a path that winds" devices/emulator/a.cc "#include \"reference/spec/../model/tiled.h\"\n" ${emulator_to_model})
breach("include_next" devices/emulator/a.h "#include_next <reference/model/tiled.h>\n" ${emulator_to_model})
breach("a name that is computed" devices/emulator/a.cc "#include WHERE\n" "cannot tell what this line includes")
breach("a line that goes on" devices/emulator/a.cc "#include \\\n\"reference/model/tiled.h\"\n" "cannot tell what")
breach("a file that is not there" devices/emulator/a.cc "#include \"reference/model/none.h\"\n" "which is not there")
foreach(suffix inc def c hpp ipp)
  breach(".${suffix}" devices/emulator/a.${suffix} "#include \"reference/model/tiled.h\"\n" ${emulator_to_model})
endforeach()
breach("the tables reach the layouts" reference/spec/formats.h "#include \"reference/layout/swizzle.h\"\n"
       "reference/spec may not include reference/layout/swizzle.h")
breach("by way of a header" reference/spec/formats.h "#include \"reference/layout/swizzle.h\"\n"
       "reference/spec/formats.h, by way of devices/emulator/gpu.h: devices/emulator may not include reference/layout/swizzle.h")
breach("by way of a file of any suffix" devices/emulator/gpu.h "#include \"devices/emulator/rows.txt\"\n"
       "devices/emulator/rows.txt, by way of devices/emulator/gpu.h: ${emulator_to_model}")
breach("the rules of the reference" devices/emulator/a.cc "#include \"reference/spec/rules.h\"\n"
       "devices/emulator may not include reference/spec/rules.h")
breach("a circle in the emulator" devices/emulator/tma/steps.h "#include \"devices/emulator/encode/encode_tiled.h\"\n"
       "devices/emulator/tma may not include devices/emulator/encode/encode_tiled.h")
breach("a part of the emulator reaches what is above" devices/emulator/machine/turn.cc
       "#include \"devices/emulator/tensor/adder.h\"\n"
       "devices/emulator/machine may not include devices/emulator/tensor/adder.h")
breach("the rules, from a part of the emulator" devices/emulator/machine/turn.cc "#include \"reference/spec/rules.h\"\n"
       "devices/emulator/machine may not include reference/spec/rules.h")
breach("a test of a part of the emulator reaches the model" devices/emulator/machine/turn_test.cc
       "#include \"devices/emulator/tensor/adder.h\"\n#include \"reference/model/tiled.h\"\n" ${emulator_to_model})
breach("the engine reaches an operation" suites/run/conductor.cc "#include \"suites/operations/bulk/bulk_case.h\"\n"
       "suites/run may not include suites/operations/bulk/bulk_case.h")
breach("an operation reaches the vectors" suites/operations/bulk/bulk_case.cc "#include \"suites/vectors/csv.h\"\n"
       "suites/operations may not include suites/vectors/csv.h")
breach("a parameter header reaches a kernel" kernels/params/batch.h "#include \"kernels/ptx.cuh\"\n"
       "kernels/params/batch.h, by way of suites/run.cc: suites may not include kernels/ptx.cuh")
breach("the layouts reach the model" reference/layout/swizzle.h "#include \"reference/model/tiled.h\"\n"
       "reference/layout may not include reference/model/tiled.h")
breach("the model reaches a device" reference/model/tiled.cc "#include <devices/emulator/gpu.h>\n"
       "reference may not include devices/emulator/gpu.h")

file(REMOVE_RECURSE ${TREE})
if(failures)
  list(JOIN failures "\n" text)
  message(FATAL_ERROR "${text}")
endif()
