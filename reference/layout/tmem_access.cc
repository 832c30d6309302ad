// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem_access.h"

#include <algorithm>

#include "reference/layout/register_runs.h"

namespace assay::layout {
namespace {

constexpr int warp = 32, most_registers = 4;

/// Where the registers of the first repetition of a shape lie, thread by thread.
struct Fragment {
  struct Place {
    int8_t lane = -1, column = 0;
    bool past_split = false;
  };
  std::array<std::array<Place, most_registers>, warp> of_thread;
  int registers = 0, columns = 0;
};

constexpr std::array<Fragment, tmem_shapes.size()> drawn() {
  std::array<Fragment, tmem_shapes.size()> all{};
  for (const RegisterRun& run : register_runs) {
    Fragment& fragment = all[run.shape];
    fragment.registers = std::max(fragment.registers, run.number + 1);
    fragment.columns = std::max(fragment.columns, run.column + 1);
    for (int i = 0; i < run.threads; ++i)
      fragment.of_thread[static_cast<size_t>(run.first_thread + i * run.apart)]
                        [static_cast<size_t>(run.number)] = {static_cast<int8_t>(run.first_lane + i),
                                                             static_cast<int8_t>(run.column), run.past_split};
  }
  return all;
}
constexpr std::array<Fragment, tmem_shapes.size()> fragments = drawn();

// Every register that a shape has is drawn, in lanes that it has.
static_assert([] {
  for (size_t shape = 0; shape < fragments.size(); ++shape) {
    if (fragments[shape].registers != tmem_shapes[shape].registers_per_count) return false;
    for (const auto& thread : fragments[shape].of_thread)
      for (int r = 0; r < fragments[shape].registers; ++r)
        if (thread[static_cast<size_t>(r)].lane < 0 ||
            thread[static_cast<size_t>(r)].lane >= tmem_shapes[shape].lanes)
          return false;
  }
  return true;
}());

}  // namespace

TmemRegisterPlace tmem_register_place(uint32_t shape, int thread, int r, int spread, int split) {
  const Fragment& fragment = fragments[shape];
  const auto& place =
      fragment.of_thread[static_cast<size_t>(thread)][static_cast<size_t>(r % fragment.registers)];
  const int column = place.column + r / fragment.registers * fragment.columns;
  return {place.lane, spread * column + (place.past_split ? split : 0)};
}

int tmem_access_columns(uint32_t shape, int count, int spread, int split) {
  const bool is_split = fragments[shape].of_thread[warp - 1][0].past_split;
  return fragments[shape].columns * count * spread + (is_split ? split : 0);
}

}  // namespace assay::layout
