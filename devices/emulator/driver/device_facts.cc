// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

namespace assay::emulator {
namespace {

struct Attribute {
  int number, value;  ///< CUdevice_attribute
};

/// Limits that the CUDA Programming Guide has for all emulated compute capabilities but 12.0; the rest
/// describes the emulator.
constexpr Attribute attributes[] = {
    {1, 1024},        // threads a block
    {2, 1024},        // block x
    {3, 1024},        // block y
    {4, 64},          // block z
    {5, 2147483647},  // grid x
    {6, 65535},       // grid y
    {7, 65535},       // grid z
    {8, shared_per_block},
    {9, 65536},                          // constant memory
    {10, 32},                            // warp
    {11, 2147483647},                    // pitch
    {12, registers_per_multiprocessor},  // a block
    {13, 1000000},                       // clock, kHz: what %clock64 counts
    {14, 512},                           // texture alignment
    {15, 1},                             // copies overlap kernels
    {16, multiprocessor_count},
    {17, 0},         // no time limit on kernels
    {18, 0},         // discrete
    {19, 1},         // maps host memory
    {20, 0},         // compute mode: default
    {30, 512},       // surface alignment
    {31, 0},         // kernels run one after the other
    {32, 0},         // no ECC
    {36, 1000000},   // memory clock, kHz
    {37, 64},        // bus width, bits
    {38, 50 << 20},  // L2 bytes
    {40, 1},         // copy engines
    {41, 1},         // unified addressing
    {51, 32},        // texture pitch alignment
    {78, 1},         // stream priorities
    {79, 1},         // global L1
    {80, 1},         // local L1
    {83, 1},         // managed memory
    {88, 0},         // pageable memory is not visible
    {89, 1},         // the host and kernels may touch managed memory at once
    {82, registers_per_multiprocessor},
    {87, 2},           // single to double precision
    {91, 1},           // registered memory has one address
    {99, 1},           // host memory can be registered
    {108, 32 << 20},   // L2 bytes that may be set aside for persisting accesses: a hint here
    {109, 128 << 20},  // bytes of an access policy window
    {111, shared_reserved_per_block},
    {95, 1},   // cooperative launches
    {115, 1},  // memory pools
    {120, 1},  // clusters
    {127, 1},  // tensor maps
};

}  // namespace

std::string device_name(Target target) {
  return "assay emulator (" + std::string(target_name(target)) + ")";
}

int device_attribute(int attribute, Target target) {
  // The compute capability.
  if (attribute == 75) return spec::capability(target) / 10;
  if (attribute == 76) return spec::capability(target) % 10;
  if (attribute == 39) return static_cast<int>(facts_of(target).most_threads);
  if (attribute == 106) return static_cast<int>(facts_of(target).most_ctas);
  if (attribute == 81) return static_cast<int>(facts_of(target).shared_bytes);
  if (attribute == 97) return static_cast<int>(shared_of_cta(target));
  for (const Attribute& one : attributes)
    if (one.number == attribute) return one.value;
  return 0;
}

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
    {4, 2048, true, any, 1, 0, any},                // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
    {5, 64, true, 128, 1, 0, any},                  // CU_LIMIT_MAX_L2_FETCH_GRANULARITY
    {6, 0, true, any, 1, 0, any},                   // CU_LIMIT_PERSISTING_L2_CACHE_SIZE
    {7, size_t{227} << 10, false, any, 1, 0, any},  // CU_LIMIT_SHMEM_SIZE
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
