// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/window.h"

#include "devices/emulator/alu/wide_lanes.h"
#include "devices/emulator/machine/runner.h"

namespace assay::emulator {
namespace {

Window shared_window(const Step& step, Space space, uint64_t address, uint64_t base) {
  const uint32_t shared = static_cast<uint32_t>(address - base);
  const uint32_t rank = shared >> shared_rank_shift;
  if (space == Space::shared_cta && rank != step.cta.rank) return {};
  Cta* const cta = step.cluster.cta_at(shared);
  if (cta == nullptr || cta->shared.size() <= shared_reserved_bytes) return {};
  Window made;
  made.host = cta->shared.data() + shared_reserved_bytes;
  made.written = cta->written.data() + shared_reserved_bytes;
  made.begin = base + (uint64_t{rank} << shared_rank_shift) + shared_reserved_bytes;
  made.bytes = cta->shared.size() - shared_reserved_bytes;
  made.shared_begin = (rank << shared_rank_shift) + shared_reserved_bytes;
  if (base == 0) made.address_mask = 0xffffffff;
  return made;
}

Window plain_window(uint64_t begin, uint64_t end) {
  Window made;
  made.host = reinterpret_cast<std::byte*>(begin);
  made.begin = begin;
  made.bytes = end - begin;
  return made;
}

/// Bounds and alignment of all lanes in one pass without a branch: a lane outside sets the top bit of
/// `outside`, since no window is half as large as the address space.
struct Scan {
  uint64_t outside = 0, low = 0, differs = 0, does_not_rise = 0;
  bool is_inside(uint32_t bytes) const { return outside >> 63 == 0 && (low & (bytes - 1)) == 0; }
};

ASSAY_ALWAYS_INLINE inline Scan scan_all(const Window& window, const uint64_t* __restrict addresses,
                                         uint64_t added, uint32_t bytes, uint64_t* __restrict offset) {
  Scan scan;
  const uint64_t last = window.bytes - bytes, first = addresses[0] + added, mask = window.address_mask;
  const uint64_t begin = window.begin;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const uint64_t address = addresses[lane] + added;
    const uint64_t at = (address & mask) - begin;
    offset[lane] = at;
    scan.outside |= at | (last - at);
    scan.low |= address;
    scan.differs |= address ^ first;
    scan.does_not_rise |= address ^ (first + static_cast<uint64_t>(lane) * bytes);
  }
  return scan;
}

Scan scan_narrow(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t bytes,
                 uint64_t* offset) {
  return scan_all(window, addresses, added, bytes, offset);
}
ASSAY_WIDE Scan scan_wide(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t bytes,
                          uint64_t* offset) {
  return scan_all(window, addresses, added, bytes, offset);
}

}  // namespace

Window find_window(const Step& step, Space space, uint64_t address, bool is_write) {
  if (space == Space::shared_cta || space == Space::shared_cluster)
    return shared_window(step, space, address & 0xffffffff, 0);
  if (space == Space::generic && address - generic_shared_base < generic_shared_bytes) {
    if (!step.cluster.is_generic_shared(address)) return {};
    return shared_window(step, space, address, step.cluster.generic_window());
  }
  Runner& runner = *step.cluster.runner;
  if (const Memory::Range* range = runner.recent_range(address))
    return plain_window(range->begin, range->end);
  const Warp& warp = step.warp;
  if (address - generic_local_base < warp.local_stride) {
    Window made;
    made.host = warp.local_of(0);
    made.begin = generic_local_base;
    made.bytes = made.lane_stride = warp.local_stride;
    return made;
  }
  const uint64_t params = reinterpret_cast<uint64_t>(step.cluster.launch.params());
  const uint64_t params_bytes = step.cluster.launch.params_bytes();
  if (address - params < params_bytes)
    return is_write ? Window{} : plain_window(params, params + params_bytes);
  if (const Memory::Range* range = runner.find_range(address)) return plain_window(range->begin, range->end);
  return {};
}

bool find_places(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t mask,
                 uint32_t bytes, LanePlaces& places) {
  if (window.bytes < bytes) return false;
  places.order = LanePlaces::Order::scattered;
  if (mask == ~0u) {
    const Scan scan = has_wide_lanes ? scan_wide(window, addresses, added, bytes, places.offset.data())
                                     : scan_narrow(window, addresses, added, bytes, places.offset.data());
    if (!scan.is_inside(bytes)) return false;
    if (window.lane_stride == 0)
      places.order = scan.differs == 0         ? LanePlaces::Order::same
                     : scan.does_not_rise == 0 ? LanePlaces::Order::rising
                                               : LanePlaces::Order::scattered;
  } else {
    Scan scan;
    const uint64_t last = window.bytes - bytes;
    for_lanes(mask, [&](int lane) {
      const uint64_t address = addresses[lane] + added;
      const uint64_t at = (address & window.address_mask) - window.begin;
      places.offset[static_cast<size_t>(lane)] = at;
      scan.outside |= at | (last - at);
      scan.low |= address;
    });
    if (!scan.is_inside(bytes)) return false;
  }
  if (window.lane_stride != 0)
    for_lanes(mask, [&](int lane) {
      places.offset[static_cast<size_t>(lane)] += static_cast<uint64_t>(lane) * window.lane_stride;
    });
  return true;
}

}  // namespace assay::emulator
