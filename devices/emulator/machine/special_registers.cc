// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/special_registers.h"

#include <algorithm>
#include <array>

#include "devices/emulator/hardware.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/step.h"

namespace assay::emulator {
namespace {

using Three = std::array<uint32_t, 3>;
using Read = uint64_t (*)(const Warp&, int lane);

const Launch& launch(const Warp& warp) {
  return warp.cta->cluster->launch;
}
Three clusters(const Launch& launch) {
  Three made;
  for (size_t i = 0; i < 3; ++i) made[i] = launch.grid[i] / launch.cluster_shape[i];
  return made;
}
Three inside_cluster(const Warp& warp) {
  Three made;
  for (size_t i = 0; i < 3; ++i) made[i] = warp.cta->id[i] % launch(warp).cluster_shape[i];
  return made;
}
Three thread_index(const Warp& warp, int lane) {
  const Three& block = launch(warp).block;
  const uint32_t linear = warp.thread(lane);
  return {linear % block[0], linear / block[0] % block[1], linear / block[0] / block[1]};
}
}  // namespace

struct SpecialRegisterRow {
  std::string_view name;
  Read read;
};

/// One component i a row is made from these.
struct SpecialRegisterVector {
  std::string_view name;
  Three (*read)(const Warp&, int lane);
};

namespace {

using RegisterRow = SpecialRegisterRow;
using VectorRow = SpecialRegisterVector;

/// Those that differ between the lanes of a warp.
bool differs_by_lane(std::string_view name) {
  return name == "%tid" || name == "%laneid" || name.starts_with("%lanemask");
}

constexpr RegisterRow registers[] = {
    {"%laneid", [](const Warp&, int lane) -> uint64_t { return static_cast<uint64_t>(lane); }},
    {"%warpid", [](const Warp& w, int) -> uint64_t { return w.index; }},
    {"%nwarpid", [](const Warp&, int) -> uint64_t { return 64; }},
    {"%smid", [](const Warp& w, int) -> uint64_t { return launch(w).multiprocessor(*w.cta); }},
    {"%nsmid", [](const Warp&, int) -> uint64_t { return multiprocessor_count; }},
    {"%gridid", [](const Warp& w, int) { return launch(w).grid_id; }},
    {"%is_explicit_cluster",
     [](const Warp& w, int) -> uint64_t {
       return launch(w).program.is_explicit_cluster || product(launch(w).cluster_shape) != 1;
     }},
    {"%cluster_ctarank", [](const Warp& w, int) -> uint64_t { return w.cta->rank; }},
    {"%cluster_nctarank", [](const Warp& w, int) { return product(launch(w).cluster_shape); }},
    {"%lanemask_eq", [](const Warp&, int lane) -> uint64_t { return 1u << lane; }},
    {"%lanemask_lt", [](const Warp&, int lane) -> uint64_t { return (1u << lane) - 1; }},
    {"%lanemask_le", [](const Warp&, int lane) -> uint64_t { return (2ull << lane) - 1; }},
    {"%lanemask_gt", [](const Warp&, int lane) -> uint64_t { return ~((2ull << lane) - 1) & 0xffffffff; }},
    {"%lanemask_ge", [](const Warp&, int lane) -> uint64_t { return ~((1ull << lane) - 1) & 0xffffffff; }},
    {"%dynamic_smem_size", [](const Warp& w, int) -> uint64_t { return launch(w).dynamic_shared_bytes; }},
    {"%total_smem_size",
     [](const Warp& w, int) -> uint64_t {
       return launch(w).program.shared_bytes + launch(w).dynamic_shared_bytes;
     }},
    {"%aggr_smem_size",
     [](const Warp& w, int) -> uint64_t {
       return launch(w).program.shared_bytes + launch(w).dynamic_shared_bytes;
     }},
    {"%reserved_smem_offset_begin", [](const Warp&, int) -> uint64_t { return 0; }},
    {"%reserved_smem_offset_end", [](const Warp&, int) -> uint64_t { return shared_reserved_bytes; }},
    {"%reserved_smem_offset_cap", [](const Warp&, int) -> uint64_t { return shared_reserved_bytes; }},
    {"%reserved_smem_offset_0", [](const Warp&, int) -> uint64_t { return 0; }},
    {"%reserved_smem_offset_1", [](const Warp&, int) -> uint64_t { return 0; }},
    {"%current_graph_exec", [](const Warp&, int) -> uint64_t { return 0; }},
    // Where cooperative_groups finds the workspace of a grid: high and low word of its address.
    {"%envreg1", [](const Warp& w, int) { return launch(w).grid_workspace >> 32; }},
    {"%envreg2", [](const Warp& w, int) { return launch(w).grid_workspace & 0xffffffff; }},
};

constexpr VectorRow vectors[] = {
    {"%tid", thread_index},
    {"%ntid", [](const Warp& w, int) { return launch(w).block; }},
    {"%ctaid", [](const Warp& w, int) { return w.cta->id; }},
    {"%nctaid", [](const Warp& w, int) { return launch(w).grid; }},
    {"%clusterid", [](const Warp& w, int) { return w.cta->cluster->id; }},
    {"%nclusterid", [](const Warp& w, int) { return clusters(launch(w)); }},
    {"%cluster_ctaid", [](const Warp& w, int) { return inside_cluster(w); }},
    {"%cluster_nctaid", [](const Warp& w, int) { return launch(w).cluster_shape; }},
};

const RegisterRow* find_row(std::string_view name) {
  for (const RegisterRow& row : registers)
    if (row.name == name) return &row;
  return nullptr;
}

/// "%tid.x": the row and 0; null if there is none.
const VectorRow* find_vector(std::string_view name, size_t& component) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot + 2 != name.size()) return nullptr;
  const size_t which = std::string_view("xyz").find(name[dot + 1]);
  // The fourth component of the vectors is always 0 (ptx, Special Registers).
  if (which == std::string_view::npos && name[dot + 1] != 'w') return nullptr;
  component = which == std::string_view::npos ? 3 : which;
  for (const VectorRow& row : vectors)
    if (row.name == name.substr(0, dot)) return &row;
  return nullptr;
}

