// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/emulator/alu/words.h"

/// One finder for each base of each family. A base that several families share (add, min, cvt, ...) has one
/// in each; their legal sets do not meet, so the order of asking does not matter.
namespace assay::emulator::alu {

// integer.cc
std::optional<LaneForm> find_add_integer(const Words&);
std::optional<LaneForm> find_sub_integer(const Words&);
std::optional<LaneForm> find_div_integer(const Words&);
std::optional<LaneForm> find_rem(const Words&);
std::optional<LaneForm> find_abs_integer(const Words&);
std::optional<LaneForm> find_neg_integer(const Words&);
std::optional<LaneForm> find_min_integer(const Words&);
std::optional<LaneForm> find_max_integer(const Words&);
std::optional<LaneForm> find_sad(const Words&);

// multiply.cc
std::optional<LaneForm> find_mul_integer(const Words&);
std::optional<LaneForm> find_mad_integer(const Words&);
std::optional<LaneForm> find_mul24(const Words&);
std::optional<LaneForm> find_mad24(const Words&);
std::optional<LaneForm> find_dp4a(const Words&);
std::optional<LaneForm> find_dp2a(const Words&);
std::optional<LaneForm> find_add_carry(const Words&);
std::optional<LaneForm> find_addc(const Words&);
std::optional<LaneForm> find_sub_carry(const Words&);
std::optional<LaneForm> find_subc(const Words&);
std::optional<LaneForm> find_mad_carry(const Words&);
std::optional<LaneForm> find_madc(const Words&);

// bits.cc
std::optional<LaneForm> find_popc(const Words&);
std::optional<LaneForm> find_clz(const Words&);
std::optional<LaneForm> find_bfind(const Words&);
std::optional<LaneForm> find_fns(const Words&);
std::optional<LaneForm> find_brev(const Words&);
std::optional<LaneForm> find_bfe(const Words&);
std::optional<LaneForm> find_bfi(const Words&);
std::optional<LaneForm> find_bmsk(const Words&);
std::optional<LaneForm> find_szext(const Words&);

// logic.cc
std::optional<LaneForm> find_and(const Words&);
std::optional<LaneForm> find_or(const Words&);
std::optional<LaneForm> find_xor(const Words&);
std::optional<LaneForm> find_not(const Words&);
std::optional<LaneForm> find_cnot(const Words&);
std::optional<LaneForm> find_lop3(const Words&);
std::optional<LaneForm> find_shl(const Words&);
std::optional<LaneForm> find_shr(const Words&);
std::optional<LaneForm> find_shf(const Words&);
std::optional<LaneForm> find_prmt(const Words&);

// set.cc
std::optional<LaneForm> find_mov(const Words&);
std::optional<LaneForm> find_selp(const Words&);
std::optional<LaneForm> find_slct(const Words&);

// compare.cc, set.cc
std::optional<LaneForm> find_setp(const Words&);
std::optional<LaneForm> find_setp_half(const Words&);
std::optional<LaneForm> find_set(const Words&);
std::optional<LaneForm> find_testp(const Words&);

// float_arithmetic.cc
std::optional<LaneForm> find_add_f32(const Words&);
std::optional<LaneForm> find_sub_f32(const Words&);
std::optional<LaneForm> find_mul_f32(const Words&);
std::optional<LaneForm> find_fma_f32(const Words&);
std::optional<LaneForm> find_mad_f32(const Words&);
std::optional<LaneForm> find_div_f32(const Words&);
std::optional<LaneForm> find_rcp_f32(const Words&);
std::optional<LaneForm> find_sqrt_f32(const Words&);
std::optional<LaneForm> find_add_f64(const Words&);
std::optional<LaneForm> find_sub_f64(const Words&);
std::optional<LaneForm> find_mul_f64(const Words&);
std::optional<LaneForm> find_fma_f64(const Words&);
std::optional<LaneForm> find_div_f64(const Words&);
std::optional<LaneForm> find_rcp_f64(const Words&);
std::optional<LaneForm> find_sqrt_f64(const Words&);

// half_arithmetic.cc
std::optional<LaneForm> find_add_half(const Words&);
std::optional<LaneForm> find_sub_half(const Words&);
std::optional<LaneForm> find_mul_half(const Words&);
std::optional<LaneForm> find_fma_half(const Words&);
std::optional<LaneForm> find_add_mixed(const Words&);
std::optional<LaneForm> find_sub_mixed(const Words&);
std::optional<LaneForm> find_fma_mixed(const Words&);

// min_max_sign.cc
std::optional<LaneForm> find_abs_float(const Words&);
std::optional<LaneForm> find_neg_float(const Words&);
std::optional<LaneForm> find_copysign(const Words&);
std::optional<LaneForm> find_min_float(const Words&);
std::optional<LaneForm> find_max_float(const Words&);

// approximate.cc
std::optional<LaneForm> find_rcp_approx(const Words&);
std::optional<LaneForm> find_sqrt_approx(const Words&);
std::optional<LaneForm> find_rsqrt(const Words&);
std::optional<LaneForm> find_lg2(const Words&);
std::optional<LaneForm> find_ex2(const Words&);
std::optional<LaneForm> find_sin(const Words&);
std::optional<LaneForm> find_cos(const Words&);
std::optional<LaneForm> find_tanh(const Words&);
std::optional<LaneForm> find_div_approx(const Words&);

// convert_to_integer.cc, convert_to_float.cc, convert_packed.cc
std::optional<LaneForm> find_cvt_integer(const Words&);
std::optional<LaneForm> find_cvt_pack(const Words&);
std::optional<LaneForm> find_cvt_to_integer(const Words&);
std::optional<LaneForm> find_cvt_from_integer(const Words&);
std::optional<LaneForm> find_cvt_float(const Words&);
std::optional<LaneForm> find_cvt_packed(const Words&);

}  // namespace assay::emulator::alu
