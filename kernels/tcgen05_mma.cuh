#pragma once

#include <cstdint>

/// Every spelling of dense tcgen05.mma and tcgen05.mma.ws, by opcode: an immediate or a qualifier cannot come
/// from a register, so each combination is a statement of its own.
namespace assay::ptx {

struct MmaOperands {
  uint32_t d_tmem, a_tmem, idesc;
  uint32_t enable_input_d;  ///< 0 or not
  uint64_t a_desc, b_desc, zero_column_mask;
  uint32_t disable_output_lane[8];
};

// Opcodes of tcgen05.mma, kinds in the order f16, tf32, f8f6f4, i8:
//   ((kind * 2 + A in tensor memory) * 2 + disable-output-lane) * 5 + collector, no scale-input-d
//   tcgen05_mma_scaled + ((kind * 2 + A in tensor memory) * 2 + disable-output-lane) * 16 + scale-input-d
// and of tcgen05.mma.ws:
//   ((kind * 2 + A in tensor memory) * 2 + zero-column mask) * 17 + (no collector: 0, else 1 + buffer * 4 +
//   collector - 1)
inline constexpr uint32_t tcgen05_mma_scaled = 80;
inline constexpr uint32_t mma_collectors = 5, mma_scales = 16, mma_ws_collectors = 17;

// clang-format off
#define ASSAY_ISSUE(OP, QUALIFIERS, A, TAIL, ...)                                        \
  case OP:                                                                                         \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\ntcgen05.mma" QUALIFIERS " [%0], "       \
                 ASSAY_TEXT_##A ", %2, %3" TAIL ";\n}" ::"r"(m.d_tmem), ASSAY_OPERAND_##A, "l"(m.b_desc), "r"(m.idesc),   \
                 "r"(m.enable_input_d) __VA_OPT__(,) __VA_ARGS__ : "memory");                      \
    return;
#define ASSAY_LANES_1 "r"(m.disable_output_lane[0]), "r"(m.disable_output_lane[1]), \
                      "r"(m.disable_output_lane[2]), "r"(m.disable_output_lane[3])
#define ASSAY_LANES_2 ASSAY_LANES_1, "r"(m.disable_output_lane[4]), "r"(m.disable_output_lane[5]), \
                      "r"(m.disable_output_lane[6]), "r"(m.disable_output_lane[7])
#define ASSAY_LANES_TEXT_1 ", {%5, %6, %7, %8}"
#define ASSAY_LANES_TEXT_2 ", {%5, %6, %7, %8, %9, %10, %11, %12}"

#define ASSAY_TEXT_SHARED "%1"
#define ASSAY_TEXT_TENSOR "[%1]"
#define ASSAY_OPERAND_SHARED "l"(m.a_desc)
#define ASSAY_OPERAND_TENSOR "r"(m.a_tmem)