/// %envreg0..31 and %pm0..7, %pm0_64..7_64: defined by the driver and by profilers, zero here but for two
/// rows above.
bool is_environment(std::string_view name) {
  if (name.ends_with("_64") && name.starts_with("%pm")) name.remove_suffix(3);
  const std::string_view prefix = name.starts_with("%pm") ? "%pm" : "%envreg";
  if (!name.starts_with(prefix) || name.size() == prefix.size() || name.size() > prefix.size() + 2)
    return false;
  uint32_t number = 0;
  for (const char c : name.substr(prefix.size())) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  return number < (prefix == "%pm" ? 8u : 32u);
}

}  // namespace

bool is_constant_special_register(std::string_view name) {
  size_t component;
  return find_row(name) != nullptr || find_vector(name, component) != nullptr || is_environment(name);
}

SpecialRegister find_special_register(std::string_view name) {
  SpecialRegister found;
  found.row = find_row(name);
  size_t component = 3;
  if (found.row == nullptr) found.vector = find_vector(name, component);
  if (component == 3) found.vector = nullptr;
  found.component = component;
  return found;
}

void read_special_register(const SpecialRegister& which, const Warp& warp, uint64_t* lanes) {
  if (which.row != nullptr) {
    if (!differs_by_lane(which.row->name))
      return void(std::fill_n(lanes, warp_lanes, which.row->read(warp, 0)));
    for (int lane = 0; lane < warp_lanes; ++lane) lanes[lane] = which.row->read(warp, lane);
  } else if (which.vector == nullptr) {
    std::fill_n(lanes, warp_lanes, 0);
  } else if (!differs_by_lane(which.vector->name)) {
    std::fill_n(lanes, warp_lanes, which.vector->read(warp, 0)[which.component]);
  } else {
    // %tid: a division for the first lane, steps for the others.
    const Three& block = launch(warp).block;
    Three at = thread_index(warp, 0);
    for (int lane = 0; lane < warp_lanes; ++lane) {
      lanes[lane] = at[which.component];
      if (++at[0] == block[0]) {
        at[0] = 0;
        if (++at[1] == block[1]) at[1] = 0, ++at[2];
      }
    }
  }
}

}  // namespace assay::emulator

// Special registers that move on while a warp runs: %clock, %clock_hi, %clock64, %globaltimer,
// %globaltimer_lo, %globaltimer_hi (ptx, Special Registers). One virtual clock in nanoseconds serves all; a
// cycle is a nanosecond.
namespace assay::emulator {
namespace {

template <int shift, uint64_t mask>
uint32_t read_clock(Step& step) {
  for_lanes(step.mask,
            [&](int lane) { step.set(step.operand(0), lane, step.cluster.clock >> shift & mask); });
  return step.mask;
}

}  // namespace

Execute find_changing_special_register(std::string_view name) {
  if (name == "%clock64" || name == "%globaltimer") return read_clock<0, ~0ull>;
  if (name == "%clock" || name == "%globaltimer_lo") return read_clock<0, 0xffffffff>;
  if (name == "%clock_hi" || name == "%globaltimer_hi") return read_clock<32, 0xffffffff>;
  return nullptr;
}

}  // namespace assay::emulator
