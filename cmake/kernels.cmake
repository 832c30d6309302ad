# Kernels: PTX text from kernels/ptx always; cubins where nvcc is there. Both are embedded in the program.
function(add_kernels)
  add_library(assay_kernels STATIC ${PROJECT_SOURCE_DIR}/cmake/empty.cc)
endfunction()
