#include "devices/emulator/alu/families.h"

namespace assay::emulator {
namespace {

struct Row {
  std::string_view base;
  alu::Finder find;
};

// A base of several families has a row for each; at most one of them knows the qualifiers given.
constexpr Row rows[] = {
    {"abs", alu::find_abs_integer}, {"add", alu::find_add_integer}, {"add", alu::find_add_carry},
    {"addc", alu::find_addc},       {"and", alu::find_and},         {"bfe", alu::find_bfe},
    {"bfi", alu::find_bfi},         {"bfind", alu::find_bfind},     {"bmsk", alu::find_bmsk},
    {"brev", alu::find_brev},       {"clz", alu::find_clz},         {"cnot", alu::find_cnot},
    {"div", alu::find_div_integer}, {"dp2a", alu::find_dp2a},       {"dp4a", alu::find_dp4a},
    {"fns", alu::find_fns},         {"lop3", alu::find_lop3},       {"mad", alu::find_mad_integer},
    {"mad", alu::find_mad_carry},   {"mad24", alu::find_mad24},     {"madc", alu::find_madc},
    {"max", alu::find_max_integer}, {"min", alu::find_min_integer}, {"mov", alu::find_mov},
    {"mul", alu::find_mul_integer}, {"mul24", alu::find_mul24},     {"neg", alu::find_neg_integer},
    {"not", alu::find_not},         {"or", alu::find_or},           {"popc", alu::find_popc},
    {"prmt", alu::find_prmt},       {"rem", alu::find_rem},         {"sad", alu::find_sad},
    {"selp", alu::find_selp},       {"set", alu::find_set},         {"setp", alu::find_setp},
    {"setp", alu::find_setp_half},  {"shf", alu::find_shf},         {"shl", alu::find_shl},
    {"shr", alu::find_shr},         {"slct", alu::find_slct},       {"sub", alu::find_sub_integer},
    {"sub", alu::find_sub_carry},   {"subc", alu::find_subc},       {"szext", alu::find_szext},
    {"testp", alu::find_testp},     {"xor", alu::find_xor},
};

}  // namespace

std::optional<LaneForm> find_lane_form(const Opcode& opcode, int destination_bits) {
  std::optional<alu::Words> words;
  for (const Row& row : rows) {
    if (row.base != opcode.base) continue;
    if (!words) words = alu::split(opcode);
    if (!words) return std::nullopt;
    words->destination_bits = destination_bits;
    if (auto form = row.find(*words)) return form;
  }
  return std::nullopt;
}

}  // namespace assay::emulator
