# SPDX-License-Identifier: Apache-2.0
# Which targets a kernel file is built for: those whose instructions it uses, by the mechanism that a row of
# reference/spec/arch.h must have. Its PTX text is written once, for the first of them; kernels/forms sets in what
# differs between targets.
set(ASSAY_KERNEL_NEEDS_wgmma has_wgmma)
set(ASSAY_KERNEL_NEEDS_mma_sync_kind has_mma_kinds)
set(ASSAY_KERNEL_NEEDS_tcgen05_mma has_tcgen05)
set(ASSAY_KERNEL_NEEDS_tmem_ld_st has_tcgen05)
set(ASSAY_KERNEL_NEEDS_tmem_copy has_tcgen05)
set(ASSAY_KERNEL_NEEDS_tmem_ld_red has_ld_red)
set(ASSAY_KERNEL_NEEDS_tmem_sequence has_tcgen05)
set(ASSAY_KERNEL_NEEDS_gemm_pipeline has_tcgen05)

# The PTX version that a kernel file needs for what stands outside of its forms, 83 for 8.3, where that is not the
# first that has sm_90a; the test kernels.ptx_versions asks ptxas.
set(ASSAY_KERNEL_PTX_mma_sync_f64 83)
set(ASSAY_KERNEL_PTX_screen_both 84)
set(ASSAY_KERNEL_PTX_screen_chains 84)
set(ASSAY_KERNEL_PTX_screen_tiles 83)

# ASSAY_TARGETS: all targets in the order of the table; ASSAY_TARGETS_mechanism: those with it.
set(table ${CMAKE_CURRENT_LIST_DIR}/../reference/spec/arch.h)
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
endif()
file(READ ${table} text)
string(REGEX MATCHALL "Architecture{[^}]*}" rows "${text}")
set(ASSAY_TARGETS "")
foreach(row IN LISTS rows)
  if(NOT row MATCHES "\\.target = \"(sm_[0-9]+a)\"")
    message(FATAL_ERROR "${table}: a row of the table of architectures has no .target")
  endif()
  set(target ${CMAKE_MATCH_1})
  list(APPEND ASSAY_TARGETS ${target})
  string(REGEX MATCHALL "has_[a-zA-Z0-9_]+ = true" mechanisms "${row}")
  foreach(mechanism IN LISTS mechanisms)
    string(REPLACE " = true" "" mechanism "${mechanism}")
    list(APPEND ASSAY_TARGETS_${mechanism} ${target})
  endforeach()
endforeach()
if(NOT ASSAY_TARGETS)
  message(FATAL_ERROR "${table} has no table of architectures")
endif()

function(kernel_ptx name out)
  set(${out} 80 PARENT_SCOPE)
  if(DEFINED ASSAY_KERNEL_PTX_${name})
    set(${out} ${ASSAY_KERNEL_PTX_${name}} PARENT_SCOPE)
  endif()
endfunction()

# `out` = the targets of kernels/NAME.cu, all unless a line above says otherwise.
function(kernel_targets name out)
  if(DEFINED ASSAY_KERNEL_NEEDS_${name})
    set(${out} ${ASSAY_TARGETS_${ASSAY_KERNEL_NEEDS_${name}}} PARENT_SCOPE)
  else()
    set(${out} ${ASSAY_TARGETS} PARENT_SCOPE)
  endif()
endfunction()
