// SPDX-License-Identifier: Apache-2.0
// Any call of the tiled tensor-map encoder: what the reference's rules say of it against the emulated
// driver's encoder, which was written apart. Input: fuzz/case_bytes.h.

#include "fuzz/encode_target.h"
#include "generators/tensor_map/encode_cases.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::fuzz {
namespace {

using Input = CaseInput<EncodeTiledCase>;

Input input_of(std::span<const uint8_t> bytes) {
  Input input = read_encode_case(bytes);
  if (!spec::row_of(input.arch).is_encoder_known) input.arch = spec::Arch::sm_100;
  input.what.null_mask &= 31;
  input.what.map_offset &= 63;
  input.what.replaces = false, input.what.replacement = 0;
  return input;
}

std::string case_text(std::span<const uint8_t> bytes) {
  return case_file_text("driver.tensor_map.encode_tiled", input_of(bytes).what);
}

void check(const Input& input) {
  const model::EncodePrediction prediction = model::predict_encode(input.what, spec::Readings(input.arch));
  cover_call(input.what.map, prediction, 5, 72, 3, static_cast<uint32_t>(input.arch), 16384);
  if (prediction.may_crash) return;
  const Called called = call_encoder<emulator::EncodeTiledArguments>(
      input, emulator::encode_tiled,
      [](auto& args, const TensorMapArgs& m, const auto& unless) { args.box = unless(3, m.box_dim.data()); });
  check_call(input, prediction, called, spec::bits_without_field,
             "a call refused for a null pointer or an extent of 0 leaves the map", case_text);
}

std::vector<Bytes> simpler(std::span<const uint8_t> bytes) {
  return simpler_inputs(input_of(bytes));
}

const RegisteredHooks registered({.simpler = simpler, .case_file = case_text});

void mutate(Input& input, gen::Random& random) {
  EncodeTiledCase& c = input.what;
  switch (random.below(24)) {
    case 0:
      input.arch = static_cast<spec::Arch>(random.below(spec::arch_count));
      return;
    case 1:
      return gen::make_legal_encode(random, input.arch, c);
    case 2:
    case 3: {  // beside the border of one rule
      const auto probes =
          random.one_in(3) ? gen::disputed_probes(input.arch) : gen::boundary_probes(input.arch);
      gen::make_legal_encode(random, input.arch, c);
      return gen::apply(probes[random.below(static_cast<uint32_t>(probes.size()))], random, input.arch, c);
    }
    case 4:
      c.null_mask = random.one_in(2) ? 0 : random.below(32);
      return;
    case 5:
      c.map_offset = random.one_in(2) ? 0 : random.below(64);
      return;
    case 6:
      c.before = static_cast<uint8_t>(random.next());
      return;
    default:
      return mutate_map(c.map, random);
  }
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check(assay::fuzz::input_of({data, size}));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace assay;
  gen::Random random(seed);
  fuzz::Input input = fuzz::input_of({data, size});
  fuzz::mutate(input, random);
  return fuzz::put_bytes(fuzz::to_bytes(input), data, size, max_size);
}
