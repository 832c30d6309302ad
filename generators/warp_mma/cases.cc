// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>
#include <array>

#include "reference/model/rig.h"
#include "reference/spec/smem_desc.h"

namespace assay::gen {
namespace {

constexpr const std::array<uint32_t, 4>& swizzles = spec::smem_swizzle::of_16_bytes;

void take(const OperandPatterns& patterns, auto& c) {
  c.a_fill = patterns.a, c.b_fill = patterns.b, c.c_fill = patterns.c;
}

/// Bits without meaning, in half of the cases.
uint64_t some_ignored_bits(Random& random) {
  return random.one_in(2) ? ignored_bits(random) : 0;
}

struct SmemCell {
  bool is_b;
  uint32_t element;  ///< its bytes are 1 << this
  bool mn_major;
  uint32_t swizzle;  ///< position in `swizzles`
  uint32_t base;
  bool off_pattern;  ///< the start is no multiple of the pattern
};
uint32_t index_of(const SmemCell& c) {
  uint32_t at = c.is_b;
  at = at * 3 + c.element;
  at = at * 2 + c.mn_major;
  at = at * 4 + c.swizzle;
  at = at * 8 + c.base;
  return at * 2 + c.off_pattern;
}
SmemCell smem_cell(uint32_t index) {
  const auto part = [&index](uint32_t n) {
    const uint32_t value = index % n;
    index /= n;
    return value;
  };
  SmemCell c{};
  c.off_pattern = part(2) != 0;
  c.base = part(8);
  c.swizzle = part(4);
  c.mn_major = part(2) != 0;
  c.element = part(3);
  c.is_b = part(2) != 0;
  return c;
}
bool is_reachable(const SmemCell& c) {
  return (!c.mn_major || 1u << c.element == 2) && (!c.off_pattern || c.swizzle != 0);
}

uint32_t repeat_of(uint32_t swizzle) {
  return spec::find_smem_swizzle(uint64_t{swizzle})->alignment;
}

/// Puts the start on or off the pattern without leaving the window: 16 bytes are free behind the matrix.
void set_start(MatrixInShared& m, bool off_pattern) {
  const uint32_t repeat = repeat_of(m.swizzle);
  if (!off_pattern) m.start -= m.start % repeat;
  if (off_pattern && m.start % repeat == 0) m.start += 16;
}

const std::vector<uint32_t>& smem_cells() {
  static const std::vector<uint32_t> cells = reachable_smem_cells();
  return cells;
}

/// Forms whose operand can lie in the cell.
std::vector<const WgmmaForm*> forms_for(const SmemCell& cell) {
  std::vector<const WgmmaForm*> found;
  for (const WgmmaForm& form : warp_forms<WgmmaForm>(false)) {
    if (element_bytes(form.types.a) != 1u << cell.element) continue;
    if (!cell.is_b && form.a_in_registers) continue;
    if ((cell.is_b ? form.transpose_b : form.transpose_a) == cell.mn_major) found.push_back(&form);
  }
  return found;
}

}  // namespace

SmemReads reads_of_a(const WgmmaCase& c) {
  return {64, element_bytes(c.types.a), c.transpose_a};
}
SmemReads reads_of_b(const WgmmaCase& c) {
  return {c.n, element_bytes(c.types.b), c.transpose_b, c.sparse.present ? 64u : 32u};
}

bool may_be_in_groups(const WgmmaCase& c) {
  return c.types == MmaTypes{} && c.n == 64 && !c.sparse.present && !c.known.present && !c.transpose_a &&
         !c.transpose_b && !c.negate_a && !c.negate_b && c.b.base_offset == 0 &&
         linear_end(c.b, reads_of_b(c)) <= c.window_bytes;
}

bool has_pending(const WgmmaCase& c) {
  if (c.in_groups) return c.pending < 8;
  return c.pending == 0 || (may_be_in_groups(c) && (c.pending <= WgmmaCase::most_added_alone ||
                                                    c.pending == WgmmaCase::added_in_group));
}

namespace {

/// Of every fourth block of indexes the second warpgroup multiplies.
void pick_warpgroup(const CaseId& id, WgmmaCase& c) {
  constexpr uint64_t block = 16;
  c.warpgroup = id.index / block % 4 == 3 ? 1 : 0;
}

/// All that a case of wgmma has beside its form and its metadata.
void draw_operands(int mix, Random& random, WgmmaCase& c) {
  c.scale_d = !random.one_in(16);
  c.a.swizzle = swizzles[random.below(4)];
  c.b.swizzle = swizzles[random.below(4)];
  if (!c.a_in_registers) {
    c.split = place_apart(c.a, reads_of_a(c), 0, random);
    c.a_ignored = some_ignored_bits(random);
  }
  c.window_bytes = place_apart(c.b, reads_of_b(c), c.split, random);
  c.b_ignored = some_ignored_bits(random);
  const bool is_32_bit = element_bytes(c.types.a) == 4;
  const Pairing pairing{!c.transpose_a, !c.transpose_b && !(is_32_bit && c.a_in_registers)};
  take(make_patterns(c.types, mix, pairing, random), c);
}

}  // namespace

void make_product(const CaseId& id, MmaGroup group, bool is_sparse, WgmmaCase& c) {
  Random random = id.random();
  c = {};
  const uint32_t cell = walk_of<WgmmaForm>(group, is_sparse).cell(id.index);
  set_form(warp_forms<WgmmaForm>(group, is_sparse)[cell / most_mixes], c);
  if (is_sparse) draw_metadata(random, group, c.sparse);
  draw_operands(static_cast<int>(cell % most_mixes), random, c);
  pick_warpgroup(id, c);
  if (may_be_in_groups(c)) {
    c.in_groups = random.one_in(2);
    if (c.in_groups) {
      c.pending = random.below(8);
    } else if (random.one_in(2)) {
      c.pending = random.between(1, WgmmaCase::most_added_alone + 1);
      if (c.pending > WgmmaCase::most_added_alone) c.pending = WgmmaCase::added_in_group;
    }
  }
}

void make_wgmma_groups(const CaseId& id, WgmmaCase& c) {
  Random random = id.random();
  do {
    c = {};
    c.n = 64;
    c.a_in_registers = random.one_in(2);
    draw_operands(static_cast<int>(random.below(most_mixes)), random, c);
  } while (!may_be_in_groups(c));
  pick_warpgroup(id, c);
  const auto wait = static_cast<uint32_t>((id.seed + id.index) % wgmma_waits);
  c.in_groups = wait < 8;
  c.pending = c.in_groups                               ? wait
              : wait - 7 <= WgmmaCase::most_added_alone ? wait - 7
                                                        : WgmmaCase::added_in_group;
}

uint32_t wgmma_wait_of(const WgmmaCase& c) {
  if (c.in_groups) return c.pending;
  return 7 + std::min(c.pending, WgmmaCase::most_added_alone + 1);
}

std::string wgmma_wait_name(uint32_t wait) {
  if (wait < 8) return "a first wait leaves " + std::to_string(wait) + " of eight groups";
  return "added to D behind " + (wait - 7 <= WgmmaCase::most_added_alone
                                     ? std::to_string(wait - 7) + " in groups of their own"
                                     : std::to_string(WgmmaCase::added_in_group) + " in one group");
}

void make_product(const CaseId& id, MmaGroup group, bool is_sparse, MmaSyncCase& c) {
  Random random = id.random();
  c = {};
  const Walk<MmaSyncForm>& walk = walk_of<MmaSyncForm>(group, is_sparse);
  const uint32_t cell = walk.cell(id.index);
  const MmaSyncForm& form = warp_forms<MmaSyncForm>(group, is_sparse)[cell / most_mixes];
  c.types = form.types, c.m = form.m, c.k = form.k;
  c.sparse.present = is_sparse, c.sparse.ordered = form.is_ordered, c.sparse.selector = form.selector;
  if (is_sparse) draw_metadata(random, group, c.sparse);
  c.tiles = has_few_tiles(walk.is_walking(id.index), id.index, random) ? random.between(1, 8) : 32;
  take(make_patterns(c.types, static_cast<int>(cell % most_mixes), {}, random), c);
}

void make_wgmma_descriptor(const CaseId& id, WgmmaCase& c) {
  Random random = id.random();
  c = {};
  const std::vector<uint32_t>& cells = smem_cells();
  const bool walks = id.index < cells.size();
  const SmemCell cell = smem_cell(walks ? cells[id.index * stride_of_walk % cells.size()]
                                        : cells[random.below(static_cast<uint32_t>(cells.size()))]);
  const std::vector<const WgmmaForm*> forms = forms_for(cell);
  set_form(*forms[random.below(static_cast<uint32_t>(forms.size()))], c);
  const uint64_t most = random.one_in(16) ? rig::max_operand_window_bytes : 32 * 1024;
  c.window_bytes = static_cast<uint32_t>(random.log_uniform(4096, most)) / 1024 * 1024;
  c.split = random.below(c.window_bytes / 16 + 1) * 16;
  c.a.swizzle = swizzles[random.below(4)];
  c.b.swizzle = swizzles[random.below(4)];
  (cell.is_b ? c.b : c.a).swizzle = swizzles[cell.swizzle];
  // The last 16 bytes are kept free for a start that moves off the pattern: as one more row that is not read.
  const auto place = [&](MatrixInShared& m, const SmemReads& reads, bool is_the_one) {
    if (random.one_in(8)) {
      make_canonical(m, reads);
      if (linear_end(m, reads) + 16 > c.window_bytes) m.leading_offset = m.stride_offset = 0;
    } else {
      place_anywhere(m, reads, 0, c.window_bytes - 16, random);
    }
    if (!is_the_one) return;
    m.base_offset = cell.base;
    set_start(m, cell.off_pattern);
  };
  if (!c.a_in_registers) {
    place(c.a, reads_of_a(c), !cell.is_b);
    c.a_ignored = some_ignored_bits(random);
  }
  place(c.b, reads_of_b(c), cell.is_b);
  c.b_ignored = some_ignored_bits(random);
  take(make_exact_patterns(c.types, random), c);
  pick_warpgroup(id, c);
}

std::vector<uint32_t> reachable_smem_cells() {
  std::vector<uint32_t> cells;
  for (uint32_t i = 0; i < smem_cell_count; ++i)
    if (is_reachable(smem_cell(i))) cells.push_back(i);
  return cells;
}

std::string smem_cell_name(uint32_t index) {
  const SmemCell c = smem_cell(index);
  constexpr std::array<std::string_view, 3> elements{"8 bit", "16 bit", "32 bit"};
  return std::string(c.is_b ? "B/" : "A/") + std::string(elements[c.element]) +
         (c.mn_major ? "/MN-major/" : "/K-major/") +
         std::string(spec::find_smem_swizzle(uint64_t{swizzles[c.swizzle]})->name) + "/base " +
         std::to_string(c.base) + (c.off_pattern ? "/off the pattern" : "/on the pattern");
}

void for_smem_cells(const WgmmaCase& c, const std::function<void(uint32_t)>& hit) {
  const uint32_t element = static_cast<uint32_t>(std::bit_width(element_bytes(c.types.a))) - 1;
  const auto cell_of = [&](const MatrixInShared& m, bool is_b, bool mn_major) {
    const auto at =
        static_cast<uint32_t>(std::find(swizzles.begin(), swizzles.end(), m.swizzle) - swizzles.begin());
    hit(index_of({is_b, element, mn_major, at, m.base_offset, m.start % repeat_of(m.swizzle) != 0}));
  };
  if (!c.a_in_registers) cell_of(c.a, false, c.transpose_a);
  cell_of(c.b, true, c.transpose_b);
}

bool fits_rig(const WgmmaCase& c) {
  const auto good = [&](const MatrixInShared& m, const SmemReads& reads) {
    const bool is_swizzle = std::find(swizzles.begin(), swizzles.end(), m.swizzle) != swizzles.end();
    return is_swizzle && m.base_offset < 8 && !m.leading_is_absolute && m.start % 16 == 0 &&
           m.leading_offset % 16 == 0 && m.stride_offset % 16 == 0 && m.leading_offset < 1u << 18 &&
           m.stride_offset < 1u << 18 && linear_end(m, reads) <= c.window_bytes;
  };
  if (c.warpgroup > 1 || !has_pending(c)) return false;
  return has_form(form_of(c)) && fits_rig(c.types, c.sparse) && !c.sparse.ordered &&
         (!c.in_groups || may_be_in_groups(c)) &&
         c.sparse.is_known == (c.sparse.present && c.known.present) && c.window_bytes % 1024 == 0 &&
         c.window_bytes <= rig::max_operand_window_bytes && c.split % 16 == 0 && c.split <= c.window_bytes &&
         good(c.b, reads_of_b(c)) && (c.a_in_registers || good(c.a, reads_of_a(c)));
}

bool fits_rig(const MmaSyncCase& c) {
  return c.tiles >= 1 && c.tiles <= 256 && has_form(form_of(c)) && fits_rig(c.types, c.sparse) &&
         c.sparse.is_known == (c.sparse.present && c.known.present);
}

}  // namespace assay::gen
