// SPDX-License-Identifier: Apache-2.0
#include "generators/one_rule_broken.h"
#include "suites/mma/coverage.h"
#include "suites/run/generate.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

template <spec::MmaKind kind>
Property dense_claim_of(std::string_view name, std::string_view claim) {
  return {
      .name = name,
      .claim = claim,
      .family = tcgen05_mma_family,
      .share = 2,
      .generate = generate_case<gen::make_mma<kind>>,
      .spaces = {mma_form_cells(dense_form_cells<kind>)},
      .cover = cover_mma_form,
      .declines = needs_kind<kind>,
  };
}

const Registered dense_f16(dense_claim_of<spec::MmaKind::f16>(
    "mma.dense.f16",
    "tcgen05.mma on f16 and bf16 computes every bit of D as the adder's rules say, for any "
    "operand values"));

const Registered dense_tf32(dense_claim_of<spec::MmaKind::tf32>(
    "mma.dense.tf32",
    "tcgen05.mma on tf32 computes every bit of D as the adder's rules say, for any operand values"));

const Registered dense_f8f6f4(dense_claim_of<spec::MmaKind::f8f6f4>(
    "mma.dense.f8f6f4",
    "tcgen05.mma on 8-, 6- and 4-bit floating point computes every bit of D as the adder's rules "
    "say"));

const Registered dense_i8(dense_claim_of<spec::MmaKind::i8>(
    "mma.dense.i8", "tcgen05.mma on 8-bit integers adds exactly and then wraps, or clamps with saturation"));

const Registered dense_layout({
    .name = "mma.dense.layout",
    .claim = "tcgen05.mma reads A and B where their descriptors say, and writes D where its shape says and "
             "nowhere else",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_layout>,
    .spaces = mma_layout_spaces<gen::plain_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered ashift({
    .name = "mma.dense.ashift",
    .claim = "tcgen05.mma with .ashift multiplies A in tensor memory as it was, then moves its rows down by "
             "one lane within every 32",
    .family = tcgen05_mma_family,
    .share = 0.4,
    .generate = generate_case<gen::make_mma_ashift>,
    .spaces = {mma_form_cells([](spec::Arch arch) { return cells_of_forms(gen::ashift_forms(arch)); })},
    .cover = cover_mma_form,
    .declines = needs_tensor_memory,
});

std::vector<gen::MmaForm> forms_of_dense(spec::Arch arch) {
  std::vector<gen::MmaForm> all = gen::plain_forms(arch);
  for (const gen::MmaForm& form : gen::pair_forms(arch)) all.push_back(form);
  return all;
}
const Registered output_lanes({
    .name = "mma.dense.output_lanes",
    .claim = "lanes named by disable-output-lane keep their previous contents",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_output_lanes>,
    .spaces = mma_layout_spaces<forms_of_dense>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered dense_pair({
    .name = "mma.dense.pair",
    .claim = "tcgen05.mma on a CTA pair reads each CTA's rows of A and its half of B, and writes each CTA's "
             "rows of D",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_pair>,
    .spaces = mma_layout_spaces<gen::pair_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered dense_broken({
    .name = "mma.descriptor.one_field_wrong",
    .claim = "an instruction with one illegal descriptor field changes nothing outside D, and a legal "
             "instruction issued next to it computes its product",
    .family = tcgen05_mma_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_mma_broken, gen::make_mma_broken, tcgen05_mma_family,
                                model::End::illegal_instruction>,
    .spaces = {expected_ends([](spec::Arch) {
      // Refused: 128B swizzle with 32-byte atoms, K-major.
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                   static_cast<uint32_t>(model::End::undefined),
                                   static_cast<uint32_t>(model::End::illegal_instruction)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // any of them may end the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
    .declines = needs_tensor_memory,
});

const Registered dense_one_rule_broken(broken_property<gen::make_mma_one_rule_broken>(
    "mma.descriptor.one_rule_broken",
    "an instruction whose fields are legal one by one but break a rule together changes nothing outside D, "
    "and a legal instruction issued next to it computes its product"));

const Registered ws_layout({
    .name = "mma.ws.layout",
    .claim = "tcgen05.mma.ws reads A and B where their descriptors say, and folds D over groups of lanes",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_ws_layout>,
    .spaces = mma_layout_spaces<gen::ws_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered shift({
    .name = "mma.ws.column_shift",
    .claim = "with a column shift, column j of D uses column j + shift of B, while the mask applies to "
             "columns of D",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_ws_shift>,
    .spaces = mma_layout_spaces<gen::ws_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered mask({
    .name = "mma.ws.zero_column_mask",
    .claim = "columns of B named by a zero-column mask are treated as zeros, whatever they hold; all others "
             "are used as they are",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_ws_mask>,
    .spaces = mma_layout_spaces<gen::ws_forms, false>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
