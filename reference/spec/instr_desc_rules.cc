// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "reference/spec/instr_desc.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {
namespace {

/// Whether some instruction that may carry the word takes this many scales a row.
bool may_take(ScaleVec vec, uint64_t word, const InstrUse& use) {
  const MmaKindRow& row = row_of(use.kind);
  if (!row.takes(4)) return vec == (row.is_packed ? ScaleVec::x2 : ScaleVec::x1);
  if (use.scale_vec) return vec == *use.scale_vec;
  return vec == ScaleVec::x4 || (vec == ScaleVec::x2 && get_raw(word, idesc::scale_type) == type_code::ue8m0);
}
/// The scale of the instruction lies in one cell from byte `id` on; with K of 96 it goes on in the next.
bool legal_scale_id(uint64_t id, ScaleVec vec, bool k96) {
  switch (vec) {
    case ScaleVec::x1:
      return true;
    case ScaleVec::x2:
      return k96 || id % 2 == 0;
    case ScaleVec::x4:
      return k96 ? id % 2 == 0 : id == 0;
  }
  return false;
}
bool legal_scale_ids(uint64_t word, const InstrUse& use) {
  const bool k96 = is_k96(word, use.kind);
  for (const ScaleVec vec : {ScaleVec::x1, ScaleVec::x2, ScaleVec::x4})
    if (may_take(vec, word, use) && legal_scale_id(get_raw(word, idesc::a_scale_id), vec, k96) &&
        legal_scale_id(get_raw(word, idesc::b_scale_id), vec, k96))
      return true;
  return false;
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
  if (row_of(kind).is_integer) {
    if (cta_group == 1) return one_of(m, {64, 128}) && (one_of(n, {8, 24}) || stepped(n, 16, 256, 16));
    return one_of(m, {128, 256}) && stepped(n, 32, 256, 32);
  }
  const bool n_fits = cta_group == 1 ? stepped(n, 8, 256, 8) : stepped(n, 16, 256, 16);
  if (!n_fits) return false;
  if (row_of(kind).is_mx) return cta_group == 1 ? m == 128 : m == 256 || (m == 128 && !sparse);
  return cta_group == 1 ? one_of(m, {64, 128}) : one_of(m, {128, 256});
}

using InstrRule = DescriptorRule<InstrUse>;
const InstrRule instr_checks[] = {
    {rule_table[rule("IDESC-R01")], "reserved",
     [](uint64_t word, const InstrUse& use) { return (word & descriptor_of(use.kind).reserved) == 0; }},
    {rule_table[rule("IDESC-R02")], "d_type",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx ||
              format_of(use.kind, idesc::d_type, get_raw(word, idesc::d_type)) != nullptr;
     }},
    {rule_table[rule("IDESC-R03")], "a_type",
     [](uint64_t word, const InstrUse& use) { return a_format(word, use.kind) != nullptr; }},
    {rule_table[rule("IDESC-R04")], "b_type",
     [](uint64_t word, const InstrUse& use) { return b_format(word, use.kind) != nullptr; }},
    {rule_table[rule("IDESC-R05")], "d_type",
     [](uint64_t word, const InstrUse& use) {
       return use.kind != MmaKind::f16 || get_raw(word, idesc::d_type) != type_code::d_f16 ||
              (get_raw(word, idesc::a_type) == type_code::f16 &&
               get_raw(word, idesc::b_type) == type_code::f16);
     }},
    {rule_table[rule("IDESC-R06")], "saturate",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx || row_of(use.kind).is_integer || get_raw(word, idesc::saturate) == 0;
     }},
    {rule_table[rule("IDESC-R07")], "sparsity_selector",
     [](uint64_t word, const InstrUse& use) {
       const bool selects = is_sparse(word) && row_of(use.kind).scales_d;
       return row_of(use.kind).is_mx || selects || get_raw(word, idesc::sparsity_selector) == 0;
     }},
    {rule_table[rule("IDESC-R08")], "negate_a",
     [](uint64_t word, const InstrUse& use) {
       return !row_of(use.kind).is_integer ||
              (get_raw(word, idesc::negate_a) == 0 && get_raw(word, idesc::negate_b) == 0);
     }},
    {rule_table[rule("IDESC-R09")], "transpose_a",
     [](uint64_t word, const InstrUse& use) {
       const auto may = [&](const Format* format) {
         return row_of(use.kind).may_transpose && (format == nullptr || format->storage_bits >= 8);
       };
       return (get_raw(word, idesc::transpose_a) == 0 || may(a_format(word, use.kind))) &&
              (get_raw(word, idesc::transpose_b) == 0 || may(b_format(word, use.kind)));
     }},
    {rule_table[rule("IDESC-R10")], "transpose_a",
     [](uint64_t word, const InstrUse& use) {
       return !use.a_in_tmem.value_or(false) || get_raw(word, idesc::transpose_a) == 0;
     }},
    {rule_table[rule("IDESC-R11")], "m",
     [](uint64_t word, const InstrUse& use) {
       // That a sparse K of 96 is none is R17.
       const bool k96 = is_k96(word, use.kind);
       return legal_shape(use, is_sparse(word) && !k96, m_value(word, use.kind), n_value(word), k96);
     }},
    {rule_table[rule("IDESC-R12")], "n",
     [](uint64_t word, const InstrUse& use) {
       const Format* b = b_format(word, use.kind);
       if (get_raw(word, idesc::transpose_b) == 0 || b == nullptr || b->storage_bits != 8) return true;
       return n_value(word) % (use.cta_group.value_or(1) == 2 ? 32 : 16) == 0;
     }},
    {rule_table[rule("IDESC-R13")], "max_shift",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx || use.ws.value_or(true) || get_raw(word, idesc::max_shift) == 0;
     }},
    {rule_table[rule("IDESC-R14")], "sparse",
     [](uint64_t word, const InstrUse& use) { return !use.sparse || *use.sparse == is_sparse(word); }},
    {rule_table[rule("IDESC-R15")], "scale_type",
     [](uint64_t word, const InstrUse& use) {
       if (!row_of(use.kind).is_mx || get_raw(word, idesc::scale_type) == type_code::ue8m0) return true;
       return row_of(use.kind).may_be_ue4m3 && use.scale_vec.value_or(ScaleVec::x4) == ScaleVec::x4;
     }},
    {rule_table[rule("IDESC-R16")], "a_scale_id",
     [](uint64_t word, const InstrUse& use) {
       return !row_of(use.kind).is_mx || legal_scale_ids(word, use);
     }},
    {rule_table[rule("IDESC-R17")], "k_size",
     [](uint64_t word, const InstrUse& use) {
       return !is_k96(word, use.kind) || (!is_sparse(word) && (!use.arch || row_of(*use.arch).has_k96));
     }},
    {rule_table[rule("IDESC-R18")], "a_type",
     [](uint64_t, const InstrUse& use) { return !use.arch || !lacks_kind(*use.arch, use.kind); }},
    {rule_table[rule("IDESC-R19")], "", nullptr},
    {rule_table[rule("IDESC-R20")], "", nullptr},
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
  return instr_checks;
}

uint64_t instr_desc_rules_broken(uint32_t word, const InstrUse& use) {
  return rules_broken<InstrUse>(instr_checks, word, use);
}

std::vector<RuleBroken> instr_desc_violations(uint32_t word, const InstrUse& use) {
  return listed<InstrUse>(instr_checks, instr_desc_rules_broken(word, use));
}

}  // namespace assay::spec
