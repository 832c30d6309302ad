// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/step.h"

namespace assay::emulator {

/// call, with CallData; ret, from a .func or from the kernel.
uint32_t execute_call(Step& step);
/// call of the function whose address is in CallData::target.
uint32_t execute_indirect_call(Step& step);
uint32_t execute_return(Step& step);

/// Functions that the device runtime provides (vprintf, __assertfail, malloc, free), called with operands in
/// CallData::arguments; null if there is none of that name.
Execute find_builtin(std::string_view name);

/// Ends lanes: they leave every barrier that counts the threads of the CTA or cluster.
void exit_lanes(Step& step, uint32_t lanes);

/// Completes named barriers, and the cluster's barrier, whose last awaited threads have exited.
void recheck_barriers(Cta& cta);

/// Argument i of a call of a function of the device runtime, up to 64 bits; 0 if it was not given.
inline uint64_t call_argument(const Step& step, size_t i, int lane) {
  const auto& call = step.data<CallData>();
  if (i >= call.arguments.size()) return 0;
  const CallSlot& slot = call.arguments[i];
  if (slot.is_register) return step.column(slot.column)[lane];
  uint64_t value = 0;
  std::memcpy(&value, step.warp.local_of(lane) + slot.offset, std::min<uint32_t>(slot.bytes, 8));
  return value;
}

/// Gives such a call its result.
inline void set_call_result(const Step& step, int lane, uint64_t value) {
  const auto& call = step.data<CallData>();
  if (call.results.empty()) return;
  const CallSlot& slot = call.results[0];
  if (slot.bytes < 8) value &= (uint64_t{1} << slot.bytes * 8) - 1;
  if (slot.is_register)
    step.column(slot.column)[lane] = value;
  else
    std::memcpy(step.warp.local_of(lane) + slot.offset, &value, std::min<uint32_t>(slot.bytes, 8));
}

/// malloc and free of the device runtime.
uint32_t execute_malloc(Step& step);
uint32_t execute_free(Step& step);

/// Whether no cluster of a launch of the program can learn from another what that has done, but by a data
/// race: no instruction orders accesses beyond the cluster, adds to what others add to, or reads a clock,
/// which others would stop. Each then does the same whether they run one after another or side by side.
bool has_independent_clusters(const Program& program);

}  // namespace assay::emulator
