// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_cases.h"

#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"

namespace assay::gen {
namespace {

/// Now and then the mbarrier of a load lies far on in shared memory, as near to its end as not. By a stream
/// of its own: what is drawn behind stays as it was.
void place_barrier(Random random, TensorCopyCase& c) {
  if (!random.one_in(24)) return;
  const uint32_t room = (rig::max_window_bytes - c.window_bytes) / 8;
  if (room == 0) return;
  c.barrier_offset =
      c.window_bytes +
      8 * (random.one_in(2) ? random.below(room) : static_cast<uint32_t>(random.log_uniform(1, room)) - 1);
}

/// What case `index` is to be.
TiledWish drawn_wish(const CaseId& id, CopyDirection direction, Random& random) {
  const auto cells = shuffled_cells(id.arch, direction);
  TiledWish wish;
  wish.direction = direction;
  if (id.index < cells.size()) {
    wish.cell = tiled_cell(cells[id.index]);
    wish.twist = static_cast<Twist>(id.index % twist_count);
  } else {
    wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
    if (random.one_in(4 * rarity_at(id.index))) wish.twist = static_cast<Twist>(random.below(twist_count));
  }
  wish.tile_bytes = tile_bytes_wish(random, id.index);
  wish.rarity = rarity_at(id.index);
  return wish;
}

/// A case at a place of its own, of a map that its neighbours have too.
TiledWish make_tile_beside(const CaseId& first, uint64_t run, CopyDirection direction, Random& random,
                           TensorCopyCase& c) {
  struct Made {
    TiledWish wish;
    TensorCopyCase copy;
    TiledGeometry g;
  };
  thread_local SharedMap<Made> map;
  const Made& made = map.of(first, run, direction, [&](Random& of_all, Made& m) {
    m.wish = drawn_wish(first, direction, of_all);
    build_tiled(of_all, m.wish, m.copy, &m.g);
  });
  c = made.copy;
  if (!place_again(random, made.wish, made.g, c)) c = made.copy;
  return made.wish;
}

void make_copy(const CaseId& id, CopyDirection direction, TensorCopyCase& c) {
  const uint64_t run = run_stream(id.seed, id.property);
  const Random start(case_stream(run, id.index));
  Random random = start;
  const CaseId first = first_of_map(id);
  const bool walks = first.index < shuffled_cells(id.arch, direction).size();
  TiledWish wish;
  if (!walks && rarity_at(first.index) > 1) {
    wish = make_tile_beside(first, run, direction, random, c);
  } else {
    wish = drawn_wish(id, direction, random);
    build_tiled(random, wish, c);
  }
  draw_hint(random, c);
  // Where TILE-R52 takes half a box as a step, some take half a step.
  const bool half_steps = spec::row_of(id.arch).halves_b6_stores && direction == CopyDirection::store &&
                          wish.cell.type == spec::host_type::b6x16_p32;
  if (half_steps && wish.cell.edge == Edge::inside && c.coord[0] >= 128 && random.one_in(2)) c.coord[0] -= 64;
  if (direction == CopyDirection::load) {
    draw_prefetch(random, c);
    draw_destination(random, c);
    place_barrier(random, c);
  }
  place_issue(random, wish.rarity, c);
  c.spelling = drawn_spelling(start);
}

/// A small legal case of a random cell that satisfies `wanted`.
template <typename Wanted>
void make_small_tile(Random& random, spec::Arch arch, CopyDirection direction, Wanted wanted,
                     TensorCopyCase& c) {
  const auto cells = reachable_cells(arch, direction);
  TiledWish wish;
  wish.direction = direction;
  wish.tile_bytes = random.log_uniform(64, 1024);
  do wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (!wanted(wish.cell));
  build_tiled(random, wish, c);
}

bool plain_elements(const TiledCell& cell) {
  return cell.interleave == 0 && cell.type < spec::host_type::first_packed &&
         spec::data_types[cell.type].bits < 64 && cell.edge != Edge::far;
}

/// The CTAs that receive and the one that issues: any, and of every other index a corner of both, so that a
/// hundred cases have each pair of each cluster size.
void pick_receivers(Random& random, uint64_t index, uint64_t turn, TensorCopyCase& c) {
  const uint32_t all = (1u << c.cluster_size) - 1, last = c.cluster_size - 1;
  c.cta_mask = static_cast<uint16_t>(random.between(0, all));
  c.issuer_rank = static_cast<uint16_t>(random.below(c.cluster_size));
  if (index % 2 != 0) return;
  c.issuer_rank = static_cast<uint16_t>(turn / 3 % 2 == 0 ? 0 : last);
  const uint32_t own = 1u << c.issuer_rank;
  const uint32_t corners[] = {all, all & ~own, own, 0, 1u << last, all >> 1, 1, all & ~1u};
  c.cta_mask = static_cast<uint16_t>(corners[index / 2 % std::size(corners)]);
}

/// A multicast in a cluster of so many.
void make_tile_multicast(const CaseId& id, uint64_t turn, uint32_t cluster_size, TensorCopyCase& c) {
  Random random = id.random();
  const auto cells = reachable_cells(id.arch, CopyDirection::load);
  TiledWish wish;
  wish.cluster_size = cluster_size;
  wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  wish.tile_bytes = std::min<uint64_t>(tile_bytes_wish(random, id.index), 24 << 10);
  wish.rarity = rarity_at(id.index);
  build_tiled(random, wish, c);
  c.cluster_size = wish.cluster_size;
  pick_receivers(random, id.index, turn, c);
  draw_hint(random, c);
  draw_prefetch(random, c);
  place_barrier(random, c);
  place_issue(random, wish.rarity, c);
  draw_sole_receiver(random, id.index, c);
  c.spelling = drawn_spelling(id.random());
}

/// Which of `count` kinds the `turn`-th case of a rule is: any `count` turns in a row have each once, and
/// seeds begin at different ones, since a run has few cases that end a process.
uint32_t stratum(const CaseId& id, uint64_t turn, uint32_t count) {
  constexpr uint64_t step = 11;  // prime to all counts, so that neighbours differ in everything
  return static_cast<uint32_t>((id.seed % count + turn * step) % count);
}

auto of_rank(uint32_t rank) {
  return [rank](const TiledCell& cell) { return cell.rank == rank; };
}

struct RankAndDimension {
  uint32_t rank, dimension;
};
constexpr uint32_t rank_and_dimension_pairs = 15;
RankAndDimension rank_and_dimension(uint32_t pair) {
  uint32_t rank = 1;
  for (; pair >= rank; ++rank) pair -= rank;
  return {rank, pair};
}

/// That keep the operand inside its window and off every multiple of 128.
constexpr uint32_t misalignments[] = {1, 4, 8, 16, 32, 64, 96, 112};

void misalign_shared(uint32_t bytes, TensorCopyCase& c) {
  c.tile_offset += bytes;
  c.window_bytes = std::min(c.window_bytes + 128, rig::max_window_bytes);
  c.fill_offset = std::min<uint64_t>(c.fill_offset, rig::arena_bytes - c.window_bytes);
}

/// A start that is not on 16 bytes: one to (16 bytes - one element) further.
void misalign_start(Random& random, TensorCopyCase& c) {
  const uint32_t bytes = spec::data_types[c.map.data_type].bits / 8;
  c.coord[0] += static_cast<int32_t>(random.between(1, 16 / bytes - 1));
}

/// A start that the 16-byte aligned packed types do not allow: 16-byte groups are whole, steps of the box
/// not.
void misalign_packed_start(Random& random, spec::Arch arch, TensorCopyCase& c) {
  const bool store = c.direction == CopyDirection::store;
  const uint32_t step = store && spec::row_of(arch).halves_b6_stores ? 64 : 128;  // TILE-R52
  c.coord[0] += static_cast<int32_t>(16 * random.between(1, step / 16 - 1));
}

/// b4x16_p64 is for loads alone (TILE-R54).
void make_store_of_load_only_type(Random& random, spec::Arch arch, TensorCopyCase& c) {
  const auto cells = reachable_cells(arch, CopyDirection::load);
  TiledWish wish;
  wish.tile_bytes = random.log_uniform(64, 1024);
  wish.direction = CopyDirection::store;
  do wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (wish.cell.type != spec::host_type::b4x16_p64 || wish.cell.edge != Edge::inside);
  build_tiled(random, wish, c);
}

/// Shared memory off 128 bytes, at each rank.
void make_misaligned_shared(const CaseId& id, uint64_t turn, Random& random, CopyDirection direction,
                            TensorCopyCase& c) {
  const uint32_t kind = stratum(id, turn, 40);
  make_small_tile(random, id.arch, direction, of_rank(1 + kind % 5), c);
  misalign_shared(misalignments[kind % 8], c);
}

void make_misaligned_start(const CaseId& id, uint64_t turn, Random& random, CopyDirection direction,
                           TensorCopyCase& c) {
  const uint32_t rank = 1 + stratum(id, turn, 5);
  make_small_tile(
      random, id.arch, direction,
      [rank](const TiledCell& cell) { return cell.rank == rank && plain_elements(cell); }, c);
  misalign_start(random, c);
}

/// Every rank of a map with every other rank of an instruction.
void make_mismatched_rank(const CaseId& id, uint64_t turn, Random& random, CopyDirection direction,
                          TensorCopyCase& c) {
  const uint32_t kind = stratum(id, turn, 20);
  make_small_tile(random, id.arch, direction, of_rank(1 + kind % 5), c);
  c.instruction_rank = 1 + (c.map.rank - 1 + 1 + kind % 4) % 5;
}

/// Every dimension of every rank with every kind of extent.
void make_exceeded_dimension(const CaseId& id, uint64_t turn, Random& random, CopyDirection direction,
                             TensorCopyCase& c) {
  const uint32_t kind = stratum(id, turn, 4 * rank_and_dimension_pairs);
  const RankAndDimension at = rank_and_dimension(kind % rank_and_dimension_pairs);
  make_small_tile(random, id.arch, direction, of_rank(at.rank), c);
  const uint64_t half = uint64_t{1} << 31;
  const uint64_t extents[] = {half + 1, half + 128, half + random.below64(half) + 1, 2 * half};
  uint64_t extent = extents[kind % 4];
  if (at.dimension == 0 && c.map.data_type >= spec::host_type::first_packed)
    extent = half + 128;  // whole groups of packed elements
  c.map.global_dim[at.dimension] = extent;
}

/// In every dimension of every rank.
void make_negative_start(const CaseId& id, uint64_t turn, Random& random, TensorCopyCase& c) {
  const RankAndDimension at = rank_and_dimension(stratum(id, turn, rank_and_dimension_pairs));
  make_small_tile(random, id.arch, CopyDirection::store, of_rank(at.rank), c);
  const auto quantum = static_cast<int32_t>(
      at.dimension == 0 ? coordinate_quantum(spec::data_types[c.map.data_type], c.map.interleave) : 1);
  c.coord[at.dimension] = -quantum * static_cast<int32_t>(random.log_uniform(1, 64));
}

}  // namespace

void make_tiled_load(const CaseId& id, TensorCopyCase& c) {
  make_copy(id, CopyDirection::load, c);
}

void make_tiled_store(const CaseId& id, TensorCopyCase& c) {
  make_copy(id, CopyDirection::store, c);
}

void make_tiled_load_multicast(const CaseId& id, TensorCopyCase& c) {
  // In turns long enough for a batch, short enough for a run of a hundred cases to have them all.
  const uint64_t turn = id.index < 768 ? id.index / 16 : id.index / 256;
  make_tile_multicast(id, turn, 2u << (turn % 3), c);
}

void make_tiled_load_non_portable(const CaseId& id, TensorCopyCase& c) {
  make_tile_multicast(id, id.index / 16, 16, c);
}

void make_tiled_load_cta_group(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const auto cells = reachable_cells(id.arch, CopyDirection::load);
  TiledWish wish;
  const uint64_t turn = id.index / 16;
  wish.cluster_size = 2u << (turn % 3);
  do wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (spec::swizzles[wish.cell.swizzle].is_96B);  // set by the kernels of plain copies alone
  wish.tile_bytes = std::min<uint64_t>(tile_bytes_wish(random, id.index), 8192);
  wish.rarity = rarity_at(id.index);
  build_tiled(random, wish, c);
  c.cluster_size = wish.cluster_size;
  pick_receivers(random, id.index, turn, c);
  draw_cta_group(id, random, c);
  place_barrier(random, c);
  place_issue(random, wish.rarity, c);
  c.spelling = drawn_spelling(id.random());
}

void make_tiled_load_transaction(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const uint64_t kind = id.index % 8;
  if (kind == 0 || kind == 2) {
    // Armed with the bytes in bounds, the count that a reader of the documents might expect.
    make_small_tile(
        random, id.arch, CopyDirection::load,
        [](const TiledCell& cell) {
          return cell.edge == Edge::lower || cell.edge == Edge::upper || cell.edge == Edge::both;
        },
        c);
    const TiledGeometry g = geometry(c.map, c.coord);
    uint64_t inside = g.any_inside ? 1 : 0, all = 1;
    for (uint32_t i = 0; i < c.map.rank && g.any_inside; ++i) {
      inside *= static_cast<uint64_t>((g.high_in[i] - g.low_in[i]) / g.step[i]) + 1;
      all *= g.count[i];
    }
    c.transaction_delta = -static_cast<int32_t>(g.transaction_bytes - g.transaction_bytes * inside / all);
    return;
  }
  make_small_tile(
      random, id.arch, CopyDirection::load, [](const TiledCell&) { return true; }, c);
  if (kind == 1) c.transaction_delta = 16;
  if (kind == 3) c.transaction_delta = static_cast<int32_t>(random.between(1, 4096));
  // All others: exact, a phase that completes, and an empty one that does too.
}

void make_tiled_load_fault(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const uint64_t turn = id.index / 4;
  switch (id.index % 4) {
    case 0:
      if (turn % 4 != 3) {
        // Without a swizzle, on 16 bytes: what TMA-AMB-16 is about. Every case costs a process, and the first
        // sixteen must decide the question.
        const uint32_t kind = stratum(id, turn - turn / 4, 35);
        make_small_tile(
            random, id.arch, CopyDirection::load,
            [kind](const TiledCell& cell) { return cell.swizzle == 0 && cell.rank == 1 + kind % 5; }, c);
        misalign_shared(16 * (1 + kind % 7), c);
        break;
      }
      make_misaligned_shared(id, turn / 4, random, CopyDirection::load, c);
      break;
    case 1:
      if (spec::has_tcgen05(id.arch) && turn % 6 == 5) {
        make_small_tile(
            random, id.arch, CopyDirection::load,
            [](const TiledCell& cell) {
              return cell.type >= spec::host_type::first_padded && cell.edge != Edge::far;
            },
            c);
        misalign_packed_start(random, id.arch, c);
        break;
      }
      if (spec::has_tcgen05(id.arch) && turn % 2 == 1) {  // b4x16: even, but not on 16 bytes
        make_small_tile(
            random, id.arch, CopyDirection::load,
            [](const TiledCell& cell) {
              return cell.type == spec::host_type::b4x16 && cell.edge != Edge::far;
            },
            c);
        c.coord[0] += 2 * static_cast<int32_t>(random.between(1, 15));
        break;
      }
      make_misaligned_start(id, turn, random, CopyDirection::load, c);
      c.prefetch_alone = turn % 3 == 2;
      break;
    case 2:
      make_mismatched_rank(id, turn, random, CopyDirection::load, c);
      c.prefetch_alone = turn % 3 == 2;
      break;
    default:
      make_exceeded_dimension(id, turn, random, CopyDirection::load, c);
  }
}

void make_tiled_store_fault(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const uint64_t turn = id.index / 5;
  // Where newer architectures have a rule of their own in every fourth turn, the others go on without a gap.
  const uint64_t common = !spec::has_tcgen05(id.arch) ? turn : turn - turn / 4;
  switch (id.index % 5) {
    case 0:
      make_misaligned_shared(id, turn, random, CopyDirection::store, c);
      break;
    case 1:
      if (spec::has_tcgen05(id.arch) && turn % 4 == 3) {
        make_small_tile(
            random, id.arch, CopyDirection::store,
            [](const TiledCell& cell) {
              return cell.type == spec::host_type::b6x16_p32 && cell.edge != Edge::far;
            },
            c);
        misalign_packed_start(random, id.arch, c);
        break;
      }
      make_misaligned_start(id, common, random, CopyDirection::store, c);
      break;
    case 2:
      make_mismatched_rank(id, turn, random, CopyDirection::store, c);
      break;
    case 3:
      if (spec::has_tcgen05(id.arch) && turn % 4 == 3) {
        make_store_of_load_only_type(random, id.arch, c);
        break;
      }
      make_exceeded_dimension(id, common, random, CopyDirection::store, c);
      break;
    default:
      make_negative_start(id, turn, random, c);
  }
}

}  // namespace assay::gen
