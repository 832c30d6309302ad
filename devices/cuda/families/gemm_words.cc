// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/gemm_words.h"

#include <map>
#include <tuple>

#include "devices/cuda/number_runs.h"

namespace assay::cuda {
namespace {

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
