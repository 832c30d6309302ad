// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "devices/emulator/encode/map_encoder.h"
#include "fuzz/case_bytes.h"
#include "fuzz/target.h"
#include "generators/tensor_map/encode_cases.h"
#include "reference/model/tensor_map/encode.h"

/// What the targets of calls of the tiled and of the im2col encoders share: what the reference's rules say of
/// a call against the emulated driver's encoders, which were written apart.
namespace assay::fuzz {

struct Called {
  emulator::EncodeRejection rejection;
  std::array<std::byte, 128> map;
};

/// Calls `encode`. `set`: what its arguments have beside those of every encoder; it gets the arguments, the
/// case and a function that replaces a pointer by null where the bit of null_mask is set.
template <typename Arguments, typename EncodeCase, typename Set>
Called call_encoder(const CaseInput<EncodeCase>& input,
                    emulator::EncodeRejection (*encode)(const Arguments&, const emulator::Settings&),
                    Set set) {
  const EncodeCase& c = input.what;
  const auto& m = c.map;
  emulator::Settings settings;
  settings.target = static_cast<emulator::Target>(input.arch);
  Called called;
  called.map.fill(std::byte{c.before});
  const auto unless = [&](int bit, auto* pointer) { return c.null_mask >> bit & 1 ? nullptr : pointer; };
  Arguments args;
  args.map = unless(0, called.map.data());
  args.data_type = m.data_type, args.rank = m.rank, args.address = m.global_address;
  args.dim = unless(1, m.global_dim.data()), args.stride = unless(2, m.global_stride.data());
  args.traversal = unless(4, m.element_stride.data());
  args.interleave = m.interleave, args.swizzle = m.swizzle;
  args.l2_promotion = m.l2_promotion, args.fill = m.oob_fill;
  set(args, m, unless);
  called.rejection = encode(args, settings);
  return called;
}

/// Cells of accepted calls follow those of two rules broken together: `rules` squared of each of `kinds`
/// kinds of calls. `ranks`: how many an encoder takes, up to 5.
inline void cover_call(const TensorMapArgs& m, const model::EncodePrediction& prediction, uint32_t ranks,
                       uint32_t rules, uint32_t kinds, uint32_t kind, uint32_t first_accepted) {
  if (prediction.accepted)
    return hit_cell(first_accepted +
                    ((((m.data_type * ranks + m.rank - (6 - ranks)) * 3 + m.interleave) * 8 + m.swizzle) * 2 +
                     m.oob_fill) *
                        kinds +
                    kind);
  const spec::RuleSet& broken = prediction.rules;
  for (size_t one = broken._Find_first(); one < broken.size(); one = broken._Find_next(one))
    for (size_t other = one; other < broken.size(); other = broken._Find_next(other))
      hit_cell(static_cast<uint32_t>((one % rules * rules + other % rules) * kinds + kind));
}

/// `no_field`: the bits of a map that no field has. `untouched`: the claim on a map that a refusal leaves.
template <typename EncodeCase>
void check_call(const CaseInput<EncodeCase>& input, const model::EncodePrediction& prediction,
                const Called& called, const std::array<std::byte, 128>& no_field, std::string_view untouched,
                std::string (*case_text)(std::span<const uint8_t>)) {
  if (prediction.accepted != called.rejection.empty())
    found(prediction.accepted ? "the driver accepts what the rules allow"
                              : "the driver refuses what breaks a rule",
          called.rejection + "\n" + case_text(to_bytes(input)));
  if (!prediction.accepted) {
    if (prediction.map_emptied)
      for (size_t i = 0; i < 128; ++i)
        require((called.map[i] & no_field[i]) == std::byte{0},
                "a call refused for anything else leaves nothing of the map");
    if (!prediction.map_untouched) return;
    for (const std::byte b : called.map) require(b == std::byte{input.what.before}, untouched);
    return;
  }
  ++counts().past_parser;
  for (size_t i = 0; i < 128; ++i)
    if (((called.map[i] ^ prediction.map[i]) & prediction.defined[i]) != std::byte{0})
      found("an accepted map has the bytes that its arguments mean",
            "byte " + std::to_string(i) + "\n" + case_text(to_bytes(input)));
}

template <typename EncodeCase>
std::vector<Bytes> simpler_inputs(const CaseInput<EncodeCase>& input) {
  std::vector<Bytes> made;
  for (const EncodeCase& one : gen::simpler(input.what))
    made.push_back(to_bytes(CaseInput<EncodeCase>{input.arch, one}));
  return made;
}

}  // namespace assay::fuzz
