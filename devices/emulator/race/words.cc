// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "devices/emulator/race/races.h"

namespace assay::emulator::race {
namespace {

std::string access_of(const End& end) {
  const std::string name(end.instruction);
  if (!end.is_operation && !name.empty()) return name;
  if (!end.is_operation) return end.is_write ? "store" : "load";
  return (end.is_write ? "asynchronous write" : "asynchronous read") + (name.empty() ? "" : " by " + name);
}

std::string mend_of(const Race& race) {
  const Issuer &first = race.first.issuer, &second = race.second.issuer;
  const bool is_same_cluster = race.first.cluster == race.second.cluster;
  const bool is_same_cta = is_same_cluster && first.cta_rank == second.cta_rank;
  switch (race.lack) {
    case Lack::init:
      return is_same_cta ? "a barrier between mbarrier.init and the first use by another thread orders them"
                         : "fence.mbarrier_init and a cluster barrier between the two order them";
    case Lack::proxy:
      return "fence.proxy.async by the thread that " + std::string(race.first.is_write ? "stores" : "loads") +
             ", before it synchronises with the one that issues, or by that one afterwards orders them";
    case Lack::completion:
      if (race.is_global && race.first.is_write)
        return "cp.async.bulk.wait_group without .read by the thread that issued the first, before what "
               "orders the two, waits for its writes";
      return is_same_cta && first.thread == second.thread
                 ? "a wait for the operation between the two orders them"
                 : "a wait for the operation, by this thread or by one that it synchronises with afterwards, "
                   "orders them";
    case Lack::coherence:
      return "a load without .nc (no __ldg, no pointer that is const and __restrict__) reads it, behind what "
             "orders the two";
    case Lack::lockstep:
    case Lack::order:
      break;
  }
  std::string mend =
      !is_same_cluster ? "a release of .gpu scope at a flag behind the first and an acquire in front of the "
                         "second, a barrier of the grid, or a launch of its own"
      : !is_same_cta   ? "barrier.cluster.arrive and .wait between the two"
      : first.thread / 32 == second.thread / 32 ? "bar.warp.sync between the two"
                                                : "bar.sync, or an mbarrier, between the two";
  if (race.second.is_operation && race.first.is_write) mend += ", and fence.proxy.async,";
  return mend + (race.second.is_operation && race.first.is_write ? " order them" : " orders them");
}

/// "; the mbarrier.arrive at PTX line 12 is relaxed and orders nothing; ...", where one instruction is the
/// cause.
std::string cause_of(const Race& race) {
  using Why = Cause::Why;
  const std::string which =
      "; the " + std::string(race.culprit) + " at PTX line " + std::to_string(race.cause.line) + " is ";
  switch (race.cause.why) {
    case Why::none:
      return "";
    case Why::relaxed_atomic:
    case Why::relaxed_read:
      return which + "relaxed and orders nothing; .acquire there, or a fence behind it, orders them";
    case Why::relaxed_arrival:
      return which + "relaxed and orders nothing; .release there, or a fence in front of it, orders them";
    case Why::scope:
      return which +
             "for threads of its own CTA alone; .cluster scope, there and at the other end, orders them";
    case Why::same_value:
      return "; the " + std::string(race.culprit) + " at PTX line " + std::to_string(race.cause.line) +
             " writes the value that is there, so that who waits for it need not wait; a reset before it, or "
             "a "
             "value of its own for each round, orders them";
  }
  return "";
}

}  // namespace

std::string in_words(const Race& race, const std::string& second_thread, const std::string& first_thread) {
  const std::string cause = cause_of(race), mend = cause.empty() ? "; " + mend_of(race) : cause;
  if (race.lack == Lack::init)
    return second_thread + " uses an mbarrier that " + first_thread + " initialised at PTX line " +
           std::to_string(race.first.issuer.line) + ", and nothing orders the two" + mend;
  const std::string not_ordered = race.lack == Lack::completion  ? "nothing told it that this was complete"
                                  : race.lack == Lack::proxy     ? "the proxies are not ordered"
                                  : race.lack == Lack::coherence ? "the cache of ld.global.nc is not coherent"
                                                                 : "nothing orders the two";
  return "the " + access_of(race.second) + " of " + second_thread + " meets the " + access_of(race.first) +
         " of " + first_thread + " at PTX line " + std::to_string(race.first.issuer.line) +
         (race.is_global ? " in global memory" : "") + ", and " + not_ordered + mend;
}

}  // namespace assay::emulator::race
