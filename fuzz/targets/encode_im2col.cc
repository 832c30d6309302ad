// SPDX-License-Identifier: Apache-2.0
// Any call of the two im2col encoders: what the reference's rules say of it against the emulated driver's
// encoders, which were written apart. Input: fuzz/case_bytes.h.

#include "fuzz/encode_target.h"
#include "reference/model/tensor_map/arguments.h"
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

std::string case_text(std::span<const uint8_t> bytes) {
  const Input input = input_of(bytes);
  return case_file_text(
      input.what.map.wide ? "driver.tensor_map.encode_im2col_wide" : "driver.tensor_map.encode_im2col",
      input.what);
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
  const Im2colMapArgs& map = input.what.map;
  cover_call(map, prediction, 3, 80, 9,
             (map.wide ? 1 + map.wide_mode % 2 : 0) * 3 + static_cast<uint32_t>(input.arch), 65536);
  if (prediction.may_crash) return;
  const Called called = call_encoder<emulator::EncodeIm2colArguments>(
      input, emulator::encode_im2col, [](auto& args, const Im2colMapArgs& m, const auto& unless) {
        args.lower = unless(3, m.lower.data()), args.upper = unless(5, m.upper.data());
        args.channels = m.channels, args.pixels = m.pixels;
        args.wide = m.wide, args.mode = m.wide_mode;
      });
  if (prediction.accepted && called.rejection.empty()) check_reading(input, called, readings);
  check_call(input, prediction, called, spec::bits_without_im2col_field,
             "a call refused for an extent of 0 leaves the map", case_text);
}

std::vector<Bytes> simpler(std::span<const uint8_t> bytes) {
  return simpler_inputs(input_of(bytes));
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
