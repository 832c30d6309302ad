// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/screen/screens.h"
#include "kernels/params/screen.h"
#include "suites/run/family_of.h"
#include "suites/run/generate.h"
#include "suites/run/many_at_once.h"
#include "suites/run/property.h"

/// What the loads of a screen share: each CTA tells how much it compared and how often it differed, and
/// shows its first mismatch.
namespace assay::suites {

/// "0x3f80, expected 0x3f00, difference 0x0080"
inline std::string difference_words(uint32_t seen, uint32_t expected) {
  char text[80];
  std::snprintf(text, sizeof text, "0x%08x, expected 0x%08x, difference 0x%08x", seen, expected,
                seen ^ expected);
  return text;
}

template <typename CaseOf, typename Record, typename Output>
class ScreenFamily : public FamilyOf<CaseOf, Record, gen::simpler>, public ManyAtOnce {
 public:
  Took took(std::span<const std::byte> output) const override {
    const Output& seen = seen_in(output);
    if (seen.entries[0].compared == 0) return {};  // it took no part
    return {seen.nanoseconds, uint64_t{seen.entries[0].clocks} << 10};
  }
  std::vector<uint32_t> multiprocessors(std::span<const std::byte> output, bool wrong) const override {
    std::vector<uint32_t> found;
    if (output.size() != sizeof(Output)) return found;
    const Output& seen = seen_in(output);
    for (uint32_t i = 0; i < std::min(seen.ctas, params::screen_most_ctas); ++i)
      if ((wrong ? seen.entries[i].mismatches : seen.entries[i].compared) != 0)
        found.push_back(seen.entries[i].sm);
    return found;
  }
  uint32_t output_bytes(const Case&) const override { return sizeof(Output); }
  uint64_t pace() const override { return 2; }
  OutputShape output_shape(const Case&) const override { return {4, 16, 0, {}}; }

  bool same(const Case& any, const spec::Readings& readings, const Expected& expected,
            std::span<const std::byte> output) const override {
    return Family::same(any, readings, expected, output) && this->allows(any, readings, output);
  }

  /// The first mismatch of each CTA that has one.
  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput&,
                     std::span<const uint8_t> observed, uint64_t) const override {
    const Output& seen = seen_in(std::as_bytes(observed));
    Diagnosis made;
    for (uint32_t i = 0; i < std::min(seen.ctas, params::screen_most_ctas); ++i) {
      const params::ScreenEntry& entry = seen.entries[i];
      if (entry.mismatches == 0) continue;
      const std::string where = "multiprocessor " + std::to_string(entry.sm) + " (TPC " +
                                std::to_string(entry.sm / 2) + "): " + std::to_string(entry.mismatches) +
                                " results differ";
      if (made.first.empty()) made.first = where;
      made.lines.push_back(where);
      tell_mismatch(any, seen, i, made.lines);
    }
    return made;
  }

 protected:
  /// Adds lines about the first mismatch of a CTA.
  virtual void tell_mismatch(const Case&, const Output& seen, uint32_t cta,
                             std::vector<std::string>& lines) const = 0;

  static const Output& seen_in(std::span<const std::byte> bytes) {
    return *reinterpret_cast<const Output*>(bytes.data());
  }

  /// No mismatch, no planted fault. How many multiprocessors there are, and how much they did, allows() asks.
  /// The two are the bytes and the mask.
  static std::pair<Output&, Output&> expect_nothing(Scratch& scratch, Expected& e) {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, sizeof(Output)),
                               mask = scratch.take(scratch.mask, sizeof(Output));
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    std::fill(mask.begin(), mask.end(), std::byte{0xff});
    auto& defined = *reinterpret_cast<Output*>(mask.data());
    defined.ctas = defined.rounds = defined.nanoseconds = 0;
    for (params::ScreenEntry& entry : defined.entries) entry.sm = entry.compared = entry.clocks = 0;
    e = {};
    e.judges_bytes = true;
    e.bytes = bytes;
    e.mask = mask;
    return {*reinterpret_cast<Output*>(bytes.data()), defined};
  }

  /// Each CTA that was to take part compared everything, the others nothing, and somebody did.
  static bool counts_hold(const Output& seen, const ScreenTurns& turns, uint32_t most_rounds,
                          uint32_t compared_a_round) {
    if (seen.ctas < turns.cta_step || seen.ctas > params::screen_most_ctas) return false;
    if (seen.rounds < 1 || seen.rounds > most_rounds) return false;
    uint32_t takers = 0;
    for (uint32_t i = 0; i < seen.ctas; ++i) {
      const bool is_there = turns.only_sm == ScreenTurns::every_sm || turns.only_sm == seen.entries[i].sm;
      const bool takes = is_there && i % turns.cta_step == turns.cta_first;
      takers += takes;
      if (seen.entries[i].compared != (takes ? compared_a_round * seen.rounds : 0)) return false;
    }
    return takers != 0;
  }

  /// The CTA that plants.
  static uint32_t planted_cta(const Output& seen, const ScreenTurns& turns, uint32_t number) {
    return number % (seen.ctas / turns.cta_step) * turns.cta_step + turns.cta_first;
  }
};

inline std::vector<uint32_t> all_cells(uint32_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

inline CellSpace planted_or_not() {
  return {"planted fault", 2,
          [](uint32_t cell, spec::Arch) -> std::string {
            return cell == 0 ? "nothing planted" : "a wrong result planted";
          },
          [](spec::Arch) { return all_cells(2); }};
}

/// What the loads' properties have in common; the first space counts what is done on each multiprocessor.
inline Property screen_property(std::string_view name, std::string_view claim, const Family& (*family)(),
                                decltype(Property::generate) generate) {
  return {.name = name,
          .claim = claim,
          .family = family,
          .share = 0.5,
          .generate = generate,
          .spaces = {{gen::screen_done, std::size(gen::screen_done_names),
                      [](uint32_t cell, spec::Arch) { return std::string(gen::screen_done_names[cell]); },
                      [](spec::Arch) { return all_cells(1); }}},
          .batch_cases = 17,
          .most_on_silicon = 256,
          .most_on_emulator = 4};  // those that plant a fault, and one without
}

}  // namespace assay::suites
