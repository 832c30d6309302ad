// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/limits.h"

#include "devices/emulator/driver/device_facts.h"

namespace assay::emulator {
namespace {

constexpr int stack = 0, print = 1;
constexpr size_t any = ~size_t{0} - 15;

/// Observed on an H200 with driver 580.159, which answers CUDA_ERROR_UNSUPPORTED_LIMIT for limit 3
/// (CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH) and what is not here. Of the stack, 523,264 bytes are taken and 524,288
/// refused. CU_LIMIT_PERSISTING_L2_CACHE_SIZE follows the size of the L2 cache; here there is none to set
/// aside.
constexpr LimitRow limits[] = {
    {stack, LaunchLimits{}.stack_bytes, true, 524287, 16, 0, any},
    {print, LaunchLimits{}.print_bytes, true, any, 1, 524288, size_t{1} << 31},
    {heap_limit, LaunchLimits{}.heap_bytes, true, any, 1, 0, any},
    {4, 2048, true, any, 1, 0, any},                     // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
    {5, 64, true, 128, 1, 0, any},                       // CU_LIMIT_MAX_L2_FETCH_GRANULARITY
    {6, 0, true, any, 1, 0, any},                        // CU_LIMIT_PERSISTING_L2_CACHE_SIZE
    {7, shared_per_block_optin, false, any, 1, 0, any},  // CU_LIMIT_SHMEM_SIZE
};

}  // namespace

const LimitRow* find_limit(int limit) {
  for (const LimitRow& row : limits)
    if (row.limit == limit) return &row;
  return nullptr;
}

std::optional<size_t> limit_of(const abi::ContextObject& context, int limit) {
  const LimitRow* row = find_limit(limit);
  if (row == nullptr) return std::nullopt;
  const auto set = context.limits.find(limit);
  return set == context.limits.end() ? row->initial : set->second;
}

LaunchLimits launch_limits(const abi::ContextObject& context) {
  return {limit_of(context, stack).value(), limit_of(context, print).value(),
          limit_of(context, heap_limit).value()};
}

}  // namespace assay::emulator
