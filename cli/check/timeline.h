// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace assay::cli::check {

/// Something that happened to an mbarrier, as the emulator's report has it (devices/emulator/driver/extra.h).
struct BarrierEvent {
  std::string kind;   ///< init, expect, arrive, complete, blocked, wait, copy, landed, exited (of the CTA)
  uint64_t time = 0;  ///< thread instructions of the launch
  uint32_t cta = 0, address = 0;
  int warp = -1;        ///< that did it, of its CTA; -1: none, or several
  uint32_t amount = 0;  ///< arrivals, bytes, or the parity of a phase
};

/// The mbarriers of a launch in which something was found.
struct Timeline {
  std::string kernel, schedule;
  uint64_t launch = 0;  ///< the first of the process is 1
  uint64_t seen = 0;    ///< events; the last of them are here
  std::vector<BarrierEvent> events;
};

/// Of a line of kind "timeline"; what is malformed of it is left out.
Timeline read_timeline(const nlohmann::json& line);

/// A drawing: a lane a barrier, time from left to right, an equal step an event. Of each lane the upper part
/// shows its phases, the middle one copies in flight to it, the lower one warps: those that wait, and from
/// the end of their wait to their next arrival anywhere those that hold what it guards.
std::string timeline_svg(const Timeline&);

}  // namespace assay::cli::check
