#include <initializer_list>

#include "reference/spec/instr_desc_read.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {
namespace {

/// Scales an instruction takes, when the kind leaves no choice or the qualifier is known.
std::optional<ScaleVec> scale_vec_of(const InstrUse& use) {
  if (use.kind == MmaKind::mxf8f6f4) return ScaleVec::x1;
  if (use.kind == MmaKind::mxf4) return ScaleVec::x2;
  return use.scale_vec;
}
bool legal_scale_id(uint64_t id, uint64_t word, const InstrUse& use) {
  const std::optional<ScaleVec> vec = scale_vec_of(use);
  if (!vec || *vec == ScaleVec::x1) return true;
  if (is_k96(word, use.kind)) return *vec == ScaleVec::x2 || id % 2 == 0;
  return *vec == ScaleVec::x2 ? id % 2 == 0 : id == 0;
}
bool one_of(int value, std::initializer_list<int> list) {
  for (const int one : list)
    if (value == one) return true;
  return false;
}
bool stepped(int value, int low, int high, int step) {
  return value >= low && value <= high && value % step == 0;
}

/// One form, everything known.
bool legal_shape_of(MmaKind kind, int cta_group, bool ws, bool sparse, int m, int n, bool k96) {
  if (ws && (cta_group != 1 || row_of(kind).is_mx)) return false;
  if (ws) return one_of(m, {32, 64, 128}) && (one_of(n, {64, 128}) || (n == 256 && !sparse));
  if (k96) return !sparse && (cta_group == 1 ? m == 128 : one_of(m, {128, 256})) && stepped(n, 16, 256, 16);
  if (kind == MmaKind::i8) {
    if (cta_group == 1) return one_of(m, {64, 128}) && (one_of(n, {8, 24}) || stepped(n, 16, 256, 16));
    return one_of(m, {128, 256}) && stepped(n, 32, 256, 32);
  }
  const bool n_fits = cta_group == 1 ? stepped(n, 8, 256, 8) : stepped(n, 16, 256, 16);
  if (!n_fits) return false;
  if (row_of(kind).is_mx) return cta_group == 1 ? m == 128 : m == 256 || (m == 128 && !sparse);
  return cta_group == 1 ? one_of(m, {64, 128}) : one_of(m, {128, 256});
}

constexpr Cite shapes{"ptx", "tcgen05, matrix shape, combinations of .kind and shapes"};
constexpr Cite descriptor_table{"ptx", "tcgen05, instruction descriptor"};
constexpr Cite transposes{"ptx", "tcgen05, transpose and negate operations"};
constexpr Cite scale_ids{"ptx", "tcgen05, scale factor data ids"};

using InstrRule = DescriptorRule<InstrUse>;
const InstrRule instr_rules[] = {
    {{"IDESC-R01", "reserved bits are 0", {{descriptor_table}}, from_sm_100, "AMB-31"},
     "reserved",
     [](uint64_t word, const InstrUse& use) {
       for (const Field& field : row_of(use.kind).descriptor->fields)
         if (field.kind == FieldKind::reserved && get_raw(word, field) != 0) return false;
       return true;
     }},
    {{"IDESC-R02",
      "the code of D is one that the kind lists",
      {{descriptor_table, shapes}},
      from_sm_100,
      "AMB-30"},
     "d_type",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx ||
              format_of(use.kind, idesc::d_type, get_raw(word, idesc::d_type)) != nullptr;
     }},
    {{"IDESC-R03", "the code of A is one that the kind lists", {{descriptor_table}}, from_sm_100, ""},
     "a_type",
     [](uint64_t word, const InstrUse& use) { return a_format(word, use.kind) != nullptr; }},
    {{"IDESC-R04", "the code of B is one that the kind lists", {{descriptor_table}}, from_sm_100, ""},
     "b_type",
     [](uint64_t word, const InstrUse& use) { return b_format(word, use.kind) != nullptr; }},
    {{"IDESC-R05", "kind::f16 writes f16 only from f16 by f16", {{shapes}}, from_sm_100, ""},
     "d_type",
     [](uint64_t word, const InstrUse& use) {
       return use.kind != MmaKind::f16 || get_raw(word, idesc::d_type) != 0 ||
              (get_raw(word, idesc::a_type) == 0 && get_raw(word, idesc::b_type) == 0);
     }},
    {{"IDESC-R06", "only kind::i8 saturates", {{descriptor_table}}, from_sm_100, ""},
     "saturate",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx || use.kind == MmaKind::i8 || get_raw(word, idesc::saturate) == 0;
     }},
    {{"IDESC-R07",
      "the sparsity selector is 0 in dense instructions, in f8f6f4 and in i8",
      {{descriptor_table}},
      from_sm_100,
      "AMB-20"},
     "sparsity_selector",
     [](uint64_t word, const InstrUse& use) {
       const bool selects = is_sparse(word) && (use.kind == MmaKind::f16 || use.kind == MmaKind::tf32);
       return row_of(use.kind).is_mx || selects || get_raw(word, idesc::sparsity_selector) == 0;
     }},
    {{"IDESC-R08", "kind::i8 does not negate", {{transposes}}, from_sm_100, ""},
     "negate_a",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).may_negate ||
              (get_raw(word, idesc::negate_a) == 0 && get_raw(word, idesc::negate_b) == 0);
     }},
    {{"IDESC-R09",
      "mxf4, mxf4nvf4 and any 4- or 6-bit element are not transposed",
      {{transposes}},
      from_sm_100,
      ""},
     "transpose_a",
     [](uint64_t word, const InstrUse& use) {
       const auto may = [&](const Format* format) {
         return row_of(use.kind).may_transpose && (format == nullptr || format->storage_bits >= 8);
       };
       return (get_raw(word, idesc::transpose_a) == 0 || may(a_format(word, use.kind))) &&
              (get_raw(word, idesc::transpose_b) == 0 || may(b_format(word, use.kind)));
     }},
    {{"IDESC-R10",
      "A in tensor memory is not transposed",
      {{{"cutlass", "mma_traits_sm100.hpp, A from tensor memory"}}},
      from_sm_100,
      ""},
     "transpose_a",
     [](uint64_t word, const InstrUse& use) {
       return !use.a_in_tmem.value_or(false) || get_raw(word, idesc::transpose_a) == 0;
     }},
    {{"IDESC-R11",
      "M and N are a shape of the kind, the CTA group and .ws",
      {{shapes}},
      from_sm_100,
      "AMB-14"},
     "m",
     [](uint64_t word, const InstrUse& use) {
       return legal_shape(use, is_sparse(word), m_value(word, use.kind), n_value(word),
                          is_k96(word, use.kind));
     }},
    {{"IDESC-R12",
      "a transposed 8-bit B needs N in steps of 16, of 32 for a CTA pair",
      {{{"ptx", "tcgen05, matrix shape, transposed B of 8-bit types"}}},
      from_sm_100,
      ""},
     "n",
     [](uint64_t word, const InstrUse& use) {
       const Format* b = b_format(word, use.kind);
       if (get_raw(word, idesc::transpose_b) == 0 || b == nullptr || b->storage_bits != 8) return true;
       return n_value(word) % (use.cta_group.value_or(1) == 2 ? 32 : 16) == 0;
     }},
    {{"IDESC-R13",
      "a maximum shift for the reuse of B goes with .ws",
      {{descriptor_table}},
      from_sm_100,
      "AMB-04"},
     "max_shift",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx || use.ws.value_or(true) || get_raw(word, idesc::max_shift) == 0;
     }},
    {{"IDESC-R14", "the sparsity bit says what the instruction says", {{descriptor_table}}, from_sm_100, ""},
     "sparse",
     [](uint64_t word, const InstrUse& use) { return !use.sparse || *use.sparse == is_sparse(word); }},
    {{"IDESC-R15",
      "scales are ue8m0; ue4m3 with mxf4nvf4 and four scales alone",
      {{{"ptx", "tcgen05, block scaling, types of scales"}}},
      from_sm_100,
      "AMB-11"},
     "scale_type",
     [](uint64_t word, const InstrUse& use) {
       if (!row_of(use.kind).is_mx || get_raw(word, idesc::scale_type) == 1) return true;
       return use.kind == MmaKind::mxf4nvf4 && use.scale_vec.value_or(ScaleVec::x4) == ScaleVec::x4;
     }},
    {{"IDESC-R16",
      "scale ids are 0 or 2 for two scales, 0 for four; with K of 96 any for block32, 0 or 2 for block16",
      {{scale_ids}},
      from_sm_100,
      "AMB-12"},
     "a_scale_id",
     [](uint64_t word, const InstrUse& use) {
       return !row_of(use.kind).is_mx || (legal_scale_id(get_raw(word, idesc::a_scale_id), word, use) &&
                                          legal_scale_id(get_raw(word, idesc::b_scale_id), word, use));
     }},
    {{"IDESC-R17", "K of 96 is dense and needs sm_103a", {{shapes}}, from_sm_100, ""},
     "k_size",
     [](uint64_t word, const InstrUse& use) {
       return !is_k96(word, use.kind) ||
              (!is_sparse(word) && use.arch.value_or(Arch::sm_103) == Arch::sm_103);
     }},
    {{"IDESC-R18",
      "kind::i8 needs sm_100a or sm_110a",
      {{{"ptxas", "tcgen05.mma on each target"}}},
      only_sm_103,
      "AMB-44"},
     "a_type",
     [](uint64_t, const InstrUse& use) {
       return use.kind != MmaKind::i8 || use.arch.value_or(Arch::sm_100) == Arch::sm_100;
     }},
    {{"IDESC-R19",
      "the descriptor decides the types: f16 and tf32 are one opcode, as are f8f6f4's five types",
      {{{"ptxas", "machine code of tcgen05.mma kinds"}}},
      from_sm_100,
      ""},
     "",
     nullptr},
    {{"IDESC-R20",
      "negation flips the sign of every element before it is used",
      {{transposes}},
      from_sm_100,
      ""},
     "",
     nullptr},
};

}  // namespace

bool legal_shape(const InstrUse& use, bool sparse, int m, int n, bool k96) {
  for (const int cta_group : {1, 2})
    for (const bool ws : {false, true})
      if (use.cta_group.value_or(cta_group) == cta_group && use.ws.value_or(ws) == ws &&
          legal_shape_of(use.kind, cta_group, ws, sparse, m, n, k96))
        return true;
  return false;
}

std::span<const DescriptorRule<InstrUse>> instr_desc_rules() {
  return instr_rules;
}

std::vector<RuleBroken> instr_desc_violations(uint32_t word, const InstrUse& use) {
  return rules_broken<InstrUse>(instr_rules, word, use);
}

}  // namespace assay::spec