#define ASSAY_COLLECTORS(OP, Q, A, TAIL, ...)                                      \
  ASSAY_ISSUE(OP, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)                       \
  ASSAY_ISSUE(OP + 1, Q ".collector::a::fill", A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_ISSUE(OP + 2, Q ".collector::a::use", A, TAIL __VA_OPT__(,) __VA_ARGS__)     \
  ASSAY_ISSUE(OP + 3, Q ".collector::a::lastuse", A, TAIL __VA_OPT__(,) __VA_ARGS__) \
  ASSAY_ISSUE(OP + 4, Q ".collector::a::discard", A, TAIL __VA_OPT__(,) __VA_ARGS__)
#define ASSAY_DENSE(KIND, G, NAME)                                                                          \
  ASSAY_COLLECTORS(KIND * 20, NAME, SHARED, ", p")                                                  \
  ASSAY_COLLECTORS(KIND * 20 + 5, NAME, SHARED, ASSAY_LANES_TEXT_##G ", p", ASSAY_LANES_##G)        \
  ASSAY_COLLECTORS(KIND * 20 + 10, NAME, TENSOR, ", p")                                             \
  ASSAY_COLLECTORS(KIND * 20 + 15, NAME, TENSOR, ASSAY_LANES_TEXT_##G ", p", ASSAY_LANES_##G)

#define ASSAY_SCALE(OP, S, Q, A, TAIL, ...) \
  ASSAY_ISSUE(OP + S, Q, A, TAIL ", p, " #S __VA_OPT__(,) __VA_ARGS__)
#define ASSAY_SCALES(OP, Q, A, TAIL, ...)                                                                   \
  ASSAY_SCALE(OP, 0, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 1, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_SCALE(OP, 2, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 3, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_SCALE(OP, 4, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 5, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_SCALE(OP, 6, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 7, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_SCALE(OP, 8, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 9, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_SCALE(OP, 10, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 11, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)  \
  ASSAY_SCALE(OP, 12, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 13, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)  \
  ASSAY_SCALE(OP, 14, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__) ASSAY_SCALE(OP, 15, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)
#define ASSAY_SCALED(KIND, G, NAME)                                                                                 \
  ASSAY_SCALES(tcgen05_mma_scaled + KIND * 64, NAME, SHARED, "")                                             \
  ASSAY_SCALES(tcgen05_mma_scaled + KIND * 64 + 16, NAME, SHARED, ASSAY_LANES_TEXT_##G, ASSAY_LANES_##G)     \
  ASSAY_SCALES(tcgen05_mma_scaled + KIND * 64 + 32, NAME, TENSOR, "")                                        \
  ASSAY_SCALES(tcgen05_mma_scaled + KIND * 64 + 48, NAME, TENSOR, ASSAY_LANES_TEXT_##G, ASSAY_LANES_##G)

#define ASSAY_WS_BUFFER(OP, B, Q, A, TAIL, ...)                                                                   \
  ASSAY_ISSUE(OP + 1 + B * 4, Q ".collector::b" #B "::fill", A, TAIL __VA_OPT__(,) __VA_ARGS__)               \
  ASSAY_ISSUE(OP + 2 + B * 4, Q ".collector::b" #B "::use", A, TAIL __VA_OPT__(,) __VA_ARGS__)                \
  ASSAY_ISSUE(OP + 3 + B * 4, Q ".collector::b" #B "::lastuse", A, TAIL __VA_OPT__(,) __VA_ARGS__)            \
  ASSAY_ISSUE(OP + 4 + B * 4, Q ".collector::b" #B "::discard", A, TAIL __VA_OPT__(,) __VA_ARGS__)
#define ASSAY_WS_COLLECTORS(OP, Q, A, TAIL, ...)                  \
  ASSAY_ISSUE(OP, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)      \
  ASSAY_WS_BUFFER(OP, 0, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_WS_BUFFER(OP, 1, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_WS_BUFFER(OP, 2, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)    \
  ASSAY_WS_BUFFER(OP, 3, Q, A, TAIL __VA_OPT__(,) __VA_ARGS__)
#define ASSAY_WS(KIND, NAME)                                                                          \
  ASSAY_WS_COLLECTORS(KIND * 68, NAME, SHARED, ", p")                                         \
  ASSAY_WS_COLLECTORS(KIND * 68 + 17, NAME, SHARED, ", p, %5", "l"(m.zero_column_mask))       \
  ASSAY_WS_COLLECTORS(KIND * 68 + 34, NAME, TENSOR, ", p")                                    \
  ASSAY_WS_COLLECTORS(KIND * 68 + 51, NAME, TENSOR, ", p, %5", "l"(m.zero_column_mask))

/// sm_103a has no kind::i8 (ptxas).
#if defined(__CUDA_ARCH_FEAT_SM103_ALL)
#define ASSAY_IF_I8(...)
#else
#define ASSAY_IF_I8(...) __VA_ARGS__
#endif

/// An opcode that does not exist issues nothing.
template <int group>
__device__ inline void tcgen05_mma(uint32_t opcode, const MmaOperands& m) {
  if constexpr (group == 1) {
    switch (opcode) {
      ASSAY_DENSE(0, 1, ".cta_group::1.kind::f16")
      ASSAY_DENSE(1, 1, ".cta_group::1.kind::tf32")
      ASSAY_DENSE(2, 1, ".cta_group::1.kind::f8f6f4")
      ASSAY_IF_I8(ASSAY_DENSE(3, 1, ".cta_group::1.kind::i8"))
      ASSAY_SCALED(0, 1, ".cta_group::1.kind::f16")
      ASSAY_SCALED(1, 1, ".cta_group::1.kind::tf32")
    }
  } else {
    switch (opcode) {
      ASSAY_DENSE(0, 2, ".cta_group::2.kind::f16")
      ASSAY_DENSE(1, 2, ".cta_group::2.kind::tf32")
      ASSAY_DENSE(2, 2, ".cta_group::2.kind::f8f6f4")
      ASSAY_IF_I8(ASSAY_DENSE(3, 2, ".cta_group::2.kind::i8"))
      ASSAY_SCALED(0, 2, ".cta_group::2.kind::f16")
      ASSAY_SCALED(1, 2, ".cta_group::2.kind::tf32")
    }
  }
}
__device__ inline void tcgen05_mma_ws(uint32_t opcode, const MmaOperands& m) {
  switch (opcode) {
    ASSAY_WS(0, ".ws.cta_group::1.kind::f16")
    ASSAY_WS(1, ".ws.cta_group::1.kind::tf32")
    ASSAY_WS(2, ".ws.cta_group::1.kind::f8f6f4")
    ASSAY_IF_I8(ASSAY_WS(3, ".ws.cta_group::1.kind::i8"))
  }
}
// clang-format on

#undef ASSAY_ISSUE
#undef ASSAY_LANES_1
#undef ASSAY_LANES_2
#undef ASSAY_LANES_TEXT_1
#undef ASSAY_LANES_TEXT_2
#undef ASSAY_TEXT_SHARED
#undef ASSAY_TEXT_TENSOR
#undef ASSAY_OPERAND_SHARED
#undef ASSAY_OPERAND_TENSOR
#undef ASSAY_COLLECTORS
#undef ASSAY_DENSE
#undef ASSAY_SCALE
#undef ASSAY_SCALES
#undef ASSAY_SCALED
#undef ASSAY_WS_BUFFER
#undef ASSAY_WS_COLLECTORS
#undef ASSAY_WS
#undef ASSAY_IF_I8

}  // namespace assay::ptx
