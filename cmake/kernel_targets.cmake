# SPDX-License-Identifier: Apache-2.0
# Which targets a kernel file is built for: those whose instructions it uses. Its PTX text is written once, for the
# first of them; kernels/forms sets in what differs between targets.
set(ASSAY_KERNEL_TARGETS_wgmma sm_90a)
set(ASSAY_KERNEL_TARGETS_mma_sync_kind sm_120a)
set(ASSAY_KERNEL_TARGETS_tcgen05_mma sm_100a sm_103a)
set(ASSAY_KERNEL_TARGETS_tmem_ld_st sm_100a sm_103a)
set(ASSAY_KERNEL_TARGETS_tmem_copy sm_100a sm_103a)
set(ASSAY_KERNEL_TARGETS_tmem_ld_red sm_103a)
set(ASSAY_KERNEL_TARGETS_tmem_sequence sm_100a sm_103a)
set(ASSAY_KERNEL_TARGETS_gemm_pipeline sm_100a sm_103a)

# `out` = the targets of kernels/NAME.cu, all unless a line above says otherwise.
function(kernel_targets name out)
  if(DEFINED ASSAY_KERNEL_TARGETS_${name})
    set(${out} ${ASSAY_KERNEL_TARGETS_${name}} PARENT_SCOPE)
  else()
    set(${out} sm_90a sm_100a sm_103a sm_120a PARENT_SCOPE)
  endif()
endfunction()
