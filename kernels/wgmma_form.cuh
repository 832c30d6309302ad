#pragma once

/// The text of one wgmma form as a single block of PTX with registers of its own: the old D is loaded from
/// memory, the new one stored there. The compiler would otherwise spell out a hundred operands of each form.
/// D is a row of vectors; vector v has registers v0, v1, .. and lies at a multiple of 16 bytes (four
/// registers) or 8 (two). ASSAY_WGMMA_n(FIRST, NEXT) names the first n vectors.
#define ASSAY_WGMMA_1(FIRST, NEXT) FIRST(a, 0, 0)
#define ASSAY_WGMMA_2(FIRST, NEXT) ASSAY_WGMMA_1(FIRST, NEXT) NEXT(b, 16, 8)
#define ASSAY_WGMMA_3(FIRST, NEXT) ASSAY_WGMMA_2(FIRST, NEXT) NEXT(c, 32, 16)
#define ASSAY_WGMMA_4(FIRST, NEXT) ASSAY_WGMMA_3(FIRST, NEXT) NEXT(d, 48, 24)
#define ASSAY_WGMMA_5(FIRST, NEXT) ASSAY_WGMMA_4(FIRST, NEXT) NEXT(e, 64, 32)
#define ASSAY_WGMMA_6(FIRST, NEXT) ASSAY_WGMMA_5(FIRST, NEXT) NEXT(f, 80, 40)
#define ASSAY_WGMMA_7(FIRST, NEXT) ASSAY_WGMMA_6(FIRST, NEXT) NEXT(g, 96, 48)
#define ASSAY_WGMMA_8(FIRST, NEXT) ASSAY_WGMMA_7(FIRST, NEXT) NEXT(h, 112, 56)
#define ASSAY_WGMMA_9(FIRST, NEXT) ASSAY_WGMMA_8(FIRST, NEXT) NEXT(i, 128, 64)
#define ASSAY_WGMMA_10(FIRST, NEXT) ASSAY_WGMMA_9(FIRST, NEXT) NEXT(j, 144, 72)
#define ASSAY_WGMMA_11(FIRST, NEXT) ASSAY_WGMMA_10(FIRST, NEXT) NEXT(k, 160, 80)
#define ASSAY_WGMMA_12(FIRST, NEXT) ASSAY_WGMMA_11(FIRST, NEXT) NEXT(l, 176, 88)
#define ASSAY_WGMMA_13(FIRST, NEXT) ASSAY_WGMMA_12(FIRST, NEXT) NEXT(m, 192, 96)
#define ASSAY_WGMMA_14(FIRST, NEXT) ASSAY_WGMMA_13(FIRST, NEXT) NEXT(n, 208, 104)
#define ASSAY_WGMMA_15(FIRST, NEXT) ASSAY_WGMMA_14(FIRST, NEXT) NEXT(o, 224, 112)
#define ASSAY_WGMMA_16(FIRST, NEXT) ASSAY_WGMMA_15(FIRST, NEXT) NEXT(p, 240, 120)
#define ASSAY_WGMMA_17(FIRST, NEXT) ASSAY_WGMMA_16(FIRST, NEXT) NEXT(q, 256, 128)
#define ASSAY_WGMMA_18(FIRST, NEXT) ASSAY_WGMMA_17(FIRST, NEXT) NEXT(r, 272, 136)
#define ASSAY_WGMMA_19(FIRST, NEXT) ASSAY_WGMMA_18(FIRST, NEXT) NEXT(s, 288, 144)
#define ASSAY_WGMMA_20(FIRST, NEXT) ASSAY_WGMMA_19(FIRST, NEXT) NEXT(t, 304, 152)
#define ASSAY_WGMMA_21(FIRST, NEXT) ASSAY_WGMMA_20(FIRST, NEXT) NEXT(u, 320, 160)
#define ASSAY_WGMMA_22(FIRST, NEXT) ASSAY_WGMMA_21(FIRST, NEXT) NEXT(v, 336, 168)
#define ASSAY_WGMMA_23(FIRST, NEXT) ASSAY_WGMMA_22(FIRST, NEXT) NEXT(w, 352, 176)
#define ASSAY_WGMMA_24(FIRST, NEXT) ASSAY_WGMMA_23(FIRST, NEXT) NEXT(x, 368, 184)
#define ASSAY_WGMMA_25(FIRST, NEXT) ASSAY_WGMMA_24(FIRST, NEXT) NEXT(y, 384, 192)
#define ASSAY_WGMMA_26(FIRST, NEXT) ASSAY_WGMMA_25(FIRST, NEXT) NEXT(z, 400, 200)
#define ASSAY_WGMMA_27(FIRST, NEXT) ASSAY_WGMMA_26(FIRST, NEXT) NEXT(A, 416, 208)
#define ASSAY_WGMMA_28(FIRST, NEXT) ASSAY_WGMMA_27(FIRST, NEXT) NEXT(B, 432, 216)
#define ASSAY_WGMMA_29(FIRST, NEXT) ASSAY_WGMMA_28(FIRST, NEXT) NEXT(C, 448, 224)
#define ASSAY_WGMMA_30(FIRST, NEXT) ASSAY_WGMMA_29(FIRST, NEXT) NEXT(D, 464, 232)
#define ASSAY_WGMMA_31(FIRST, NEXT) ASSAY_WGMMA_30(FIRST, NEXT) NEXT(E, 480, 240)
#define ASSAY_WGMMA_32(FIRST, NEXT) ASSAY_WGMMA_31(FIRST, NEXT) NEXT(F, 496, 248)

