#include <algorithm>
#include <string>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tensor/tmem_access.h"

// How the lanes of a warp take turns. Lanes at the same program counter execute together; among lanes that
// can go on, those at the lowest program counter go first, so that lanes that left a loop wait for those
// still in it and all meet again. A group that spins steps back until every other lane of its warp has had
// its turn.
namespace assay::emulator {
namespace {

constexpr uint32_t turn_instructions = 4096;
constexpr uint32_t spin_branches = 128;
constexpr uint32_t no_stop = ~0u;

uint32_t lanes_where_true(const uint64_t* column) {
  uint32_t mask = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) mask |= static_cast<uint32_t>(column[lane] != 0) << lane;
  return mask;
}

class Turn {
 public:
  Turn(Warp& warp, const Program& program, uint64_t& instructions, uint64_t limit)
      : warp_(warp), program_(program), instructions_(instructions), limit_(limit) {}

  TurnEnd run();

 private:
  bool select();
  void take(uint32_t at);
  /// The group stands at pc_: finds others to merge with and where to stop next. True if another group goes
  /// first.
  bool regroup();
  void put_back() {
    for_lanes(group_, [&](int lane) { warp_.pc[static_cast<size_t>(lane)] = pc_; });
  }
  bool arithmetic(const Instruction& instruction, uint32_t mask);
  bool branch(const Instruction& instruction, uint32_t mask);
  bool general(const Instruction& instruction, uint32_t mask);
  void spread_taint(const Instruction& instruction, uint32_t mask);

  Warp& warp_;
  const Program& program_;
  uint64_t& instructions_;
  const uint64_t limit_;
  uint32_t group_ = 0, pc_ = 0, stop_ = no_stop;
  uint32_t branches_ = 0;
  bool has_spun_ = false;
};

void Turn::take(uint32_t at) {
  pc_ = at;
  group_ = 0;
  stop_ = no_stop;
  for_lanes(warp_.live, [&](int lane) {
    const uint32_t other = warp_.pc[static_cast<size_t>(lane)];
    if (other == at)
      group_ |= 1u << lane;
    else if (other > at)
      stop_ = std::min(stop_, other);
  });
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
  uint32_t lowest = no_stop;
  for_lanes(candidates, [&](int lane) { lowest = std::min(lowest, warp_.pc[static_cast<size_t>(lane)]); });
  take(lowest);
  return true;
}

bool Turn::regroup() {
  if (group_ == warp_.live) {
    stop_ = no_stop;
    return false;
  }
  put_back();
  const uint32_t ready = warp_.live & ~warp_.blocked & ~warp_.demoted & ~group_;
  bool goes_first = false;
  for_lanes(ready, [&](int lane) { goes_first |= warp_.pc[static_cast<size_t>(lane)] < pc_; });
  if (goes_first) return true;
  take(pc_);
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

bool Turn::arithmetic(const Instruction& instruction, uint32_t mask) {
  if (mask != 0) {
    LaneArgs args;
    args.d = warp_.column(instruction.d);
    if (instruction.d2.exists()) args.d2 = warp_.column(instruction.d2);
    for (int i = 0; i < instruction.sources; ++i) args.s[i] = warp_.column(instruction.s[i]);
    args.mask = mask;
    // Before the operation: its destination may be one of its sources.
    if (warp_.has_taint) spread_taint(instruction, mask);
    instruction.lane_op(args);
  }
  return ++pc_ == stop_ && regroup();
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
  for_lanes(mask, [&](int lane) { warp_.pc[static_cast<size_t>(lane)] = target; });
  for_lanes(stay, [&](int lane) { warp_.pc[static_cast<size_t>(lane)] = pc_ + 1; });
  if (is_backward && branches_ % spin_branches == 0) warp_.demoted |= mask;
  group_ = 0;
  return true;
}

bool Turn::general(const Instruction& instruction, uint32_t mask) {
  const bool is_control = instruction.flow == Instruction::Flow::control;
  if (is_control) for_lanes(group_, [&](int lane) { warp_.pc[static_cast<size_t>(lane)] = pc_ + 1; });
  uint32_t done = mask;
  if (mask != 0) {
    Step step(instruction, warp_, mask);
    if (instruction.synchronises && step.cluster.strict)
      for_lanes(mask, [&](int lane) { step.cluster.strict->synchronised(step.issuer(lane)); });
    done = instruction.execute(step);
  }
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
  const uint32_t at = pc_;
  for_lanes(group_, [&](int lane) {
    if (waiting >> lane & 1)
      warp_.pc[static_cast<size_t>(lane)] = at;
    else if (!is_control)
      warp_.pc[static_cast<size_t>(lane)] = at + 1;
  });
  group_ = 0;
  return true;
}

TurnEnd Turn::run() {
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
    uint32_t mask = group_;
    if (instruction.guard.exists()) {
      const uint32_t holds = lanes_where_true(warp_.column(instruction.guard));
      mask &= instruction.guard_negated ? ~holds : holds;
    }
    ++executed;
    instructions_ += static_cast<uint64_t>(__builtin_popcount(group_));
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
      reselect = arithmetic(instruction, mask);
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

TurnEnd run_turn(Warp& warp, const Program& program, uint64_t& instructions, uint64_t limit) {
  return Turn(warp, program, instructions, limit).run();
}

}  // namespace assay::emulator
