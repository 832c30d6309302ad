// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <tuple>

#include "devices/cuda/emulator_notes.h"
#include "devices/cuda/families/gemm_words.h"
#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/gemm.h"

namespace assay::cuda {
namespace {

using params::GemmRecord;

const char* wrong_shape(const GemmRecord& r) {
  if (static_cast<uint32_t>(r.type) >= params::gemm_types) return "type must be 0 to 10";
  const params::GemmForm& form = params::gemm_form(r.type);
  if (!params::is_gemm_tile_n(r.tile_n, r.cta_group, form))
    return "tile_n must be 32, 64 or 128, or 256 with cta_group 2 and neither scales nor a sparse A, with "
           "which 128 needs cta_group 2";
  if (r.m < 1 || r.n < 1 || r.k < 1) return "m, n and k must be 1 or more";
  // Beyond what any output holds, and far from where a 32-bit coordinate ends.
  if (r.m > 1u << 20 || r.n > 1u << 20 || r.k > 1u << 20) return "m, n and k must be at most 1048576";
  if (r.k * form.element_bits % 8) return "k must fill whole bytes";
  if (form.is_sparse && r.k % 4) return "k must be a multiple of 4 where A is sparse";
  const auto is_type = [&](uint32_t code) {
    return code == 0 || (params::has_gemm_element_types(r.type) && params::is_gemm_element(code));
  };
  if (!is_type(r.a_type) || !is_type(r.b_type))
    return "a_type and b_type must be 0, or 1, 3, 4 or 5 with the types of f8f6f4";
  if (params::is_gemm_unpacked(r, true) && params::is_gemm_unpacked(r, false) && r.k % 128)
    return "k must be a multiple of 128 where both types have fewer than 8 bits";
  if (r.reduces > 1) return "reduces must be 0 or 1";
  const auto row_bytes = [&](bool is_a) {
    return uint64_t{params::gemm_row_elements(r, is_a)} * params::gemm_element_bits(r, is_a) / 8;
  };
  const uint64_t a_row = row_bytes(true), row = row_bytes(false);
  if (r.a_pitch % 16 || r.b_pitch % 16 || r.d_pitch % 16) return "pitches must be multiples of 16";
  if ((params::is_gemm_unpacked(r, true) && r.a_pitch % 32) ||
      (params::is_gemm_unpacked(r, false) && r.b_pitch % 32))
    return "pitches of types of fewer than 8 bits must be multiples of 32";
  if (r.a_pitch < a_row || r.b_pitch < row || r.d_pitch < r.n * 4)
    return "a pitch must be at least as long as its row";
  return nullptr;
}

/// Whether the members that follow from the others do.
bool is_settled(const GemmRecord& r) {
  GemmRecord settled = r;
  params::settle(settled);
  return r.opcode == forms::opcode_of(r) && std::memcmp(&r, &settled, offsetof(GemmRecord, maps)) == 0;
}

const char* wrong_gemm(const GemmRecord& r, const GemmRecord& first, const BatchView&) {
  if (r.cta_group != 1 && r.cta_group != 2) return "cta_group must be 1 or 2";
  if (r.cta_group != first.cta_group) return "cta_group must be the same in a batch";
  if (const char* shape = wrong_shape(r)) return shape;
  if (!is_settled(r)) return "derived members must be as settle() and opcode_of() set them";
  if (r.is_grouped != first.is_grouped) return "is_grouped must be the same in a batch";
  if (r.has_launch_control != first.has_launch_control)
    return "has_launch_control must be the same in a batch";
  if (r.asking >= params::gemm_ways_to_ask || r.asking != first.asking ||
      (r.asking != 0 && !r.has_launch_control))
    return "asking must be 0 to 3, the same in a batch, and 0 without launch control";
  if (r.alloc_columns != first.alloc_columns)
    return "scales or metadata must be present in all records of a batch or in none";
  return nullptr;
}

Result encode_maps(const Driver& driver, DeviceAddress output, GemmRecord& r) {
  constexpr int l2_promotion_128b = 2;  // cuda.h
  for (uint32_t i = 0; i < params::gemm_maps(r); ++i) {
    const params::GemmMap m = params::gemm_map(r, i);
    const uint64_t dims[] = {m.matrix.columns, m.matrix.rows}, pitch = m.matrix.pitch;
    const uint32_t box[] = {m.box_columns, m.box_rows}, steps[] = {1, 1};
    TensorMap encoded;
    if (const Result refused = driver.encode_tiled(
            &encoded, static_cast<int>(m.data_type), 2,
            reinterpret_cast<void*>(output + r.output_offset + m.matrix.offset), dims, &pitch, box, steps,
            /*interleave=*/0, static_cast<int>(m.swizzle), l2_promotion_128b, /*oob_fill=*/0))
      return refused;
    std::copy_n(reinterpret_cast<const uint8_t*>(&encoded), 128, r.maps[i]);
  }
  return 0;
}

void run_gemm(OpenedDevice& device, Job& job) {
  const Slot& slot = device.slot(job.batch);
  ProbeGroup fill{}, multiply{};
  uint64_t tiles = 0;
  bool is_grouped = false, has_launch_control = false;
  for (const uint32_t index : job.group) {
    GemmRecord& r = reinterpret_cast<GemmRecord*>(job.memory.records)[index];
    job.note_call(index);
    if (const Result refused = encode_maps(device.driver, slot.output, r)) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    fill.records.push_back(index);
    add_record(device, multiply, index, forms::launch_of(r));
    tiles += uint64_t{params::gemm_tiles_m(r)} * params::gemm_tiles_n(r);
    is_grouped = r.is_grouped;
    has_launch_control = r.has_launch_control;
  }
  job.clear_call();
  if (fill.records.empty()) return;
  // A cluster for each tile, where the grid hands them out: those that run cancel most of the others.
  const uint32_t ctas =
      has_launch_control ? most_gemm_ctas : std::min(static_cast<uint32_t>(device.sm_count), most_gemm_ctas);
  // Where CTAs rewrite maps they keep them among those that the batch has room for.
  const uint64_t cta_maps = params::gemm_cta_maps * uint64_t{128};
  const uint32_t with_maps =
      is_grouped ? std::min(ctas, static_cast<uint32_t>(device.region.shape().maps_bytes() / cta_maps))
                 : ctas;
  const uint32_t fit =
      device.emulator && !has_launch_control ? 2 : std::max(1u, with_maps / multiply.cluster_size);
  multiply.clusters = static_cast<uint32_t>(std::min<uint64_t>(fit, tiles));
  if (has_launch_control) {
    const GemmGrid grid = gemm_grid(multiply.clusters);
    multiply.clusters = grid.clusters, multiply.rows = grid.rows, multiply.layers = grid.layers;
    multiply.cluster_rows = grid.cluster_rows, multiply.cluster_layers = grid.cluster_layers;
  }
  fill.function = device.function("gemm_pipeline", "gemm_fill");
  // In this order: launches of a batch run one after the other.
  run_probes(device, job,
             {sizeof(GemmRecord),
              is_grouped,
              false,
              {std::move(fill), std::move(multiply)},
              output_slot_of<GemmRecord>,
              /*takes_all=*/true});
  // Clusters on many multiprocessors make a product: the one that stored last is not where it was made.
  for (const uint32_t index : job.group) job.memory.ends[index].sm = ~0u;
}

const RegisterFamily gemm(family_of<GemmRecord, wrong_gemm>("gemm", declines_tcgen05, run_gemm, &gemm_names));

std::string barrier_name(uint32_t byte) {
  struct Row {
    const char* name;
    uint32_t count;
  };
  constexpr Row rows[] = {{"full", params::gemm_stages},
                          {"empty", params::gemm_stages},
                          {"accumulated", 2},
                          {"drained", 2},
                          {"handed", 2},
                          {"taken", 2},
                          {"answered", 1},
                          {"answer_read", 1}};
  if (byte < params::gemm_barriers_at) return {};
  uint32_t index = (byte - params::gemm_barriers_at) / 8;
  for (const Row& row : rows) {
    if (index < row.count)
      return row.count == 1 ? row.name : std::string(row.name) + "[" + std::to_string(index) + "]";
    index -= row.count;
  }
  return {};
}

std::string role_name(uint32_t warp) {
  if (warp == 0) return "load warp";
  return warp == 1 ? "multiply warp" : "store warp";
}

/// CTAs whose warps of a role stand at the same wait share a line.
std::vector<std::string> waits(std::span<const uint32_t> notes) {
  std::map<std::tuple<std::string, uint32_t>, std::vector<uint32_t>> standing;
  for (uint32_t cta = 0; cta < most_gemm_ctas; ++cta)
    for (uint32_t warp = 0; warp < params::gemm_warps; ++warp) {
      const uint32_t word = notes[params::gemm_first_wait + cta * params::gemm_warps + warp];
      if ((word & params::gemm_wait_mark) == 0) continue;
      std::vector<uint32_t>& ctas = standing[{role_name(warp), word}];
      if (ctas.empty() || ctas.back() != cta) ctas.push_back(cta);
    }
  std::vector<std::string> lines;
  for (const auto& [at, ctas] : standing) {
    const auto& [role, word] = at;
    const params::GemmWait wait = params::gemm_wait_of(word);
    lines.push_back(
        numbered("CTA", ctas) + ": a " + role + " waits for phase " + std::to_string(wait.parity) + " of " +
        barrier_name(params::gemm_barriers_at + 8 * wait.barrier) + ", after " + std::to_string(wait.ended) +
        (wait.ended == 1 ? " wait that ended" : " waits that ended"));
  }
  return lines;
}

}  // namespace

const KernelNames gemm_names{barrier_name, role_name, waits};

}  // namespace assay::cuda
