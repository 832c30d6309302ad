#pragma once

#include <cstdint>

/// Every spelling of tcgen05.cp and tcgen05.shift: shape, multicast and formats are qualifiers, so each
/// combination is a statement of its own.
namespace assay::ptx {

// clang-format off
#define ASSAY_CP(OP, GROUP, FORM)                                                                     \
  case OP:                                                                                            \
    asm volatile("tcgen05.cp.cta_group::" GROUP "." FORM " [%0], %1;" ::"r"(address), "l"(descriptor) \
                 : "memory");                                                                         \
    return;
#define ASSAY_CP_FORMATS(SHAPE, GROUP, FORM)                 \
  ASSAY_CP(SHAPE * 3, GROUP, FORM)                           \
  ASSAY_CP(SHAPE * 3 + 1, GROUP, FORM ".b8x16.b6x16_p32")    \
  ASSAY_CP(SHAPE * 3 + 2, GROUP, FORM ".b8x16.b4x16_p64")
#define ASSAY_CP_SHAPES(GROUP)                                                                        \
  ASSAY_CP_FORMATS(0, GROUP, "128x256b") ASSAY_CP_FORMATS(1, GROUP, "4x256b")                         \
  ASSAY_CP_FORMATS(2, GROUP, "128x128b") ASSAY_CP_FORMATS(3, GROUP, "64x128b.warpx2::02_13")          \
  ASSAY_CP_FORMATS(4, GROUP, "64x128b.warpx2::01_23") ASSAY_CP_FORMATS(5, GROUP, "32x128b.warpx4")
// clang-format on

/// `opcode`: params::CopyShape * 3 + params::CopyFormat. One that does not exist issues nothing.
template <int group>
__device__ inline void tcgen05_cp(uint32_t opcode, uint32_t address, uint64_t descriptor) {
  if constexpr (group == 1) {
    switch (opcode) { ASSAY_CP_SHAPES("1") }
  } else {
    switch (opcode) { ASSAY_CP_SHAPES("2") }
  }
}
template <int group>
__device__ inline void tcgen05_shift_down(uint32_t address) {
  if constexpr (group == 1)
    asm volatile("tcgen05.shift.cta_group::1.down [%0];" ::"r"(address) : "memory");
  else
    asm volatile("tcgen05.shift.cta_group::2.down [%0];" ::"r"(address) : "memory");
}

#undef ASSAY_CP
#undef ASSAY_CP_FORMATS
#undef ASSAY_CP_SHAPES

}  // namespace assay::ptx
