// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>

#include "generators/warp_mma/forms.h"
#include "reference/layout/fragments.h"
#include "reference/model/warp_mma/warp_mma.h"

namespace assay::gen {
namespace {

const layout::SparsityRow& sparsity_of(MmaGroup group) {
  const MmaTypes& types = warp_forms<MmaSyncForm>(group, true).front().types;
  return layout::sparsity_of(*model::numeric_types(types, 0).a, true);
}

/// Eight codes: one alone; those that keep neighbours, so that sums which cancel in pairs still do; or any,
/// each at least once.
uint32_t list_of(Random& random, MmaGroup group) {
  std::vector<uint32_t> codes = legal_codes(group);
  const uint32_t way = random.below(4);
  if (way == 0) codes = {codes[random.below(static_cast<uint32_t>(codes.size()))]};
  if (way == 1) codes = {0b0100, 0b1110};
  const auto count = static_cast<uint32_t>(codes.size());
  const uint32_t first = random.below(count);
  uint32_t list = 0;
  for (uint32_t i = 0; i < 8; ++i) list |= codes[(first + i) % count] << 4 * i;
  return list;
}

}  // namespace

std::string code_name(MmaGroup group, uint32_t code) {
  return layout::code_name(sparsity_of(group), code);
}

std::vector<uint32_t> legal_codes(MmaGroup group) {
  std::vector<uint32_t> codes;
  for (uint32_t code = 0; code < code_count; ++code)
    if (layout::has_meaning_in_registers(sparsity_of(group), code)) codes.push_back(code);
  return codes;
}

std::vector<uint32_t> codes_without_a_meaning(MmaGroup group) {
  std::vector<uint32_t> codes;
  for (uint32_t code = 0; code < code_count; ++code)
    if (!layout::has_meaning_in_registers(sparsity_of(group), code)) codes.push_back(code);
  return codes;
}

void draw_metadata(Random& random, MmaGroup group, SparseA& sparse) {
  sparse.seed = random.next() >> 16;
  sparse.codes = list_of(random, group);
}

void take_strange_codes(const CaseId& id, MmaGroup group, uint32_t kept, SparseA& sparse) {
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  const std::vector<uint32_t> codes = codes_without_a_meaning(group);
  const auto count = static_cast<uint32_t>(codes.size());
  const uint32_t first = random.below(count);
  const bool is_alone = random.one_in(3);
  for (uint32_t i = 0; i < 8; ++i)
    sparse.strange_codes |= codes[is_alone ? first : (first + i) % count] << 4 * i;
  const uint32_t codes_of_row = kept / static_cast<uint32_t>(sparsity_of(group).kept);
  sparse.strange_rate = random.one_in(24) ? 256 : random.between(1, 96 / codes_of_row);
}

void make_sparse_wgmma_illegal_codes(const CaseId& id, WgmmaCase& c) {
  constexpr MmaGroup groups[] = {MmaGroup::f16, MmaGroup::bf16, MmaGroup::tf32, MmaGroup::fp8, MmaGroup::i8};
  const MmaGroup group = groups[id.index % std::size(groups)];
  CaseId within = id;
  within.index = id.index / std::size(groups);
  make_product(within, group, true, c);
  take_strange_codes(id, group, 32 / element_bytes(c.types.a), c.sparse);
}

void make_sparse_mma_sync_illegal_codes(const CaseId& id, MmaSyncCase& c) {
  constexpr MmaGroup groups[] = {MmaGroup::f16, MmaGroup::bf16, MmaGroup::tf32,
                                 MmaGroup::i8,  MmaGroup::i4,   MmaGroup::fp8};
  // Nobody has told how sm_120 adds a sparse row of 8-bit floats.
  const uint64_t count = std::size(groups) - (spec::row_of(id.arch).has_mma_kinds ? 1 : 0);
  const MmaGroup group = groups[id.index % count];
  CaseId within = id;
  within.index = id.index / count;
  make_product(within, group, true, c);
  take_strange_codes(id, group, kept_k(c), c.sparse);
}

bool fits_rig(const MmaTypes& types, const SparseA& sparse) {
  if (!sparse.present) return sparse == SparseA{};
  const layout::SparsityRow& row = sparsity_of(group_of(types));
  const auto all_have = [&](uint32_t list, bool meaning) {
    const std::vector<uint32_t> codes = layout::codes_of(list);
    return std::all_of(codes.begin(), codes.end(),
                       [&](uint32_t code) { return layout::has_meaning_in_registers(row, code) == meaning; });
  };
  const bool strange_fit = sparse.strange_rate == 0
                               ? sparse.strange_codes == 0
                               : sparse.strange_rate <= 256 && all_have(sparse.strange_codes, false);
  return sparse.selector < 4 && all_have(sparse.codes, true) && strange_fit;
}

}  // namespace assay::gen
