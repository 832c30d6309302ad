// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdio>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/machine/flow.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/tmem.h"

// The words in which a launch that did not end well is described.
namespace assay::emulator {
namespace {

/// "0-3,7"
std::string ranges(const std::vector<uint32_t>& numbers) {
  std::ostringstream out;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    out << (i ? "," : "") << numbers[i];
    if (last != i) out << "-" << numbers[last];
    i = last + 1;
  }
  return out.str();
}

void show_barriers(const Cta& cta, std::ostream& out) {
  for (size_t id = 0; id < cta.barriers.size(); ++id) {
    const NamedBarrier& barrier = cta.barriers[id];
    if (barrier.arrived == 0) continue;
    const uint32_t expected = barrier.expected == ~0u ? cta.live_threads : barrier.expected;
    out << "; barrier " << id << ": " << barrier.arrived << " of " << expected << " threads arrived";
  }
}

/// Threads of the CTA that wait at the mbarrier, by the parity that they wait for.
std::vector<BarrierWait> waits_at(const Cta& cta, uint32_t offset) {
  std::vector<BarrierWait> waits;
  for (const bool parity : {false, true}) {
    BarrierWait wait{parity, {}};
    for (const auto& warp : cta.warps)
      for (int lane = 0; lane < warp_lanes; ++lane) {
        const LaneState& state = warp->lane_state[static_cast<size_t>(lane)];
        const bool waits_here = state.is_timed && state.barrier == offset && state.parity == parity;
        if (warp->live >> lane & 1 && waits_here) wait.threads.push_back(warp->thread(lane));
      }
    if (!wait.threads.empty()) waits.push_back(std::move(wait));
  }
  return waits;
}

std::string counted(const std::vector<uint32_t>& threads) {
  return std::to_string(threads.size()) + (threads.size() == 1 ? " thread (" : " threads (") +
         ranges(threads) + ")";
}

/// What is likely to be the cause of a deadlock, as a clause, and the line of it.
struct LikelyCause {
  uint32_t line = 0;  ///< of the PTX; 0: none is known
  std::string text;
};

LikelyCause likely_cause(const Cta& cta, const Launch& launch) {
  for (const auto& [offset, object] : cta.mbarriers)
    if (const MbarrierObject::Bytes phase = object.bytes(); object.is_live && phase.added != 0)
      return {
          phase.added_line,
          "; " + std::to_string(phase.added) + " arrivals of this phase at " +
              launch.name_of_shared(offset, sizeof(uint64_t)) +
              " were by cp.async.mbarrier.arrive without .noinc, which adds each to the pending ones first"};
  for (const auto& [offset, object] : cta.mbarriers)
    if (const MbarrierObject::Bytes phase = object.bytes();
        object.is_live && phase.delivered > phase.expected)
      return {phase.line == 0 ? object.init_line : phase.line,
              "; " + launch.name_of_shared(offset, sizeof(uint64_t)) + " of " +
                  Launch::thread_name(cta.id, 0).substr(0, Launch::thread_name(cta.id, 0).find(" thread")) +
                  " has got " + std::to_string(phase.delivered) + " bytes, and " +
                  std::to_string(phase.expected) +
                  " were expected in this phase: expect_tx is missing there"};
  bool are_all_at_barriers = true;
  for (const auto& warp : cta.warps)
    for_lanes(warp->live, [&](int lane) {
      const Opcode& opcode = *launch.program.code[warp->pc[static_cast<size_t>(lane)]].opcode;
      are_all_at_barriers &= opcode.base == "bar" || opcode.base == "barrier";
    });
  for (size_t id = 0; are_all_at_barriers && id < cta.barriers.size(); ++id)
    if (const NamedBarrier& one = cta.barriers[id];
        one.arrived != 0 && one.expected != ~0u && one.first.line != 0)
      return {one.first.line, "; barrier " + std::to_string(id) + " counts " + std::to_string(one.expected) +
                                  " threads and " + std::to_string(one.arrived) +
                                  " have come: its count is too high, or others do not come by"};
  for (const auto& warp : cta.warps) {
    std::map<uint32_t, uint32_t> lanes_at;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      if (warp->live >> lane & 1) lanes_at[warp->pc[lane]] |= 1u << lane;
    const auto is_at_barrier = [&](const auto& one) { return is_aligned(launch.program.code[one.first]); };
    const bool is_parted = std::all_of(lanes_at.begin(), lanes_at.end(), is_at_barrier);
    for (const auto& [at, lanes] : lanes_at) {
      const Instruction& instruction = launch.program.code[at];
      // Others may be on their way to a bar.sync.
      const bool is_cause = instruction.opcode->has("aligned") || (is_parted && is_aligned(instruction));
      if (lanes == warp->live || !is_cause) continue;
      return {instruction.line, "; '" + instruction.opcode->text + "' at PTX line " +
                                    std::to_string(instruction.line) +
                                    " is .aligned, for all threads of a warp together, and " +
                                    std::to_string(std::popcount(lanes)) + " of " +
                                    std::to_string(std::popcount(warp->live)) + " are there"};
    }
  }
  return {};
}

}  // namespace

