// SPDX-License-Identifier: Apache-2.0
// Any call of the two im2col encoders: what the reference's rules say of it against the emulated driver's
// encoders, which were written apart. Input: fuzz/case_bytes.h.
#include <algorithm>

#include "devices/emulator/encode/map_encoder.h"
#include "fuzz/case_bytes.h"
#include "fuzz/target.h"
#include "generators/tensor_map/encode_cases.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/questions.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::fuzz {
namespace {

using Input = CaseInput<EncodeIm2colCase>;

Input input_of(std::span<const uint8_t> bytes) {
  Input input = read_encode_im2col_case(bytes);
  if (!spec::row_of(input.arch).is_encoder_known) input.arch = spec::Arch::sm_100;
  // The wide encoder has no pointers to corners, and a plain call has no mode.
  input.what.null_mask &= input.what.map.wide ? 63 & ~(8 | 32) : 63;
  if (!input.what.map.wide) input.what.map.wide_mode = 0;
  input.what.map_offset &= 63;
  input.what.map.box_dim = {};
  return input;
}

struct Called {
  emulator::EncodeRejection rejection;
  std::array<std::byte, 128> map;
};

Called call(const Input& input) {
  const EncodeIm2colCase& c = input.what;
  const TensorMapArgs& m = c.map;
  emulator::Settings settings;
  settings.target = static_cast<emulator::Target>(input.arch);
  Called called;
  called.map.fill(std::byte{c.before});
  const auto unless = [&](int bit, auto* pointer) { return c.null_mask >> bit & 1 ? nullptr : pointer; };
  emulator::EncodeIm2colArguments args;
  args.map = unless(0, called.map.data());
  args.data_type = m.data_type, args.rank = m.rank, args.address = m.global_address;
  args.dim = unless(1, m.global_dim.data()), args.stride = unless(2, m.global_stride.data());
  args.lower = unless(3, c.map.lower.data()), args.traversal = unless(4, m.element_stride.data());
  args.upper = unless(5, c.map.upper.data());
  args.channels = c.map.channels, args.pixels = c.map.pixels;
  args.wide = c.map.wide, args.mode = c.map.wide_mode;
  args.interleave = m.interleave, args.swizzle = m.swizzle;
  args.l2_promotion = m.l2_promotion, args.fill = m.oob_fill;
  called.rejection = emulator::encode_im2col(args, settings);
  return called;
}

std::string case_text(std::span<const uint8_t> bytes) {
  const Input input = input_of(bytes);
  return case_file_text(
      input.what.map.wide ? "driver.tensor_map.encode_im2col_wide" : "driver.tensor_map.encode_im2col",
      input.what);
}

void cover(const Input& input, const model::EncodePrediction& prediction) {
  const Im2colMapArgs& map = input.what.map;
  const TensorMapArgs& m = map;
  const uint32_t which = (map.wide ? 1 + map.wide_mode % 2 : 0) * 3 + static_cast<uint32_t>(input.arch);
  if (prediction.accepted) {
    hit_cell(65536 +
             ((((m.data_type * 3 + m.rank - 3) * 3 + m.interleave) * 8 + m.swizzle) * 2 + m.oob_fill) * 9 +
             which);
    return;
  }
  // Which two rules are broken together.
  const spec::RuleSet& broken = prediction.rules;
  for (size_t one = broken._Find_first(); one < broken.size(); one = broken._Find_next(one))
    for (size_t other = one; other < broken.size(); other = broken._Find_next(other))
      hit_cell(static_cast<uint32_t>((one % 80 * 80 + other % 80) * 9 + which));
}

/// What the map says for itself, as `assay describe` reads it.
void check_reading(const Input& input, const Called& called, const spec::Readings& readings) {
  const Im2colMapArgs& map = input.what.map;
  const bool written_wide = map.wide && readings.is({"X-13", "as_written"});
  const model::MapArguments read = model::arguments_of(spec::TensorMapBytes(called.map), readings);
  require(read.is_im2col && read.map.wide == written_wide, "an accepted map says which encoder wrote it");
  if (written_wide)
    require(read.map.wide_mode == map.wide_mode, "an accepted wide map says of which mode it is");
  const uint32_t axes = map.wide ? 1 : spatial_axes(map.rank);
  for (uint32_t k = 0; k < axes; ++k)
    require(read.map.lower[k] == map.lower[k] && read.map.upper[k] == map.upper[k],
            "an accepted map has its corners");
  require(read.map.channels == map.channels, "an accepted map has its channels");
  if (!written_wide || map.wide_mode == 0)
    require(read.map.pixels == map.pixels, "an accepted map has its pixels");
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
        require((called.map[i] & spec::bits_without_im2col_field[i]) == std::byte{0},
                "a call refused for anything else leaves nothing of the map");
    if (!prediction.map_untouched) return;
    for (const std::byte b : called.map)
      require(b == std::byte{input.what.before}, "a call refused for an extent of 0 leaves the map");
    return;
  }
  ++counts().past_parser;
  check_reading(input, called, readings);
  for (size_t i = 0; i < 128; ++i)
    if (((called.map[i] ^ prediction.map[i]) & prediction.defined[i]) != std::byte{0})
      found("an accepted map has the bytes that its arguments mean",
            "byte " + std::to_string(i) + "\n" + case_text(to_bytes(input)));
}

std::vector<Bytes> simpler(std::span<const uint8_t> bytes) {
  const Input input = input_of(bytes);
  std::vector<Bytes> made;
  for (const EncodeIm2colCase& one : gen::simpler(input.what))
    made.push_back(to_bytes(Input{input.arch, one}));
  return made;
}

const RegisteredHooks registered({.simpler = simpler, .case_file = case_text});

void mutate(Input& input, gen::Random& random) {
  EncodeIm2colCase& c = input.what;
  switch (random.below(24)) {
    case 0:
      input.arch = static_cast<spec::Arch>(random.below(spec::arch_count));
      return;
    case 1:
      return gen::make_legal_im2col_encode(random, input.arch, random.one_in(2), c);
    case 2:
    case 3: {  // beside the border of one rule
      const bool wide = random.one_in(2);
      const auto probes =
          random.one_in(3) ? gen::im2col_disputes(input.arch, wide) : gen::im2col_borders(input.arch, wide);
      if (probes.empty()) return;
      gen::make_legal_im2col_encode(random, input.arch, wide, c);
      return gen::apply(probes[random.below(static_cast<uint32_t>(probes.size()))], random, input.arch, wide,
                        c);
    }
    case 4:
      c.null_mask = random.one_in(2) ? 0 : random.below(64);
      return;
    case 5:
      c.map_offset = random.one_in(2) ? 0 : random.below(64);
      return;
    case 6:
      c.before = static_cast<uint8_t>(random.next());
      return;
    case 7:
      c.map.wide = !c.map.wide;
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
