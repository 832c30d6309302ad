// SPDX-License-Identifier: Apache-2.0
#include "generators/one_rule_broken.h"

#include "generators/mma/make.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/rules.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::gen {
namespace {

namespace idesc = spec::idesc;
namespace smem = spec::smem;

bool is_narrow_element(const spec::Format* format) {
  return format->storage_bits < 8;
}

void put(Tcgen05MmaCase& c, const spec::Field& field, uint64_t raw) {
  const uint64_t word = model::idesc_word(c);
  c.idesc_flip ^= static_cast<uint32_t>(word ^ spec::with_raw(word, field, raw));
}
void put(Tcgen05MmaCase& c, bool is_a, const spec::Field& field, uint64_t raw) {
  const uint64_t word = is_a ? model::a_word(c) : model::b_word(c);
  (is_a ? c.a_flip : c.b_flip) ^= word ^ spec::with_raw(word, field, raw);
}

/// One of the matrices that lie in shared memory.
bool random_operand(Random& random, const Tcgen05MmaCase& c) {
  return !c.a_in_tmem && random.one_in(2);
}
const MatrixInShared& matrix(const Tcgen05MmaCase& c, bool is_a) {
  return is_a ? c.a : c.b;
}
bool is_transposed(const Tcgen05MmaCase& c, bool is_a) {
  return is_a ? c.transpose_a : c.transpose_b;
}

// Each alters a legal case; whether that breaks the rule and no other is looked at afterwards.

void f16_from_bf16(Random&, spec::Arch, Tcgen05MmaCase& c) {
  if (c.kind == MmaKind::f16 && c.d_type == spec::type_code::d_f32)
    put(c, idesc::d_type, spec::type_code::d_f16);
}
void saturate(Random&, spec::Arch, Tcgen05MmaCase& c) {
  if (!is_scaled(c.kind)) put(c, idesc::saturate, 1);
}
void select(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  if (!is_scaled(c.kind)) put(c, idesc::sparsity_selector, 1 + random.below(3));
}
void negate(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const uint32_t which = 1 + random.below(3);
  put(c, idesc::negate_a, which & 1);
  put(c, idesc::negate_b, which >> 1);
}
void transpose_narrow(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const model::MmaFormats formats = model::formats_of(c);
  const bool may_a = !c.a_in_tmem && is_narrow_element(formats.a), may_b = is_narrow_element(formats.b);
  const uint32_t which = 1 + random.below(3);
  if (may_a && (which & 1) != 0) put(c, idesc::transpose_a, 1);
  if (may_b && (which & 2) != 0) put(c, idesc::transpose_b, 1);
}
void transpose_in_tensor_memory(Random&, spec::Arch, Tcgen05MmaCase& c) {
  if (c.a_in_tmem) put(c, idesc::transpose_a, 1);
}
/// N of at most 256: what an instruction of that shape may write lies in the allocation.
void other_shape(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const spec::Field& m = !is_scaled(c.kind) ? idesc::m : idesc::mx_m;
  if (random.one_in(2))
    put(c, m, random.below(static_cast<uint32_t>(spec::low_bits(m.width())) + 1));
  else
    put(c, idesc::n, random.below(33));
}
void uneven_n(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  if (c.transpose_b) put(c, idesc::n, c.cta_group * (1 + 2 * random.below(16 / c.cta_group)));
}
void bound_shift(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  if (!is_scaled(c.kind)) put(c, idesc::max_shift, 1 + random.below(3));
}
void deny_sparsity(Random&, spec::Arch, Tcgen05MmaCase& c) {
  put(c, idesc::sparse, c.sparse ? 0 : 1);
}
void other_scale_type(Random&, spec::Arch, Tcgen05MmaCase& c) {
  if (is_scaled(c.kind)) put(c, idesc::scale_type, 1 - c.scale_type);
}
void other_scale_ids(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  if (!is_scaled(c.kind)) return;
  const uint32_t id = random.below(4);
  put(c, random.one_in(2) ? idesc::a_scale_id : idesc::b_scale_id, id);
}
/// Without the mechanism a form with it is wrong as it is; with it, a sparse one.
void k_of_96(Random&, spec::Arch, Tcgen05MmaCase& c) {
  if (c.sparse && model::is_packed_kind(c)) put(c, idesc::k_size, 1);
}
/// What some targets allow, so not a flip.
void absolute_leading(Random& random, spec::Arch arch, Tcgen05MmaCase& c) {
  const bool is_a = random_operand(random, c);
  MatrixInShared& of = is_a ? c.a : c.b;
  if (spec::row_of(arch).has_absolute_leading || of.swizzle != spec::smem_swizzle::by_128B ||
      is_transposed(c, is_a))
    return;
  of.leading_is_absolute = true;
  of.leading_offset = 0;
}
void absolute_leading_elsewhere(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const bool is_a = random_operand(random, c);
  put(c, is_a, smem::leading_mode, 1);
  if (matrix(c, is_a).swizzle == spec::smem_swizzle::by_128B && !is_transposed(c, is_a))
    put(c, is_a, smem::base_offset, 1 + random.below(7));
}
void base_without_swizzle(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const bool is_a = random_operand(random, c);
  if (matrix(c, is_a).swizzle == 0) put(c, is_a, smem::base_offset, 1 + random.below(7));
}
void atoms_of_32(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const bool is_a = random_operand(random, c);
  if (is_transposed(c, is_a)) put(c, is_a, smem::swizzle, spec::smem_swizzle::by_128B_atom32B);
}
void atoms_of_16(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const bool is_a = random_operand(random, c);
  if (is_transposed(c, is_a)) put(c, is_a, smem::swizzle, 2 * random.below(4));
}
void long_column_shift(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  const uint32_t most = c.m == 32 ? 16 : 32;
  const uint64_t word = model::mask_word(c);
  if (c.has_mask)
    c.mask_flip = word ^ spec::with_raw(word, spec::zcm::column_shift, random.between(most + 1, 63));
}
/// Fields alone: without the collector the same shift is right.
void shift_past_its_bound(Random& random, spec::Arch, Tcgen05MmaCase& c) {
  if (!c.has_mask || c.mask.column_shift == 0) return;
  constexpr Collector keeping[] = {Collector::fill, Collector::use, Collector::lastuse};
  c.collector = keeping[random.below(3)];
  c.collector_filled = reuses(c.collector);
  constexpr uint32_t bounds[] = {0, 8, 16};
  c.max_shift = bounds[random.below(3)];
}

/// Bits of IssuedBy.
constexpr uint8_t one = 1, pair = 2, ws = 4, every = one | pair | ws;

struct BrokenRule {
  std::string_view rule;
  void (*alter)(Random&, spec::Arch, Tcgen05MmaCase&);
  uint8_t dense, scaled, sparse;    ///< who can break it
  spec::Mechanism needs = nullptr;  ///< of the architecture, if any
  spec::Mechanism lacks = nullptr;  ///< the rule holds where this is absent
};
constexpr BrokenRule broken_rules[] = {
    {"IDESC-R05", f16_from_bf16, every, 0, every},
    {"IDESC-R06", saturate, every, 0, every},
    {"IDESC-R07", select, every, 0, every},
    {"IDESC-R08", negate, every, 0, every, &spec::Architecture::has_tcgen05_i8},
    {"IDESC-R09", transpose_narrow, every, one | pair, every},
    {"IDESC-R10", transpose_in_tensor_memory, every, one | pair, every},
    {"IDESC-R11", other_shape, every, one | pair, every},
    {"IDESC-R12", uneven_n, one | pair, one | pair, one | pair},
    {"IDESC-R13", bound_shift, one | pair, 0, one | pair},
    {"IDESC-R14", deny_sparsity, every, one | pair, every},
    {"IDESC-R15", other_scale_type, 0, one | pair, one | pair},
    {"IDESC-R16", other_scale_ids, 0, one | pair, one | pair},
    {"IDESC-R17", k_of_96, 0, one | pair, 0, nullptr, &spec::Architecture::has_k96},
    {"IDESC-R17", k_of_96, 0, 0, one | pair, &spec::Architecture::has_k96},
    {"SMEM-R04", absolute_leading, every, one | pair, every, nullptr,
     &spec::Architecture::has_absolute_leading},
    {"SMEM-R05", absolute_leading_elsewhere, every, one | pair, every,
     &spec::Architecture::has_absolute_leading},
    {"SMEM-R06", base_without_swizzle, every, one | pair, every},
    {"SMEM-R08", atoms_of_32, every, one | pair, every},
    {"SMEM-R09", atoms_of_16, every, 0, every},
    {"ZCM-R02", long_column_shift, ws, 0, ws},
    {"ZCM-R04", shift_past_its_bound, ws, 0, ws},
};

using Who = uint8_t BrokenRule::*;

/// The rows of one CTA and of .ws, or those of pairs, which do not share a launch with them.
struct Way {
  const BrokenRule* row;
  IssuedBy issued_by;
};
std::vector<Way> ways_of(spec::Arch arch, Who who, bool pairs) {
  std::vector<Way> ways;
  for (const IssuedBy issued_by : {IssuedBy::one_cta, IssuedBy::ws, IssuedBy::pair})
    for (const BrokenRule& row : broken_rules)
      if ((row.*who >> static_cast<int>(issued_by) & 1) != 0 && (issued_by == IssuedBy::pair) == pairs &&
          (row.needs == nullptr || spec::has(arch, row.needs)) &&
          (row.lacks == nullptr || !spec::has(arch, row.lacks)))
        ways.push_back({&row, issued_by});
  return ways;
}
std::vector<WayToBreak> all_ways(spec::Arch arch, Who who) {
  std::vector<WayToBreak> all;
  for (const bool pairs : {false, true})
    for (const Way& way : ways_of(arch, who, pairs)) all.push_back({way.row->rule, way.issued_by});
  return all;
}

std::vector<MmaForm> forms_of(spec::Arch arch, Who who, IssuedBy issued_by, bool k96) {
  if (who == &BrokenRule::dense)
    return issued_by == IssuedBy::pair ? pair_forms(arch)
           : issued_by == IssuedBy::ws ? ws_forms(arch)
                                       : plain_forms(arch);
  if (who == &BrokenRule::sparse)
    return issued_by == IssuedBy::pair ? sparse_pair_forms(arch)
           : issued_by == IssuedBy::ws ? sparse_ws_forms(arch)
                                       : sparse_plain_forms(arch);
  const bool is_pair = issued_by == IssuedBy::pair;
  if (!k96) return is_pair ? scaled_pair_forms(arch) : scaled_plain_forms(arch);
  std::vector<MmaForm> forms = scaled_k96_forms(spec::first_with(&spec::Architecture::has_k96));
  std::erase_if(forms, [&](const MmaForm& form) { return (form.cta_group == 2) != is_pair; });
  return forms;
}

/// A right case, with D where no shape takes it out of the allocation or over anything else.
void make_right(Random& random, const CaseId& id, const MmaForm& form, Tcgen05MmaCase& c) {
  if (form.sparse)
    take_sparse_form(random, form, true, c);
  else
    take_dense_form(random, form, true, c);
  c.steps = 1;
  if (c.metadata.selector >= 2) c.metadata.selector %= 2;
  take_way_of_scales(id, c);
  if (c.ws && !random.one_in(4)) take_mask(random, random.one_in(2), c);
  finish(random, Placing::dense, FillMix::exact, c);
  keep_d_apart(c);
}

void make(const CaseId& id, Who who, Tcgen05MmaCase& c) {
  // One CTA group for 16 indexes in a row, of which two are right.
  const bool pairs = id.index / 16 % 2 == 1;
  const std::vector<Way> ways = ways_of(id.arch, who, pairs);
  const uint64_t in_row = id.index % 16, right_before = (in_row > 1 ? 1 : 0) + (in_row > 9 ? 1 : 0);
  const Way& way = ways[(id.index / 32 * 14 + in_row - right_before) % ways.size()];
  const bool k96 = way.row->alter == k_of_96 && who == &BrokenRule::scaled;
  const std::vector<MmaForm> forms = forms_of(id.arch, who, way.issued_by, k96 && id.index % 8 != 1);
  Random random = id.random();
  const spec::Readings readings(id.arch);
  const spec::RuleSet wanted = id.index % 8 == 1 ? spec::RuleSet() : rules_broken_with(way.row->rule);
  do {
    make_right(random, id, forms[random.below(static_cast<uint32_t>(forms.size()))], c);
    if (wanted.any()) way.row->alter(random, id.arch, c);
  } while (!model::fits_rig(c) || model::broken_mma_rules(c, readings) != wanted);
}

}  // namespace

spec::RuleSet rules_broken_with(std::string_view rule) {
  spec::RuleSet broken;
  broken.set(*spec::find_rule(rule));
  if (rule == "IDESC-R09") broken.set(spec::rule("SMEM-R07"));
  return broken;
}

std::vector<WayToBreak> ways_to_break_dense(spec::Arch arch) {
  return all_ways(arch, &BrokenRule::dense);
}
std::vector<WayToBreak> ways_to_break_scaled(spec::Arch arch) {
  return all_ways(arch, &BrokenRule::scaled);
}
std::vector<WayToBreak> ways_to_break_sparse(spec::Arch arch) {
  return all_ways(arch, &BrokenRule::sparse);
}

void make_mma_one_rule_broken(const CaseId& id, Tcgen05MmaCase& c) {
  make(id, &BrokenRule::dense, c);
}
void make_mma_scaled_one_rule_broken(const CaseId& id, Tcgen05MmaCase& c) {
  make(id, &BrokenRule::scaled, c);
}
void make_mma_sparse_one_rule_broken(const CaseId& id, Tcgen05MmaCase& c) {
  make(id, &BrokenRule::sparse, c);
}

}  // namespace assay::gen
