// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"

namespace assay::emulator {
namespace {

struct Row {
  std::string_view base;
  alu::Finder find;
};

// A base of several families has a row for each; at most one of them knows the qualifiers given.
constexpr Row rows[] = {
    {"abs", alu::find_abs_integer},
    {"abs", alu::find_abs_float},
    {"add", alu::find_add_integer},
    {"add", alu::find_add_carry},
    {"add", alu::find_add_f32},
    {"add", alu::find_add_f64},
    {"add", alu::find_add_half},
    {"add", alu::find_add_mixed},
    {"addc", alu::find_addc},
    {"and", alu::find_and},
    {"bfe", alu::find_bfe},
    {"bfi", alu::find_bfi},
    {"bfind", alu::find_bfind},
    {"bmsk", alu::find_bmsk},
    {"brev", alu::find_brev},
    {"clz", alu::find_clz},
    {"cnot", alu::find_cnot},
    {"copysign", alu::find_copysign},
    {"cos", alu::find_cos},
    {"cvt", alu::find_cvt_integer},
    {"cvt", alu::find_cvt_float},
    {"cvt", alu::find_cvt_to_integer},
    {"cvt", alu::find_cvt_from_integer},
    {"cvt", alu::find_cvt_packed},
    {"cvt", alu::find_cvt_pack},
    {"div", alu::find_div_integer},
    {"div", alu::find_div_f32},
    {"div", alu::find_div_f64},
    {"div", alu::find_div_approx},
    {"dp2a", alu::find_dp2a},
    {"dp4a", alu::find_dp4a},
    {"ex2", alu::find_ex2},
    {"fma", alu::find_fma_f32},
    {"fma", alu::find_fma_f64},
    {"fma", alu::find_fma_half},
    {"fma", alu::find_fma_mixed},
    {"fns", alu::find_fns},
    {"lg2", alu::find_lg2},
    {"lop3", alu::find_lop3},
    {"mad", alu::find_mad_integer},
    {"mad", alu::find_mad_carry},
    {"mad", alu::find_mad_f32},
    {"mad", alu::find_fma_f64},
    {"mad24", alu::find_mad24},
    {"madc", alu::find_madc},
    {"max", alu::find_max_integer},
    {"max", alu::find_max_float},
    {"min", alu::find_min_integer},
    {"min", alu::find_min_float},
    {"mov", alu::find_mov},
    {"mul", alu::find_mul_integer},
    {"mul", alu::find_mul_f32},
    {"mul", alu::find_mul_f64},
    {"mul", alu::find_mul_half},
    {"mul24", alu::find_mul24},
    {"neg", alu::find_neg_integer},
    {"neg", alu::find_neg_float},
    {"not", alu::find_not},
    {"or", alu::find_or},
    {"popc", alu::find_popc},
    {"prmt", alu::find_prmt},
    {"rcp", alu::find_rcp_f32},
    {"rcp", alu::find_rcp_f64},
    {"rcp", alu::find_rcp_approx},
    {"rem", alu::find_rem},
    {"rsqrt", alu::find_rsqrt},
    {"sad", alu::find_sad},
    {"selp", alu::find_selp},
    {"set", alu::find_set},
    {"setp", alu::find_setp},
    {"setp", alu::find_setp_half},
    {"shf", alu::find_shf},
    {"shl", alu::find_shl},
    {"shr", alu::find_shr},
    {"sin", alu::find_sin},
    {"slct", alu::find_slct},
    {"sqrt", alu::find_sqrt_f32},
    {"sqrt", alu::find_sqrt_f64},
    {"sqrt", alu::find_sqrt_approx},
    {"sub", alu::find_sub_integer},
    {"sub", alu::find_sub_carry},
    {"sub", alu::find_sub_f32},
    {"sub", alu::find_sub_f64},
    {"sub", alu::find_sub_half},
    {"sub", alu::find_sub_mixed},
    {"subc", alu::find_subc},
    {"szext", alu::find_szext},
    {"tanh", alu::find_tanh},
    {"testp", alu::find_testp},
    {"xor", alu::find_xor},
};

}  // namespace

std::optional<LaneForm> find_lane_form(const Opcode& opcode, int destination_bits,
                                       bool takes_bytes_in_order) {
  std::optional<alu::Words> words;
  for (const Row& row : rows) {
    if (row.base != opcode.base) continue;
    if (!words) words = alu::split(opcode);
    if (!words) return std::nullopt;
    words->destination_bits = destination_bits;
    words->takes_bytes_in_order = takes_bytes_in_order;
    if (auto form = row.find(*words)) return form;
  }
  return std::nullopt;
}

}  // namespace assay::emulator
