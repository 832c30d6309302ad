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

}  // namespace
}  // namespace assay::suites
