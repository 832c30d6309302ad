// SPDX-License-Identifier: Apache-2.0
#include "generators/one_rule_broken.h"
#include "suites/mma/coverage.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

template <spec::MmaKind kind>
Property sparse_claim_of(std::string_view name, std::string_view claim) {
  return {
      .name = name,
      .claim = claim,
      .family = tcgen05_mma_family,
      .share = 1,
      .generate = generate_case<gen::make_mma_sparse<kind>>,
      .spaces = mma_sparse_spaces<sparse_forms_of<kind>>(),
      .cover = cover_mma_sparse,
      .declines = needs_kind<kind>,
  };
}

const Registered sparse_f16(sparse_claim_of<spec::MmaKind::f16>(
    "mma.sparse.f16",
    "tcgen05.mma.sp on f16 and bf16 multiplies the kept elements of A by the elements of B that "
    "the metadata select, and computes every bit of D as the adder's rules say"));

const Registered sparse_tf32(sparse_claim_of<spec::MmaKind::tf32>(
    "mma.sparse.tf32",
    "tcgen05.mma.sp on tf32 multiplies the kept elements of A by the elements of B that the "
    "metadata select, and computes every bit of D as the adder's rules say"));

const Registered sparse_f8f6f4(sparse_claim_of<spec::MmaKind::f8f6f4>(
    "mma.sparse.f8f6f4",
    "tcgen05.mma.sp on 8-, 6- and 4-bit floating point multiplies the kept elements of A by the "
    "elements of B that the metadata select, and computes every bit of D as the adder's rules say"));

const Registered sparse_i8(sparse_claim_of<spec::MmaKind::i8>(
    "mma.sparse.i8",
    "tcgen05.mma.sp on 8-bit integers multiplies the kept elements of A by the elements of B that "
    "the metadata select, and computes every bit of D as the adder's rules say"));

const Registered sparse_mxf8f6f4(sparse_claim_of<spec::MmaKind::mxf8f6f4>(
    "mma.sparse.mxf8f6f4",
    "tcgen05.mma.sp of kind::mxf8f6f4 scales the products of kept elements, with one scale for "
    "twice as much of K as in the dense form"));

const Registered sparse_mxf4(sparse_claim_of<spec::MmaKind::mxf4>(
    "mma.sparse.mxf4",
    "tcgen05.mma.sp of kind::mxf4 scales the products of kept elements, with one scale for twice "
    "as much of K as in the dense form"));

const Registered sparse_mxf4nvf4(sparse_claim_of<spec::MmaKind::mxf4nvf4>(
    "mma.sparse.mxf4nvf4",
    "tcgen05.mma.sp of kind::mxf4nvf4 scales the products of kept elements, with one scale for "
    "twice as much of K as in the dense form"));

const Registered sparse_layout({
    .name = "mma.sparse.layout",
    .claim =
        "tcgen05.mma.sp reads its metadata where kind, shape and selector say, and 64 bytes of each row of B",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_sparse_layout>,
    .spaces = mma_sparse_spaces<gen::sparse_plain_forms>(),
    .cover = cover_mma_sparse,
    .declines = needs_tensor_memory,
});

const Registered sparse_pair({
    .name = "mma.sparse.pair",
    .claim = "tcgen05.mma.sp on a CTA pair reads the metadata of each CTA's rows from that CTA, and with M "
             "of 128 writes D to half of the lanes",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_sparse_pair>,
    .spaces = mma_sparse_spaces<gen::sparse_pair_forms>(),
    .cover = cover_mma_sparse,
    .declines = needs_tensor_memory,
});

const Registered ws({
    .name = "mma.sparse.ws",
    .claim = "tcgen05.mma.ws.sp reads the metadata of each group of lanes from that group, also with column "
             "masks and shifts",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_sparse_ws>,
    .spaces = mma_sparse_spaces<gen::sparse_ws_forms>(),
    .cover = cover_mma_sparse,
    .declines = needs_tensor_memory,
});

std::vector<gen::MmaForm> all_sparse_forms(spec::Arch arch) {
  std::vector<gen::MmaForm> all = gen::sparse_plain_forms(arch);
  for (const auto& more : {gen::sparse_pair_forms(arch), gen::sparse_ws_forms(arch)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}
const Registered sparse_illegal_codes({
    .name = "mma.sparse.illegal_codes",
    .claim = "an undefined metadata code leaves only its own row of D undefined: every other row is correct, "
             "and nothing outside D changes",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_sparse_illegal_codes>,
    .spaces = mma_sparse_spaces<all_sparse_forms, true>(),
    .cover = cover_mma_sparse_codes,
    .declines = needs_tensor_memory,
});

const Registered sparse_broken(broken_property<gen::make_mma_sparse_broken>(
    "mma.sparse.one_field_wrong",
    "a sparse instruction with one illegal field, or with metadata at an odd column, changes "
    "nothing outside D, and a legal instruction issued next to it computes its product",
    80, 60));

const Registered sparse_one_rule_broken(broken_property<gen::make_mma_sparse_one_rule_broken>(
    "mma.sparse.one_rule_broken",
    "a sparse instruction whose fields are legal one by one but break a rule together changes nothing "
    "outside D, and a legal instruction issued next to it computes its product"));

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
