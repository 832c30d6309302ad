// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/wgmma.h"

#include <nlohmann/json.hpp>

#include "generators/warp_mma/cases.h"
#include "generators/warp_mma/forms.h"
#include "kernels/forms/records.h"
#include "reference/model/warp_mma/case.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/words.h"
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

using params::WgmmaRecord;
static_assert(WgmmaCase::added_in_group == params::wgmma_added_in_group);

uint32_t form(const WgmmaCase& c) {
  const uint32_t modifiers =
      (c.transpose_a ? params::wgmma_transpose_a : 0u) | (c.transpose_b ? params::wgmma_transpose_b : 0u) |
      (c.negate_a ? params::wgmma_negate_a : 0u) | (c.negate_b ? params::wgmma_negate_b : 0u) |
      (c.a_in_registers ? params::wgmma_a_in_registers : 0u);
  return params::wgmma_form(param_types(c.types), c.n, modifiers, param_sparsity(c.sparse),
                            c.in_groups      ? 1 + c.pending
                            : c.pending != 0 ? 8 + c.pending
                                             : 0);
}

uint64_t descriptor(const MatrixInShared& matrix, uint64_t ignored) {
  return spec::encode_wgmma_smem_desc(model::smem_matrix(matrix)) | ignored;
}

class Wgmma final : public WarpProductFamily<WgmmaCase, WgmmaRecord> {
 public:
  std::string_view name() const override { return "wgmma"; }

  void complete(const WgmmaCase& c, const spec::Readings&, WgmmaRecord& r) const override {
    r.a_desc = c.a_in_registers ? 0 : descriptor(c.a, c.a_ignored);
    r.b_desc = descriptor(c.b, c.b_ignored);
    r.form = form(c);
    r.opcode = forms::opcode_of(r);
    r.known = known_operands(c.known, c.sparse.present, c.types.d == MmaAccumulator::f16);
    if (c.sparse.present) pattern_words.metadata(c.sparse, std::span<uint32_t>(r.sparse_metadata));
  }

  std::span<const Descriptor> descriptors() const override { return wgmma_descriptors(); }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const WgmmaCase& c = any.as<WgmmaCase>();
    std::vector<std::pair<std::string, std::string>> list{{"form", gen::name_of(gen::form_of(c))},
                                                          {"scale-d", c.scale_d ? "1" : "0"}};
    tell(c, list);
    if (c.in_groups)
      list.emplace_back(
          "groups", "one for each eight columns, of which a first wait leaves " + std::to_string(c.pending));
    else if (c.pending != 0)
      list.emplace_back("products", "the same " + std::to_string(c.pending) + " times more, added to D" +
                                        (c.pending == WgmmaCase::added_in_group ? ", in one group" : ""));
    add_metadata(list, c.sparse);
    if (!c.a_in_registers) add_matrix(list, "A", c.a, c.a_ignored);
    add_matrix(list, "B", c.b, c.b_ignored);
    add_operands(list, c);
    return list;
  }

  std::span<const model::Bend> bends() const override { return model::warp_mma_bends(); }

  Case from_json(const nlohmann::json& json) const override {
    return legal(model::case_from_json<WgmmaCase>(json));
  }
};

}  // namespace

const Family& wgmma_family() {
  static const Wgmma family;
  return family;
}

}  // namespace assay::suites
