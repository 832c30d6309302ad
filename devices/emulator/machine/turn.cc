// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/machine/lane_scan.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"

// How the lanes of a warp take turns. Lanes at the same program counter execute together; among lanes that
// can go on, those at the lowest program counter go first, so that lanes that left a loop wait for those
// still in it and all meet again. A group that spins steps back until every other lane of its warp has had
// its turn.
namespace assay::emulator {
namespace {

constexpr uint32_t turn_instructions = 4096;
constexpr uint32_t spin_branches = 128;
constexpr uint32_t no_stop = ~0u;

class Turn {
 public:
  Turn(Warp& warp, const Program& program, uint64_t& instructions, uint64_t limit, Pauses* pauses)
      : warp_(warp), program_(program), instructions_(instructions), pauses_(pauses), limit_(limit) {}

  TurnEnd run();

 private:
  bool select();
  void take(uint32_t at);
  /// The group stands at pc_: finds others to merge with and where to stop next. True if another group goes
  /// first.
  bool regroup();
  void put_back() { set_counters(warp_.pc, group_, pc_); }
  /// Lanes at an arithmetic instruction go on to the first that is none, or that other lanes may have to go
  /// to before them. True: select() again.
  bool run_arithmetic(uint32_t& executed);
  uint32_t guarded(const Instruction& instruction) {
    if (!instruction.guard.exists()) return group_;
    const uint32_t holds = lanes_where_true(warp_.column(instruction.guard));
    return group_ & (instruction.guard_negated ? ~holds : holds);
  }
  ASSAY_ALWAYS_INLINE void arithmetic(const Instruction& instruction, uint32_t mask);
  bool branch(const Instruction& instruction, uint32_t mask);
  bool general(const Instruction& instruction, uint32_t mask);
  void spread_taint(const Instruction& instruction, uint32_t mask);

  Warp& warp_;
  const Program& program_;
  uint64_t& instructions_;
  Pauses* const pauses_;
  bool has_touched_ = false;  ///< an instruction of pauses_ has been executed, and did something
  /// Lanes of the group.
  uint64_t group_size() {
    if (counted_ != group_) {
      counted_ = group_;
      size_ = static_cast<uint64_t>(__builtin_popcount(group_));
    }
    return size_;
  }
  uint32_t counted_ = 0;
  uint64_t size_ = 0;

