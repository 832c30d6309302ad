#pragma once

#include <cstdint>

/// Every spelling of tcgen05.ld and tcgen05.st, by opcode. Each of the two functions is one statement in
/// which a predicate picks the instruction, so that 128 registers are named once.
namespace assay::ptx {

// Opcodes, c being log2 of the count and p 1 for .pack::16b or .unpack::16b:
//   1000 + shape * 100 + c * 10 + p, shapes in the order of params::TmemShape without 16x32bx2
//   2000 + c * 100 + p * 10 + i, 16x32bx2 with the immediate params::tmem_splits[i]
// They are put together as text.

// clang-format off
#define ASSAY_G(N) "g" #N "_0, g" #N "_1, g" #N "_2, g" #N "_3, g" #N "_4, g" #N "_5, g" #N "_6, g" #N "_7"
#define ASSAY_R1 "g0_0"
#define ASSAY_R2 "g0_0, g0_1"
#define ASSAY_R4 "g0_0, g0_1, g0_2, g0_3"
#define ASSAY_R8 ASSAY_G(0)
#define ASSAY_R16 ASSAY_R8 ", " ASSAY_G(1)
#define ASSAY_R32 ASSAY_R16 ", " ASSAY_G(2) ", " ASSAY_G(3)
#define ASSAY_R64 ASSAY_R32 ", " ASSAY_G(4) ", " ASSAY_G(5) ", " ASSAY_G(6) ", " ASSAY_G(7)
#define ASSAY_R128 ASSAY_R64 ", " ASSAY_G(8) ", " ASSAY_G(9) ", " ASSAY_G(10) ", " ASSAY_G(11) ", " \
                   ASSAY_G(12) ", " ASSAY_G(13) ", " ASSAY_G(14) ", " ASSAY_G(15)

#define ASSAY_LD(OP, FORM, REGISTERS, IMMEDIATE) \
  "setp.eq.u32 q, %1, " OP ";\n@q tcgen05.ld.sync.aligned." FORM ".b32 {" REGISTERS "}, [%2]" IMMEDIATE ";\n"
#define ASSAY_ST(OP, FORM, REGISTERS, IMMEDIATE) \
  "setp.eq.u32 q, %1, " OP ";\n@q tcgen05.st.sync.aligned." FORM ".b32 [%2]" IMMEDIATE ", {" REGISTERS "};\n"

// One count of a shape: S and C are the digits of the opcode, R the registers.
#define ASSAY_LD_COUNT(S, SHAPE, C, N, R) \
  ASSAY_LD("1" #S #C "0", SHAPE ".x" #N, R, "") ASSAY_LD("1" #S #C "1", SHAPE ".x" #N ".pack::16b", R, "")
#define ASSAY_ST_COUNT(S, SHAPE, C, N, R) \
  ASSAY_ST("1" #S #C "0", SHAPE ".x" #N, R, "") ASSAY_ST("1" #S #C "1", SHAPE ".x" #N ".unpack::16b", R, "")
// Shapes with 1, 2 and 4 registers at .x1.
#define ASSAY_SHAPE_1(X, S, SHAPE)                                                                          \
  X(S, SHAPE, 0, 1, ASSAY_R1) X(S, SHAPE, 1, 2, ASSAY_R2) X(S, SHAPE, 2, 4, ASSAY_R4)                       \
  X(S, SHAPE, 3, 8, ASSAY_R8) X(S, SHAPE, 4, 16, ASSAY_R16) X(S, SHAPE, 5, 32, ASSAY_R32)                   \
  X(S, SHAPE, 6, 64, ASSAY_R64) X(S, SHAPE, 7, 128, ASSAY_R128)
#define ASSAY_SHAPE_2(X, S, SHAPE)                                                                          \
  X(S, SHAPE, 0, 1, ASSAY_R2) X(S, SHAPE, 1, 2, ASSAY_R4) X(S, SHAPE, 2, 4, ASSAY_R8)                       \
  X(S, SHAPE, 3, 8, ASSAY_R16) X(S, SHAPE, 4, 16, ASSAY_R32) X(S, SHAPE, 5, 32, ASSAY_R64)                  \
  X(S, SHAPE, 6, 64, ASSAY_R128)
#define ASSAY_SHAPE_4(X, S, SHAPE)                                                                          \
  X(S, SHAPE, 0, 1, ASSAY_R4) X(S, SHAPE, 1, 2, ASSAY_R8) X(S, SHAPE, 2, 4, ASSAY_R16)                      \
  X(S, SHAPE, 3, 8, ASSAY_R32) X(S, SHAPE, 4, 16, ASSAY_R64) X(S, SHAPE, 5, 32, ASSAY_R128)

// 16x32bx2: P is the digit of packing, I that of the immediate.
#define ASSAY_LD_SPLIT(C, N, R, P, PACK, I, SPLIT) ASSAY_LD("2" #C #P #I, "16x32bx2.x" #N PACK, R, ", " #SPLIT)
#define ASSAY_ST_SPLIT(C, N, R, P, PACK, I, SPLIT) ASSAY_ST("2" #C #P #I, "16x32bx2.x" #N PACK, R, ", " #SPLIT)
#define ASSAY_SPLITS(X, C, N, R, P, PACK)                                                                   \
  X(C, N, R, P, PACK, 0, 0) X(C, N, R, P, PACK, 1, 1) X(C, N, R, P, PACK, 2, 2) X(C, N, R, P, PACK, 3, 4)   \
  X(C, N, R, P, PACK, 4, 8) X(C, N, R, P, PACK, 5, 16) X(C, N, R, P, PACK, 6, 32)                           \
  X(C, N, R, P, PACK, 7, 64) X(C, N, R, P, PACK, 8, 128) X(C, N, R, P, PACK, 9, 256)
#define ASSAY_SPLIT_COUNTS(X, PACK)                                                                         \
  ASSAY_SPLITS(X, 0, 1, ASSAY_R1, 0, "") ASSAY_SPLITS(X, 0, 1, ASSAY_R1, 1, PACK)                           \
  ASSAY_SPLITS(X, 1, 2, ASSAY_R2, 0, "") ASSAY_SPLITS(X, 1, 2, ASSAY_R2, 1, PACK)                           \
  ASSAY_SPLITS(X, 2, 4, ASSAY_R4, 0, "") ASSAY_SPLITS(X, 2, 4, ASSAY_R4, 1, PACK)                           \
  ASSAY_SPLITS(X, 3, 8, ASSAY_R8, 0, "") ASSAY_SPLITS(X, 3, 8, ASSAY_R8, 1, PACK)                           \
  ASSAY_SPLITS(X, 4, 16, ASSAY_R16, 0, "") ASSAY_SPLITS(X, 4, 16, ASSAY_R16, 1, PACK)                       \
  ASSAY_SPLITS(X, 5, 32, ASSAY_R32, 0, "") ASSAY_SPLITS(X, 5, 32, ASSAY_R32, 1, PACK)                       \
  ASSAY_SPLITS(X, 6, 64, ASSAY_R64, 0, "") ASSAY_SPLITS(X, 6, 64, ASSAY_R64, 1, PACK)                       \
  ASSAY_SPLITS(X, 7, 128, ASSAY_R128, 0, "") ASSAY_SPLITS(X, 7, 128, ASSAY_R128, 1, PACK)

// Each group of eight registers and where its halves lie.
#define ASSAY_GROUPS(X)                                                                                     \
  X(0, 0, 16) X(1, 32, 48) X(2, 64, 80) X(3, 96, 112) X(4, 128, 144) X(5, 160, 176) X(6, 192, 208)          \
  X(7, 224, 240) X(8, 256, 272) X(9, 288, 304) X(10, 320, 336) X(11, 352, 368) X(12, 384, 400)              \
  X(13, 416, 432) X(14, 448, 464) X(15, 480, 496)
#define ASSAY_DECLARE(N, LOW, HIGH) ".reg .b32 g" #N "_<8>;\n"
#define ASSAY_ONES(N, LOW, HIGH)                                                                                       \
  "mov.b32 g" #N "_0, -1;\nmov.b32 g" #N "_1, -1;\nmov.b32 g" #N "_2, -1;\nmov.b32 g" #N "_3, -1;\n"        \
  "mov.b32 g" #N "_4, -1;\nmov.b32 g" #N "_5, -1;\nmov.b32 g" #N "_6, -1;\nmov.b32 g" #N "_7, -1;\n"
#define ASSAY_TO_GLOBAL(N, LOW, HIGH)                                                                                  \
  "st.global.v4.b32 [%0 + " #LOW "], {g" #N "_0, g" #N "_1, g" #N "_2, g" #N "_3};\n"                    \
  "st.global.v4.b32 [%0 + " #HIGH "], {g" #N "_4, g" #N "_5, g" #N "_6, g" #N "_7};\n"
#define ASSAY_FROM_SHARED(N, LOW, HIGH)                                                                                \
  "ld.shared.v4.b32 {g" #N "_0, g" #N "_1, g" #N "_2, g" #N "_3}, [%0 + " #LOW "];\n"                    \
  "ld.shared.v4.b32 {g" #N "_4, g" #N "_5, g" #N "_6, g" #N "_7}, [%0 + " #HIGH "];\n"

/// Loads by the opcode and writes 128 words: the registers, then ones.
__device__ inline void tcgen05_ld(void* target, uint32_t opcode, uint32_t address) {
  asm volatile(
      "{\n.reg .pred q;\n" ASSAY_GROUPS(ASSAY_DECLARE) ASSAY_GROUPS(ASSAY_ONES)
      ASSAY_SHAPE_1(ASSAY_LD_COUNT, 0, "16x64b") ASSAY_SHAPE_2(ASSAY_LD_COUNT, 1, "16x128b")
      ASSAY_SHAPE_4(ASSAY_LD_COUNT, 2, "16x256b") ASSAY_SHAPE_1(ASSAY_LD_COUNT, 3, "32x32b")
      ASSAY_SPLIT_COUNTS(ASSAY_LD_SPLIT, ".pack::16b")
      "tcgen05.wait::ld.sync.aligned;\n" ASSAY_GROUPS(ASSAY_TO_GLOBAL) "}"
      ::"l"(target), "r"(opcode), "r"(address) : "memory");
}
/// Stores the first of 128 words in shared memory, as many as the opcode takes. The caller waits.
__device__ inline void tcgen05_st(uint32_t source, uint32_t opcode, uint32_t address) {
  asm volatile(
      "{\n.reg .pred q;\n" ASSAY_GROUPS(ASSAY_DECLARE) ASSAY_GROUPS(ASSAY_FROM_SHARED)
      ASSAY_SHAPE_1(ASSAY_ST_COUNT, 0, "16x64b") ASSAY_SHAPE_2(ASSAY_ST_COUNT, 1, "16x128b")
      ASSAY_SHAPE_4(ASSAY_ST_COUNT, 2, "16x256b") ASSAY_SHAPE_1(ASSAY_ST_COUNT, 3, "32x32b")
      ASSAY_SPLIT_COUNTS(ASSAY_ST_SPLIT, ".unpack::16b") "}"
      ::"r"(source), "r"(opcode), "r"(address) : "memory");
}
// clang-format on

#undef ASSAY_G
#undef ASSAY_R1
#undef ASSAY_R2
#undef ASSAY_R4
#undef ASSAY_R8
#undef ASSAY_R16
#undef ASSAY_R32
#undef ASSAY_R64
#undef ASSAY_R128
#undef ASSAY_LD
#undef ASSAY_ST
#undef ASSAY_LD_COUNT
#undef ASSAY_ST_COUNT
#undef ASSAY_SHAPE_1
#undef ASSAY_SHAPE_2
#undef ASSAY_SHAPE_4
#undef ASSAY_LD_SPLIT
#undef ASSAY_ST_SPLIT
#undef ASSAY_SPLITS
#undef ASSAY_SPLIT_COUNTS
#undef ASSAY_GROUPS
#undef ASSAY_DECLARE
#undef ASSAY_ONES
#undef ASSAY_TO_GLOBAL
#undef ASSAY_FROM_SHARED

}  // namespace assay::ptx
