// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/strict.h"

// What the mbarriers say of a breach: which wait was satisfied by another phase, whose arrivals are too many.
namespace assay::emulator {
namespace {

std::string plural(uint32_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

std::string StrictMode::why_incomplete(const race::Order::Sent& sent, const Issuer& issuer) {
  race::Order& order = races.order;
  const auto* const barrier = sent.barrier == 0 ? nullptr : order.mbarrier(sent.barrier);
  if (barrier == nullptr) return {};
  const std::string name = cluster_.launch.name_of_shared(sent.barrier, 8);
  const std::string thread = Launch::thread_name(cluster_.ctas[issuer.cta_rank]->id, issuer.thread);
  const auto& waits = order.waits(issuer);
  const auto wait =
      std::find_if(waits.begin(), waits.end(), [&](const auto& one) { return one.barrier == sent.barrier; });
  if (wait == waits.end()) return thread + " has not waited on " + name;
  const std::string there = " on " + name + ", at PTX line " + std::to_string(wait->line);
  if ((wait->lanes >> issuer.thread % warp_lanes & 1) == 0)
    return "of the warp of " + thread + " only " + plural(std::popcount(wait->lanes), "other thread") +
           " waited" + there;
  const uint32_t count = std::max(
      1u, cluster_.cta_at(sent.barrier)->mbarriers.at(sent.barrier & shared_offset_mask).state.expected);
  const uint32_t needed = sent.phases + sent.ahead / count;
  if (wait->phases > needed)
    return thread + " waited" + there +
           ", for a phase that was complete without this: more is to come there " +
           "than is expected or counted";
  if (wait->time <= sent.time) return thread + " has not waited on " + name + " since";
  return thread + " waited" + there + ", with parity " + std::to_string(barrier->parity(wait->phases - 1)) +
         ": phase " + std::to_string(wait->phases - 1 - barrier->first_phase) +
         " satisfied it, and this is for phase " + std::to_string(needed - barrier->first_phase) +
         " or later; the parity may be one phase off";
}

std::string StrictMode::why_early(const race::Race& race) {
  const auto& waits = races.order.waits(race.second.issuer);
  if (waits.empty() || waits.back().barrier == race.sent.barrier) return {};
  const auto& wait = waits.back();
  const auto* const barrier = races.order.mbarrier(wait.barrier);
  const Cta* const cta = cluster_.cta_at(wait.barrier);
  const auto object = cta->mbarriers.find(wait.barrier & shared_offset_mask);
  uint32_t threads = 0;
  std::map<uint32_t, uint32_t> by_cta;
  bool is_among = false, is_of_others = false;
  for (const race::Lanes& one : barrier->arrivals) {
    const auto some = static_cast<uint32_t>(std::popcount(one.lanes));
    threads += some;
    by_cta[one.cta] += some;
    const auto is_of = [&](const Issuer& thread) {
      return one.cta == thread.cta_rank && one.warp == thread.thread / warp_lanes;
    };
    is_among |= is_of(race.first.issuer);
    is_of_others |= !is_of(race.second.issuer);
  }
  if (object == cta->mbarriers.end() || !is_of_others) return {};
  const uint32_t count = object->second.state.expected;
  const std::string name = cluster_.launch.name_of_shared(wait.barrier, sizeof(uint64_t));
  const std::string waited =
      Launch::thread_name(cluster_.ctas[race.second.issuer.cta_rank]->id, race.second.issuer.thread) +
      " has waited on " + name + ", at PTX line " + std::to_string(wait.line) + ", ";
  std::string ctas;
  for (const auto& [rank, some] : by_cta) {
    const auto& id = cluster_.ctas[rank]->id;
    std::string text = Launch::thread_name(id, 0);
    text.resize(text.rfind(" thread"));
    ctas += (ctas.empty() ? "" : ", ") + plural(some, "thread") + " of " + text;
  }
  const std::string counted = waited + "whose count is " + std::to_string(count) +
                              " (mbarrier.init at PTX line " + std::to_string(barrier->initialiser.line) +
                              ")";
  if (threads > count) return counted + " and where " + ctas + " arrive: a phase is complete before all have";
  if (race.first.is_operation) return counted + ": only " + ctas + " arrived there";
  if (is_among) return {};
  return counted + " and where " +
         Launch::thread_name(cluster_.ctas[race.first.issuer.cta_rank]->id, race.first.issuer.thread) +
         " has not arrived";
}

std::string StrictMode::why(const race::Race& race) {
  if (race.cause.why != race::Cause::Why::none || race.is_global) return {};
  if (race.second.is_write)
    if (std::string early = why_early(race); !early.empty()) return early;
  return race.first.is_operation ? why_incomplete(race.sent, race.second.issuer) : "";
}

}  // namespace assay::emulator