#define ASSAY_WGMMA_DECLARE_4(v, at_4, at_2) ".reg .b32 " #v "<4>;"
#define ASSAY_WGMMA_DECLARE_2(v, at_4, at_2) ".reg .b32 " #v "<2>;"
#define ASSAY_WGMMA_LOAD_4(v, at_4, at_2) "ld.global.v4.b32 {" #v "0," #v "1," #v "2," #v "3},[%0+" #at_4 "];"
#define ASSAY_WGMMA_LOAD_2(v, at_4, at_2) "ld.global.v2.b32 {" #v "0," #v "1},[%0+" #at_2 "];"
#define ASSAY_WGMMA_FIRST_4(v, at_4, at_2) #v "0," #v "1," #v "2," #v "3"
#define ASSAY_WGMMA_FIRST_2(v, at_4, at_2) #v "0," #v "1"
#define ASSAY_WGMMA_NEXT_4(v, at_4, at_2) "," #v "0," #v "1," #v "2," #v "3"
#define ASSAY_WGMMA_NEXT_2(v, at_4, at_2) "," #v "0," #v "1"
#define ASSAY_WGMMA_STORE_4(v, at_4, at_2) \
  "st.global.v4.b32 [%0+" #at_4 "],{" #v "0," #v "1," #v "2," #v "3};"
#define ASSAY_WGMMA_STORE_2(v, at_4, at_2) "st.global.v2.b32 [%0+" #at_2 "],{" #v "0," #v "1};"
#define ASSAY_WGMMA_EACH(blocks, what) ASSAY_WGMMA_##blocks(what, what)

/// .k and types as PTX spells them.
#define ASSAY_WGMMA_SPELL_f32_f16_f16 "k16.f32.f16.f16"
#define ASSAY_WGMMA_SPELL_f16_f16_f16 "k16.f16.f16.f16"
#define ASSAY_WGMMA_SPELL_f32_bf16_bf16 "k16.f32.bf16.bf16"
#define ASSAY_WGMMA_SPELL_f32_tf32_tf32 "k8.f32.tf32.tf32"
#define ASSAY_WGMMA_SPELL_f32_e4m3_e4m3 "k32.f32.e4m3.e4m3"
#define ASSAY_WGMMA_SPELL_f32_e4m3_e5m2 "k32.f32.e4m3.e5m2"
#define ASSAY_WGMMA_SPELL_f32_e5m2_e4m3 "k32.f32.e5m2.e4m3"
#define ASSAY_WGMMA_SPELL_f32_e5m2_e5m2 "k32.f32.e5m2.e5m2"
#define ASSAY_WGMMA_SPELL_f16_e4m3_e4m3 "k32.f16.e4m3.e4m3"
#define ASSAY_WGMMA_SPELL_f16_e4m3_e5m2 "k32.f16.e4m3.e5m2"
#define ASSAY_WGMMA_SPELL_f16_e5m2_e4m3 "k32.f16.e5m2.e4m3"
#define ASSAY_WGMMA_SPELL_f16_e5m2_e5m2 "k32.f16.e5m2.e5m2"
#define ASSAY_WGMMA_SPELL_s32_s8_s8 "k32.s32.s8.s8"
#define ASSAY_WGMMA_SPELL_s32_s8_u8 "k32.s32.s8.u8"
#define ASSAY_WGMMA_SPELL_s32_u8_s8 "k32.s32.u8.s8"
#define ASSAY_WGMMA_SPELL_s32_u8_u8 "k32.s32.u8.u8"
#define ASSAY_WGMMA_SPELL_s32_s8_s8_satfinite "k32.s32.s8.s8.satfinite"
#define ASSAY_WGMMA_SPELL_s32_s8_u8_satfinite "k32.s32.s8.u8.satfinite"
#define ASSAY_WGMMA_SPELL_s32_u8_s8_satfinite "k32.s32.u8.s8.satfinite"
#define ASSAY_WGMMA_SPELL_s32_u8_u8_satfinite "k32.s32.u8.u8.satfinite"

