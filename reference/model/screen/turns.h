// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "reference/model/case_field.h"

namespace assay {

/// What of a load runs, so that a wrong result is traced to the least that gives one.
enum class ScreenPart : uint8_t {
  whole,
  shared,  ///< shared memory is written and read
  loads    ///< of tiles: global memory is read into registers
};
inline constexpr std::array<std::string_view, 3> screen_part_names{"whole", "shared", "loads"};

/// Of what a screen's case runs, what runs where and when.
struct ScreenTurns {
  static constexpr uint32_t every_sm = ~0u;
  ScreenPart part = ScreenPart::whole;
  uint32_t only_sm = every_sm;           ///< number of the multiprocessor that takes part
  uint32_t cta_step = 1, cta_first = 0;  ///< CTAs of number cta_first modulo cta_step take part
  uint32_t on_us = 0, off_us = 0;        ///< pulses: chains and loads begin in on_us of each on_us + off_us
  bool in_phase = false;  ///< all boards of a host at the same time; else every second one in the pauses
  auto operator<=>(const ScreenTurns&) const = default;
};

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(ScreenPart) {
  return screen_part_names;
}

template <typename Turns, typename Visit>
requires std::same_as<std::remove_const_t<Turns>, ScreenTurns>
void visit_fields(Turns& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, cta_first, .most = 1);
  ASSAY_FIELD(visit, c, cta_step, .least = 1, .most = 2, .called = "CTAs that take part, one in");
  ASSAY_FIELD(visit, c, in_phase);
  ASSAY_FIELD(visit, c, off_us, .unit = "us", .most = 1000000, .called = "pause after a pulse");
  ASSAY_FIELD(visit, c, on_us, .unit = "us", .most = 1000000, .called = "pulse");
  ASSAY_FIELD(visit, c, only_sm, .called = "the only multiprocessor");
  ASSAY_FIELD(visit, c, part);
}

inline void check_fields(const std::string& path, const ScreenTurns& turns) {
  if (turns.cta_first >= turns.cta_step)
    throw std::runtime_error("field '" + path + "cta_first' of the case must be below cta_step.");
}

}  // namespace assay
