#pragma once

#include <cstdint>

/// Every spelling of tcgen05.ld.red, by opcode, in one statement in which a predicate picks the instruction.
namespace assay::ptx {

// Opcode: (shape * 7 + log2 of the count - 1) * 12 + operation. Shapes 32x32b and 16x32bx2, the latter with
// its halves `count` columns apart. Operations min and max of u32, of s32, then of f32: min and max, each
// plain, .NaN, .abs and .abs.NaN.

// clang-format off
#define ASSAY_G(N) "g" #N "_0, g" #N "_1, g" #N "_2, g" #N "_3, g" #N "_4, g" #N "_5, g" #N "_6, g" #N "_7"
#define ASSAY_R2 "g0_0, g0_1"
#define ASSAY_R4 "g0_0, g0_1, g0_2, g0_3"
#define ASSAY_R8 ASSAY_G(0)
#define ASSAY_R16 ASSAY_R8 ", " ASSAY_G(1)
#define ASSAY_R32 ASSAY_R16 ", " ASSAY_G(2) ", " ASSAY_G(3)
#define ASSAY_R64 ASSAY_R32 ", " ASSAY_G(4) ", " ASSAY_G(5) ", " ASSAY_G(6) ", " ASSAY_G(7)
#define ASSAY_R128 ASSAY_R64 ", " ASSAY_G(8) ", " ASSAY_G(9) ", " ASSAY_G(10) ", " ASSAY_G(11) ", " \
                   ASSAY_G(12) ", " ASSAY_G(13) ", " ASSAY_G(14) ", " ASSAY_G(15)

#define ASSAY_RED(FIRST, I, FORM, REGISTERS, OPERATION, IMMEDIATE)                                  \
  "sub.u32 at, %1, " #FIRST ";\nsetp.eq.u32 q, at, " #I ";\n"                                        \
  "@q tcgen05.ld.red.sync.aligned." FORM OPERATION " {" REGISTERS "}, red, [%2]" IMMEDIATE ";\n"
#define ASSAY_REDS(FIRST, FORM, REGISTERS, IMMEDIATE)                                               \
  ASSAY_RED(FIRST, 0, FORM, REGISTERS, ".min.u32", IMMEDIATE) \
  ASSAY_RED(FIRST, 1, FORM, REGISTERS, ".max.u32", IMMEDIATE) \
  ASSAY_RED(FIRST, 2, FORM, REGISTERS, ".min.s32", IMMEDIATE) \
  ASSAY_RED(FIRST, 3, FORM, REGISTERS, ".max.s32", IMMEDIATE) \
  ASSAY_RED(FIRST, 4, FORM, REGISTERS, ".min.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 5, FORM, REGISTERS, ".min.NaN.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 6, FORM, REGISTERS, ".min.abs.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 7, FORM, REGISTERS, ".min.abs.NaN.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 8, FORM, REGISTERS, ".max.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 9, FORM, REGISTERS, ".max.NaN.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 10, FORM, REGISTERS, ".max.abs.f32", IMMEDIATE) \
  ASSAY_RED(FIRST, 11, FORM, REGISTERS, ".max.abs.NaN.f32", IMMEDIATE)
#define ASSAY_ALL \
  ASSAY_REDS(0, "32x32b.x2", ASSAY_R2, "") \
  ASSAY_REDS(12, "32x32b.x4", ASSAY_R4, "") \
  ASSAY_REDS(24, "32x32b.x8", ASSAY_R8, "") \
  ASSAY_REDS(36, "32x32b.x16", ASSAY_R16, "") \
  ASSAY_REDS(48, "32x32b.x32", ASSAY_R32, "") \
  ASSAY_REDS(60, "32x32b.x64", ASSAY_R64, "") \
  ASSAY_REDS(72, "32x32b.x128", ASSAY_R128, "") \
  ASSAY_REDS(84, "16x32bx2.x2", ASSAY_R2, ", 2") \
  ASSAY_REDS(96, "16x32bx2.x4", ASSAY_R4, ", 4") \
  ASSAY_REDS(108, "16x32bx2.x8", ASSAY_R8, ", 8") \
  ASSAY_REDS(120, "16x32bx2.x16", ASSAY_R16, ", 16") \
  ASSAY_REDS(132, "16x32bx2.x32", ASSAY_R32, ", 32") \
  ASSAY_REDS(144, "16x32bx2.x64", ASSAY_R64, ", 64") \
  ASSAY_REDS(156, "16x32bx2.x128", ASSAY_R128, ", 128")

// Each group of eight registers and where its halves lie.
#define ASSAY_GROUPS(X)                                                                                     \
  X(0, 0, 16) X(1, 32, 48) X(2, 64, 80) X(3, 96, 112) X(4, 128, 144) X(5, 160, 176) X(6, 192, 208)          \
  X(7, 224, 240) X(8, 256, 272) X(9, 288, 304) X(10, 320, 336) X(11, 352, 368) X(12, 384, 400)              \
  X(13, 416, 432) X(14, 448, 464) X(15, 480, 496)
#define ASSAY_DECLARE(N, LOW, HIGH) ".reg .b32 g" #N "_<8>;\n"
#define ASSAY_ONES(N, LOW, HIGH)                                                                            \
  "mov.b32 g" #N "_0, -1;\nmov.b32 g" #N "_1, -1;\nmov.b32 g" #N "_2, -1;\nmov.b32 g" #N "_3, -1;\n"        \
  "mov.b32 g" #N "_4, -1;\nmov.b32 g" #N "_5, -1;\nmov.b32 g" #N "_6, -1;\nmov.b32 g" #N "_7, -1;\n"
#define ASSAY_TO_GLOBAL(N, LOW, HIGH)                                                                       \
  "st.global.v4.b32 [%0 + " #LOW "], {g" #N "_0, g" #N "_1, g" #N "_2, g" #N "_3};\n"                       \
  "st.global.v4.b32 [%0 + " #HIGH "], {g" #N "_4, g" #N "_5, g" #N "_6, g" #N "_7};\n"

/// Loads by the opcode and writes 129 words: the registers, ones in the others, and the reduction.
__device__ inline void tcgen05_ld_red(void* target, uint32_t opcode, uint32_t address) {
  asm volatile(
      "{\n.reg .pred q;\n.reg .b32 red, at;\nmov.b32 red, -1;\n" ASSAY_GROUPS(ASSAY_DECLARE) ASSAY_GROUPS(ASSAY_ONES)
      ASSAY_ALL
      "tcgen05.wait::ld.sync.aligned;\n" ASSAY_GROUPS(ASSAY_TO_GLOBAL) "st.global.b32 [%0 + 512], red;\n}"
      ::"l"(target), "r"(opcode), "r"(address) : "memory");
}
// clang-format on

#undef ASSAY_G
#undef ASSAY_R2
#undef ASSAY_R4
#undef ASSAY_R8
#undef ASSAY_R16
#undef ASSAY_R32
#undef ASSAY_R64
#undef ASSAY_R128
#undef ASSAY_RED
#undef ASSAY_REDS
#undef ASSAY_ALL
#undef ASSAY_GROUPS
#undef ASSAY_DECLARE
#undef ASSAY_ONES
#undef ASSAY_TO_GLOBAL

}  // namespace assay::ptx