void Runner::list_barriers(const Cta& cta, std::vector<OpenBarrier>& list) const {
  const uint32_t index = cta.id[0] + launch.grid[0] * (cta.id[1] + launch.grid[1] * cta.id[2]);
  for (const auto& [offset, object] : cta.mbarriers) {
    if (!object.is_live) continue;
    const Mbarrier& barrier = object.state;
    list.push_back({index, offset, barrier.phase, barrier.pending, barrier.expected, barrier.transactions,
                    waits_at(cta, offset), launch.name_of_shared(offset, sizeof(uint64_t)),
                    object.bytes().line, object.bytes().expected, object.bytes().delivered,
                    object.bytes().delivered_line, barrier.ended});
  }
}

std::string Launch::name_of_shared(uint32_t address, uint32_t size) const {
  const uint32_t offset = (address & shared_offset_mask) - shared_reserved_bytes;
  const auto after = program.shared_variables.upper_bound(offset);
  const auto with = [](std::string name, uint32_t by) {
    return by == 0 ? name : name + " + " + std::to_string(by);
  };
  if (after != program.shared_variables.begin()) {
    const auto& [begin, variable] = *std::prev(after);
    const uint32_t by = offset - begin;
    if (by < variable.bytes && variable.bytes > size && variable.bytes % size == 0 && by % size == 0)
      return variable.name + "[" + std::to_string(by / size) + "]";
    if (by < variable.bytes) return with(variable.name, by);
  }
  const uint32_t dynamic = dynamic_shared_offset() - shared_reserved_bytes;
  return offset < dynamic ? with("shared memory", offset) : with("dynamic shared memory", offset - dynamic);
}

std::string Launch::thread_name(const std::array<uint32_t, 3>& cta, uint32_t thread) {
  std::ostringstream out;
  out << "cta (" << cta[0] << "," << cta[1] << "," << cta[2] << ") thread " << thread;
  return out.str();
}

Diagnostic Runner::describe(const Trap& trap) const {
  const Cluster* cluster = nullptr;
  for (const auto& one : resident_)
    if (one->async.running()) cluster = one.get();
  const Warp* const warp = running_;
  Diagnostic made;
  made.kind = trap.kind;
  made.kernel = launch.program.name;
  made.message = trap.message;
  if (cluster != nullptr && cluster->async.running()) {
    const Issuer& issuer = *cluster->async.running();
    made.line = issuer.line;
    made.thread = Launch::thread_name(cluster->ctas[issuer.cta_rank]->id, issuer.thread);
  } else if (warp != nullptr) {
    made.line = launch.program.code[warp->executing].line;
    const int lane = trap.lane >= 0 ? trap.lane : warp->live ? __builtin_ctz(warp->live) : 0;
    made.thread = Launch::thread_name(warp->cta->id, warp->thread(lane));
  }
  return made;
}

