// SPDX-License-Identifier: Apache-2.0
#include "generators/one_rule_broken.h"
#include "suites/mma/coverage.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

template <spec::MmaKind kind>
Property scaled_claim_of(std::string_view name, std::string_view claim) {
  return {
      .name = name,
      .claim = claim,
      .family = tcgen05_mma_family,
      .share = 2,
      .generate = generate_case<gen::make_mma<kind>>,
      .spaces = mma_scaled_spaces<scaled_forms_of<kind>>(),
      .cover = cover_mma_scaled,
      .declines = needs_kind<kind>,
  };
}

const Registered scaled_mxf8f6f4(scaled_claim_of<spec::MmaKind::mxf8f6f4>(
    "mma.scaled.mxf8f6f4",
    "tcgen05.mma of kind::mxf8f6f4 computes every bit of D as the rules of scales and adder say, "
    "for all 25 pairs of types and any values of operands and scales"));

const Registered scaled_mxf4(scaled_claim_of<spec::MmaKind::mxf4>(
    "mma.scaled.mxf4",
    "tcgen05.mma of kind::mxf4 computes every bit of D as the rules of scales and adder say, for "
    "any values of operands and scales"));

const Registered scaled_mxf4nvf4(scaled_claim_of<spec::MmaKind::mxf4nvf4>(
    "mma.scaled.mxf4nvf4",
    "tcgen05.mma of kind::mxf4nvf4 computes every bit of D as the rules of scales and adder say, "
    "with scales of either format and blocks of 16 or 32 elements"));

const Registered k96({
    .name = "mma.scaled.k96",
    .claim = "tcgen05.mma with K of 96 reads 48 bytes of a row, continues at the absolute leading address "
             "past the end of the row, and reads scales across the border of a group",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_scaled_k96>,
    .spaces = mma_scaled_spaces<gen::scaled_k96_forms>(),
    .cover = cover_mma_scaled,
    .declines = needs_k_of_96,
});

const Registered scaled_layout({
    .name = "mma.scaled.layout",
    .claim = "block-scaled tcgen05.mma reads operands and scale factors where descriptors, scale ids and "
             "layouts say",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_scaled_layout>,
    .spaces = mma_scaled_spaces<gen::scaled_plain_forms>(),
    .cover = cover_mma_scaled,
    .declines = needs_tensor_memory,
});

const Registered scaled_pair({
    .name = "mma.scaled.pair",
    .claim = "block-scaled tcgen05.mma on a CTA pair reads the scales of each CTA's rows of A, and those of "
             "all columns of B, from that CTA",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_scaled_pair>,
    .spaces = mma_scaled_spaces<gen::scaled_pair_forms>(),
    .cover = cover_mma_scaled,
    .declines = needs_tensor_memory,
});

const Registered refill({
    .name = "mma.scaled.refill",
    .claim = "when a thread issues tcgen05.cp of scale factors right after a tcgen05.mma, without a wait, "
             "the tcgen05.mma still reads the old scales",
    .family = tcgen05_mma_family,
    .generate = generate_case<gen::make_mma_scaled_refill>,
    .spaces = mma_refill_spaces(),
    .cover = cover_mma_refill,
    .declines = needs_tensor_memory,
});

const Registered scaled_broken(broken_property<gen::make_mma_scaled_broken>(
    "mma.scaled.one_field_wrong",
    "a block-scaled instruction with one illegal field changes nothing outside D, and a legal "
    "instruction issued next to it computes its product",
    80, 60));

const Registered scaled_one_rule_broken(broken_property<gen::make_mma_scaled_one_rule_broken>(
    "mma.scaled.one_rule_broken",
    "a block-scaled instruction whose fields are legal one by one but break a rule together changes nothing "
    "outside D, and a legal instruction issued next to it computes its product"));

}  // namespace
}  // namespace assay::suites
