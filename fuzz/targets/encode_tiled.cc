// SPDX-License-Identifier: Apache-2.0
// Any call of the tiled tensor-map encoder: what the reference's rules say of it against the emulated
// driver's encoder, which was written apart. Input: fuzz/case_bytes.h.
#include <algorithm>

#include "devices/emulator/encode/map_encoder.h"
#include "fuzz/case_bytes.h"
#include "fuzz/target.h"
#include "generators/tensor_map/encode_cases.h"
#include "generators/tensor_map/encode_probes.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/model/tensor_map/legality.h"
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

struct Called {
  emulator::EncodeRejection rejection;
  std::array<std::byte, 128> map;
};

Called call(const Input& input) {
  const TensorMapArgs& m = input.what.map;
  emulator::Settings settings;
  settings.target = static_cast<emulator::Target>(input.arch);
  Called called;
  called.map.fill(std::byte{input.what.before});
  const auto unless = [&](int bit, auto* pointer) {
    return input.what.null_mask >> bit & 1 ? nullptr : pointer;
  };
  emulator::EncodeTiledArguments args;
  args.map = unless(0, called.map.data());
  args.data_type = m.data_type, args.rank = m.rank, args.address = m.global_address;
  args.dim = unless(1, m.global_dim.data()), args.stride = unless(2, m.global_stride.data());
  args.box = unless(3, m.box_dim.data()), args.traversal = unless(4, m.element_stride.data());
  args.interleave = m.interleave, args.swizzle = m.swizzle;
  args.l2_promotion = m.l2_promotion, args.fill = m.oob_fill;
  called.rejection = emulator::encode_tiled(args, settings);
  return called;
}

std::string case_text(std::span<const uint8_t> bytes) {
  return case_file_text("driver.tensor_map.encode_tiled", input_of(bytes).what);
}

void cover(const Input& input, const model::EncodePrediction& prediction) {
  const TensorMapArgs& m = input.what.map;
  const auto arch = static_cast<uint32_t>(input.arch);
  if (prediction.accepted) {
    hit_cell(16384 +
             ((((m.data_type * 5 + m.rank - 1) * 3 + m.interleave) * 8 + m.swizzle) * 2 + m.oob_fill) * 3 +
             arch);
    return;
  }
  // Which two rules are broken together.
  const spec::RuleSet& broken = prediction.rules;
  for (size_t one = broken._Find_first(); one < broken.size(); one = broken._Find_next(one))
    for (size_t other = one; other < broken.size(); other = broken._Find_next(other))
      hit_cell(static_cast<uint32_t>((one % 72 * 72 + other % 72) * 3 + arch));
}

void check(const Input& input) {
  const spec::Readings readings(input.arch);
  const model::EncodePrediction prediction = model::predict_encode(input.what, readings);
  cover(input, prediction);
  if (prediction.may_crash) return;
  const Called called = call(input);
  if (prediction.accepted != called.rejection.empty())
    found(prediction.accepted ? "the driver accepts what the rules allow"
                              : "the driver refuses what breaks a rule",
          called.rejection + "\n" + case_text(to_bytes(input)));
  if (!prediction.accepted) {
    if (prediction.map_emptied)
      for (size_t i = 0; i < 128; ++i)
        require((called.map[i] & spec::bits_without_field[i]) == std::byte{0},
                "a call refused for anything else leaves nothing of the map");
    if (!prediction.map_untouched) return;
    for (const std::byte b : called.map)
      require(b == std::byte{input.what.before},
              "a call refused for a null pointer or an extent of 0 leaves the map");
    return;
  }
  ++counts().past_parser;
  for (size_t i = 0; i < 128; ++i)
    if (((called.map[i] ^ prediction.map[i]) & prediction.defined[i]) != std::byte{0})
      found("an accepted map has the bytes that its arguments mean",
            "byte " + std::to_string(i) + "\n" + case_text(to_bytes(input)));
}

std::vector<Bytes> simpler(std::span<const uint8_t> bytes) {
  const Input input = input_of(bytes);
  std::vector<Bytes> made;
  for (const EncodeTiledCase& one : gen::simpler(input.what))
    made.push_back(to_bytes(Input{input.arch, one}));
  return made;
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