std::string Runner::holders_beside(const Cta& cta) const {
  std::ostringstream out;
  const auto add = [&](const Cta& holder) {
    const TensorMemory& tensor = *holder.tensor;
    if (tensor.is_empty()) return;
    uint32_t columns = 0;
    for (const auto& [first, count] : tensor.allocations()) columns += count;
    out << "; cta (" << holder.id[0] << "," << holder.id[1] << "," << holder.id[2] << ") holds " << columns
        << " columns of the multiprocessor's tensor memory since line " << tensor.allocated_at;
    if (&holder != &cta && launch.settings.strict && tensor.keeps_right())
      out << " and keeps the right to allocate: it has not executed tcgen05.relinquish_alloc_permit";
  };
  if (cta.tensor != nullptr) add(cta);
  each_tensor_beside(cta, add);
  return out.str();
}

Diagnostic Runner::deadlock_report() const {
  Diagnostic made;
  made.kind = Diagnostic::Kind::deadlock;
  made.kernel = launch.program.name;
  std::ostringstream out;
  bool is_at_mbarrier = false;
  LikelyCause cause;
  for (const auto& cluster : resident_) {
    uint32_t still_to_come = 0;
    for (const auto& cta : cluster->ctas) {
      // Per instruction: the threads that stand there.
      std::map<uint32_t, std::vector<uint32_t>> waiting;
      for (const auto& warp : cta->warps)
        for (int lane = 0; lane < warp_lanes; ++lane)
          if (warp->live >> lane & 1)
            waiting[warp->pc[static_cast<size_t>(lane)]].push_back(warp->thread(lane));
      if (waiting.empty()) continue;
      if (still_to_come++ || out.tellp() > 0) out << "\n";
      out << "cta (" << cta->id[0] << "," << cta->id[1] << "," << cta->id[2] << "): ";
      bool is_first = true;
      for (const auto& [at, threads] : waiting) {
        const Instruction& instruction = launch.program.code[at];
        const bool is_mbarrier = instruction.opcode->base == "mbarrier";
        if (made.line == 0 || (is_mbarrier && !is_at_mbarrier)) made.line = instruction.line;
        is_at_mbarrier |= is_mbarrier;
        out << (is_first ? "" : ", ") << counted(threads) << " at PTX line " << instruction.line << " '"
            << instruction.opcode->text << "'";
        is_first = false;
        if (!instruction.opcode->text.starts_with("tcgen05.alloc")) continue;
        // What the others wait for.
        made.line = instruction.line;
        out << holders_beside(*cta);
      }
      if (cause.line == 0) cause = likely_cause(*cta, launch);
      show_barriers(*cta, out);
      list_barriers(*cta, made.barriers);
    }
    if (cluster->barrier_arrived != 0)
      out << "; barrier.cluster: " << cluster->barrier_arrived << " threads arrived";
  }
  made.thread = out.str();
  if (cause.line != 0) made.line = cause.line;
  made.message = "no thread can make progress, and no asynchronous operation is pending" + cause.text;
  return made;
}

void PrintBuffer::add(uint64_t cluster, size_t bytes, std::string text) {
  entries_.push_back({cluster, bytes, std::move(text)});
  used_ += bytes;
  keep_to_limit();
}

void PrintBuffer::keep_to_limit() {
  for (; used_ > limit_ && !entries_.empty(); entries_.pop_front()) used_ -= entries_.front().bytes;
}

void PrintBuffer::merge(PrintBuffer&& other) {
  const auto middle = static_cast<ptrdiff_t>(entries_.size());
  std::move(other.entries_.begin(), other.entries_.end(), std::back_inserter(entries_));
  std::inplace_merge(entries_.begin(), entries_.begin() + middle, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.cluster < b.cluster; });
  used_ += other.used_;
  other.entries_.clear();
  other.used_ = 0;
  keep_to_limit();
}

void PrintBuffer::forget_after(uint64_t cluster) {
  std::erase_if(entries_, [&](const Entry& entry) {
    if (entry.cluster <= cluster) return false;
    used_ -= entry.bytes;
    return true;
  });
}

void PrintBuffer::flush() {
  if (entries_.empty()) return;
  for (const Entry& entry : entries_) std::fwrite(entry.text.data(), 1, entry.text.size(), stdout);
  std::fflush(stdout);
  entries_.clear();
  used_ = 0;
}

}  // namespace assay::emulator
