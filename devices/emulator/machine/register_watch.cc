// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/register_watch.h"

#include "devices/emulator/machine/launch.h"

namespace assay::emulator {

RegisterWatch::RegisterWatch(Warp& warp)
    : warp_(warp),
      touched_(warp.taint.size(), at_first),
      in_d_(touched_.size(), 0),
      in_a_(touched_.size(), 0) {}

void RegisterWatch::report(std::string_view clause, uint32_t line, int lane, uint32_t writer) {
  Cluster& cluster = *warp_.cta->cluster;
  const auto issuer = [&](uint32_t at) { return Issuer{warp_.cta->rank, warp_.thread(lane), at}; };
  if (writer == 0) return cluster.launch.report(clause, cluster, issuer(line));
  const Issuer first = issuer(writer);
  cluster.launch.report(
      clause, cluster, issuer(line), &first, "write of a register of it", {}, nullptr,
      "where a compiler has put the write behind the fence, asm volatile(\"\" : \"+f\"(d[i]) "
      ":: \"memory\") for each accumulator in front of the fence keeps it there");
}

void RegisterWatch::accessed(const Operand& operand, bool may_write, uint32_t line, int lane) {
  for (const Operand& item : operand.items) accessed(item, may_write, line, lane);
  const uint32_t at = operand.column.index;
  if (at < touched_.size() && (in_d_[at] != 0 || (may_write && in_a_[at] != 0)))
    report("missing-wgmma-wait", line, lane);
}

void RegisterWatch::executes(const Instruction& instruction, uint32_t mask) {
  if (mask == 0) return;
  line_ = instruction.line;
  const int lane = __builtin_ctz(mask);
  if (instruction.lane_op != nullptr) {
    const auto look = [&](Column column, bool is_written) {
      if (column.index >= touched_.size()) return;
      if (is_written) touched_[column.index] = line_;
      if (pending_ != 0 && (in_d_[column.index] != 0 || (is_written && in_a_[column.index] != 0)))
        report("missing-wgmma-wait", instruction.line, lane);
    };
    for (int i = 0; i < instruction.sources; ++i) look(instruction.s[i], false);
    look(instruction.d, true);
    look(instruction.d2, true);
    return;
  }
  if (instruction.opcode == nullptr || instruction.opcode->base == "wgmma") return;
  // The first operand is the destination where there is one; loads write theirs without Step::set.
  if (!instruction.operands.empty() && instruction.operands[0].kind != Operand::Kind::address) {
    written(instruction.operands[0].column);
    for (const Operand& item : instruction.operands[0].items) written(item.column);
  }
  if (pending_ == 0) return;
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    accessed(instruction.operands[i], i == 0 && instruction.operands[i].kind != Operand::Kind::address,
             instruction.line, lane);
}

void RegisterWatch::fence() {
  touched_.assign(touched_.size(), 0);
}

void RegisterWatch::issued(const std::vector<uint32_t>& d, const std::vector<uint32_t>& a, uint32_t line) {
  uint32_t touched = 0;
  bool is_pending = false;
  const auto look = [&](uint32_t column) {
    if (touched == 0 || touched == at_first)
      touched = std::max(touched_[column], touched == at_first ? 0u : touched);
  };
  for (const uint32_t column : d) look(column);
  for (const uint32_t column : a) {
    look(column);
    is_pending |= in_d_[column] != 0;
  }
  if (touched != 0) report("missing-wgmma-fence", line, 0, touched == at_first ? 0 : touched);
  if (is_pending) report("missing-wgmma-wait", line, 0);
  for (const uint32_t column : d) ++in_d_[column];
  for (const uint32_t column : a) ++in_a_[column];
  ++pending_;
  open_.push_back({d, a});
}

void RegisterWatch::committed() {
  committed_.push_back(std::move(open_));
  open_.clear();
}

void RegisterWatch::release(const std::vector<Use>& group) {
  for (const Use& use : group) {
    for (const uint32_t column : use.d) --in_d_[column];
    for (const uint32_t column : use.a) --in_a_[column];
    --pending_;
  }
}

void RegisterWatch::waited(uint64_t n) {
  for (; committed_.size() > n; committed_.pop_front()) release(committed_.front());
}

}  // namespace assay::emulator