  const uint64_t limit_;
  uint32_t group_ = 0, pc_ = 0, stop_ = no_stop;
  uint32_t branches_ = 0;
  bool has_spun_ = false;
};

void Turn::take(uint32_t at) {
  pc_ = at;
  const LanesAround found = look_around(warp_.pc, at);
  group_ = found.at;
  stop_ = found.next == behind_all ? no_stop : found.next;
}

bool Turn::select() {
  uint32_t candidates = warp_.live & ~warp_.blocked & ~warp_.demoted;
  if (candidates == 0 && warp_.blocked != 0 && warp_.blocked_at_progress != warp_.cta->cluster->progress) {
    warp_.blocked_at_progress = warp_.cta->cluster->progress;
    warp_.blocked = 0;
    candidates = warp_.live & ~warp_.demoted;
  }
  if (candidates == 0) {
    has_spun_ |= warp_.demoted != 0;
    candidates = warp_.live & ~warp_.blocked;
    warp_.demoted = 0;
  }
  if (candidates == 0) return false;
  take(lowest_counter(warp_.pc, candidates));
  return true;
}

bool Turn::regroup() {
  if (group_ == warp_.live) {
    stop_ = no_stop;
    return false;
  }
  put_back();
  const LanesAround found = look_around(warp_.pc, pc_);
  if ((found.before & ~warp_.blocked & ~warp_.demoted) != 0) return true;
  group_ = found.at;
  stop_ = found.next == behind_all ? no_stop : found.next;
  return false;
}

void Turn::spread_taint(const Instruction& instruction, uint32_t mask) {
  const auto taint = [&](int i) {
    const Column column = instruction.s[i];
    return column.index & Column::constant_bank ? 0 : warp_.taint[column.index];
  };
  uint32_t tainted = 0;
  for (int i = 0; i < instruction.sources; ++i) tainted |= taint(i);
  if (tainted != 0 && instruction.decides == Decides::selected) {
    const uint32_t first = lanes_where_true(warp_.column(instruction.s[2]));
    tainted = (first & taint(0)) | (~first & taint(1)) | taint(2);
  } else if (tainted != 0 && instruction.decides != Decides::all) {
    for (int i = 0; i < instruction.sources; ++i) {
      const uint32_t ones = lanes_where_true(warp_.column(instruction.s[i]));
      tainted &= taint(i) | (instruction.decides == Decides::unless_zero ? ones : ~ones);
    }
  }
  uint32_t& d = warp_.taint[instruction.d.index];
  d = (d & ~mask) | (tainted & mask);
  if (instruction.d2.exists()) {
    uint32_t& d2 = warp_.taint[instruction.d2.index];
    d2 = (d2 & ~mask) | (tainted & mask);
  }
}

inline void Turn::arithmetic(const Instruction& instruction, uint32_t mask) {
  if (mask == 0) return;
  LaneArgs args;
  args.d = warp_.column(instruction.d);
  if (instruction.d2.exists()) args.d2 = warp_.column(instruction.d2);
  for (int i = 0; i < instruction.sources; ++i) args.s[i] = warp_.column(instruction.s[i]);
  args.mask = mask;
  // Before the operation: its destination may be one of its sources.
  if (warp_.has_taint) spread_taint(instruction, mask);
  instruction.lane_op(args);
}

bool Turn::run_arithmetic(uint32_t& executed) {
  const uint32_t first = executed;
  const Instruction* const code = program_.code.data();
  do {
    const Instruction& instruction = code[pc_];
    if (instruction.lane_op == nullptr) break;
    arithmetic(instruction, guarded(instruction));
    ++executed;
    ++pc_;
  } while (pc_ != stop_ && executed < turn_instructions);
  instructions_ += (executed - first) * group_size();
  warp_.cta->cluster->clock += executed - first;
  return pc_ == stop_ && regroup();
}

bool Turn::branch(const Instruction& instruction, uint32_t mask) {
  const uint32_t target = instruction.target;
  if (mask == 0) return ++pc_ == stop_ && regroup();
  const bool is_backward = target <= pc_;
  if (is_backward) ++branches_;
  if (mask == group_) {
    pc_ = target;
    if (is_backward && branches_ % spin_branches == 0) {
      put_back();
      warp_.demoted |= group_;
      return true;
    }
    return group_ != warp_.live && regroup();
  }
  const uint32_t stay = group_ & ~mask;
  set_counters(warp_.pc, mask, target);
  set_counters(warp_.pc, stay, pc_ + 1);
  if (is_backward && branches_ % spin_branches == 0) warp_.demoted |= mask;
  group_ = 0;
  return true;
}

void report_generic_addresses(const Step& step) {
  for (const Operand& operand : step.instruction.operands) {
    if (operand.kind != Operand::Kind::address || operand.bits != 64) continue;
    for_lanes(step.mask, [&](int lane) {
      if (step.address(operand, lane) >> 32 != 0) step.cluster.strict->generic_as_shared(step.issuer(lane));
    });
  }
}

bool Turn::general(const Instruction& instruction, uint32_t mask) {
  const bool is_control = instruction.flow == Instruction::Flow::control;
  if (is_control) set_counters(warp_.pc, group_, pc_ + 1);
  if (warp_.apart != 0 && !is_control && warp_.cta->cluster->strict)
    warp_.cta->cluster->strict->executes_beside(warp_, pc_, mask);
  uint32_t done = mask;
  if (mask != 0) {
    Step step(instruction, warp_, mask);
    if (instruction.has_wide_shared_address && step.cluster.strict) report_generic_addresses(step);
    done = instruction.execute(step);
  }
  if (pauses_ != nullptr) pauses_->executed[pc_] = true;
  has_touched_ |= pauses_ != nullptr && pauses_->may_synchronise[pc_] &&
                  (done != 0 || !warp_.cta->cluster->runner->touches.is_empty());
  const uint32_t waiting = mask & ~done;
  if (waiting == 0 && !is_control) {
    warp_.blocked &= ~group_;
    return ++pc_ == stop_ && regroup();
  }
  warp_.blocked &= ~(group_ & ~waiting);
  warp_.demoted &= ~(group_ & ~waiting);
  if (waiting != 0) {
    // Waiting lanes have seen the progress made so far; others that wait already may not have, so theirs
    // stands.
    if (warp_.blocked == 0) warp_.blocked_at_progress = warp_.cta->cluster->progress;
    warp_.blocked |= waiting;
  }
  set_counters(warp_.pc, waiting, pc_);
  if (!is_control) set_counters(warp_.pc, group_ & ~waiting, pc_ + 1);
  group_ = 0;
  return true;
}

TurnEnd Turn::run() {
  // Nobody wants to know of each instruction.
  const bool is_unwatched = limit_ == 0 && !warp_.watch;
  uint32_t executed = 0;
  bool reselect = true;
  for (;;) {
    if (reselect) {
      if (executed >= turn_instructions) return TurnEnd::moved;
      if (has_spun_) return TurnEnd::spun;
      if (!select()) return warp_.live == 0 ? TurnEnd::finished : TurnEnd::blocked;
      if (has_spun_) return TurnEnd::spun;
      reselect = false;
    } else if (executed >= turn_instructions) {
      put_back();
      return TurnEnd::moved;
    }
    const Instruction& instruction = program_.code[pc_];
    if (pauses_ != nullptr) pauses_->note(pc_);
    if (is_unwatched && instruction.lane_op != nullptr && warp_.tmem_loads.empty()) {
      reselect = run_arithmetic(executed);
      if (pauses_ != nullptr) pauses_->note(pc_ - 1);
      continue;
    }
    const uint32_t mask = guarded(instruction);
    if (has_touched_ && mask != 0 && pauses_->may_synchronise[pc_]) {
      put_back();
      return TurnEnd::moved;
    }
    ++executed;
    instructions_ += group_size();
    if (limit_ != 0 && instructions_ > limit_) {
      put_back();
      warp_.executing = pc_;
      trap(Diagnostic::Kind::instruction_limit,
           "the launch executed more than " + std::to_string(limit_) + " thread instructions",
           __builtin_ctz(group_));
    }
    ++warp_.cta->cluster->clock;
    if (warp_.watch) warp_.watch->executes(instruction, mask);
    if (!warp_.tmem_loads.empty()) {
      warp_.executing = pc_;
      settle_registers(warp_, instruction);
    }
    if (instruction.lane_op != nullptr) {
      arithmetic(instruction, mask);
      reselect = ++pc_ == stop_ && regroup();
    } else if (instruction.flow == Instruction::Flow::branch) {
      reselect = branch(instruction, mask);
    } else {
      put_back();
      warp_.executing = pc_;
      reselect = general(instruction, mask);
    }
  }
}

}  // namespace

TurnEnd run_turn(Warp& warp, const Program& program, uint64_t& instructions, uint64_t limit, Pauses* pauses) {
  return Turn(warp, program, instructions, limit, pauses).run();
}

}  // namespace assay::emulator