/// What follows scale-d: the transposes are operands of the 16-bit types alone, with A in registers only that
/// of B; integers have no scales either.
#define ASSAY_WGMMA_TAIL_SS_16(sa, sb, ta, tb) "," #sa "," #sb "," #ta "," #tb
#define ASSAY_WGMMA_TAIL_RS_16(sa, sb, ta, tb) "," #sa "," #sb "," #tb
#define ASSAY_WGMMA_TAIL_SS_8(sa, sb, ta, tb) "," #sa "," #sb
#define ASSAY_WGMMA_TAIL_RS_8(sa, sb, ta, tb) "," #sa "," #sb
#define ASSAY_WGMMA_TAIL_SS_0(sa, sb, ta, tb) ""
#define ASSAY_WGMMA_TAIL_RS_0(sa, sb, ta, tb) ""
#define ASSAY_WGMMA_TAIL_f32_f16_f16(source) ASSAY_WGMMA_TAIL_##source##_16
#define ASSAY_WGMMA_TAIL_f16_f16_f16(source) ASSAY_WGMMA_TAIL_##source##_16
#define ASSAY_WGMMA_TAIL_f32_bf16_bf16(source) ASSAY_WGMMA_TAIL_##source##_16
#define ASSAY_WGMMA_TAIL_f32_tf32_tf32(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f32_e4m3_e4m3(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f32_e4m3_e5m2(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f32_e5m2_e4m3(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f32_e5m2_e5m2(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f16_e4m3_e4m3(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f16_e4m3_e5m2(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f16_e5m2_e4m3(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_f16_e5m2_e5m2(source) ASSAY_WGMMA_TAIL_##source##_8
#define ASSAY_WGMMA_TAIL_s32_s8_s8(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_s8_u8(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_u8_s8(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_u8_u8(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_s8_s8_satfinite(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_s8_u8_satfinite(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_u8_s8_satfinite(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_TAIL_s32_u8_u8_satfinite(source) ASSAY_WGMMA_TAIL_##source##_0
#define ASSAY_WGMMA_A_SS "%3"
#define ASSAY_WGMMA_A_RS "{%3,%4,%5,%6}"

/// Operands of the asm statement: %0 address of the thread's D, %1 descriptor of B, %2 scale-d, %3.. A.
#define ASSAY_WGMMA_TEXT(types, n, width, blocks, source, sa, sb, ta, tb) \
  "{.reg .pred accumulate;" ASSAY_WGMMA_EACH(blocks, ASSAY_WGMMA_DECLARE_##width) "setp.ne.b32 accumulate,%2,0;" \
  ASSAY_WGMMA_EACH(blocks, ASSAY_WGMMA_LOAD_##width) "wgmma.fence.sync.aligned;"                                  \
  "wgmma.mma_async.sync.aligned.m64n" #n ASSAY_WGMMA_SPELL_##types                                                \
  " {" ASSAY_WGMMA_##blocks(ASSAY_WGMMA_FIRST_##width, ASSAY_WGMMA_NEXT_##width) "}," ASSAY_WGMMA_A_##source      \
  ",%1,accumulate" ASSAY_WGMMA_TAIL_##types(source)(sa, sb, ta, tb) ";"                                          \
  "wgmma.commit_group.sync.aligned;wgmma.wait_group.sync.aligned 0;"                                              \
  ASSAY_WGMMA_EACH(blocks, ASSAY_WGMMA_STORE_##width) "}"
