// SPDX-License-Identifier: Apache-2.0
// Whole tiled copies: the reference model against the emulated driver's encoder and TMA engine. Input:
// fuzz/case_bytes.h.
#include <algorithm>

#include "fuzz/case_bytes.h"
#include "fuzz/target.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "kernels/params/tensor_copy.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"

namespace assay::fuzz {
namespace {

using Input = CaseInput<TensorCopyCase>;
using model::End;

bool is_legal_map(const Input& input) {
  return model::broken_map_rules(input.what.map, spec::Readings(input.arch)).none();
}

template <typename Change>
void each_qualifier(TensorCopyCase& c, const Change& change) {
  visit_fields(c, [&](const model::fields::Field& field, auto& value) {
    if constexpr (std::is_same_v<decltype(value), bool&>)
      for (const params::NamedFlag& row : params::copy_qualifiers)
        if (row.field == field.name) change(value);
  });
}

/// What the rig cannot run is brought into its range.
Input input_of(std::span<const uint8_t> bytes) {
  Input input = read_tiled_case(bytes);
  TensorCopyCase& c = input.what;
  const auto sixteens = [](auto value, uint64_t limit) {
    return static_cast<decltype(value)>(std::min<uint64_t>(value, limit) & ~uint64_t{15});
  };
  c.window_bytes = sixteens(c.window_bytes, rig::max_window_bytes);
  c.slot_bytes = c.direction == CopyDirection::store ? sixteens(c.slot_bytes, rig::max_slot_bytes) : 0;
  c.fill_offset = sixteens(c.fill_offset, rig::arena_bytes - c.window_bytes);
  c.slot_fill_offset = sixteens(c.slot_fill_offset, rig::arena_bytes - c.slot_bytes);
  c.instruction_rank = 1 + (c.instruction_rank - 1) % 5;
  // One lane of one CTA, which is all that the engine is asked for.
  TensorCopyCase plain = of_lane(c, 0);
  plain.mode = CopyMode::tile;
  plain.cluster_size = 1, plain.cta_mask = 0, plain.issuer_rank = 0, plain.issuer_thread = 0;
  plain.cta_group = 0, plain.peer_barrier = plain.unicast = false;
  plain.prefetch_alone = plain.is_tile_instruction = false;
  plain.barrier_offset = plain.spelling = 0;
  plain.offset = {}, plain.w_halo = plain.w_offset = 0;
  static_cast<TensorMapArgs&>(plain.map = {}) = c.map;
  c = plain;
  c.reduction =
      c.direction == CopyDirection::load
          ? TensorReduction::none
          : static_cast<TensorReduction>(static_cast<uint32_t>(c.reduction) % tensor_reduction_names.size());
  if (c.direction == CopyDirection::store) {
    c.transaction_delta = 0;
    each_qualifier(c, [](bool& qualifier) { qualifier = false; });
  }
  // The 96-byte swizzle is set by an instruction that the others lack.
  if (c.map.swizzle == swizzle_96B) input.arch = spec::arch_with_every_map;
  if (!spec::row_of(input.arch).is_encoder_known && !is_legal_map(input)) input.arch = spec::Arch::sm_100;
  return input;
}

std::string case_text(std::span<const uint8_t> bytes) {
  const TensorCopyCase c = input_of(bytes).what;
  return case_file_text(c.direction == CopyDirection::load     ? "tma.tiled.load"
                        : c.reduction == TensorReduction::none ? "tma.tiled.store"
                                                               : "tma.tiled.reduce",
                        c);
}

[[noreturn]] void wrong(const Input& input, std::string_view claim, const std::string& details) {
  found(claim,
        "on " + std::string(spec::name(input.arch)) + ": " + details + "\n" + case_text(to_bytes(input)));
}

bool fits(End want, const RecordEnd& got) {
  const auto faults = [&](int32_t code) { return got.ended == Ended::faulted && got.code == code; };
  switch (want) {
    case End::done:
      return got.ended == Ended::done;
    case End::rejected:
      return got.ended == Ended::rejected;
    case End::illegal_instruction:
      return faults(715);
    case End::misaligned_address:
      return faults(716);
    case End::illegal_address:
      return faults(700);
    case End::launch_failed:
      return faults(719);
    case End::never_completes:
      return got.ended == Ended::timed_out;
    case End::early_surplus:
      return got.ended == Ended::surplus || got.ended == Ended::timed_out;
    case End::undefined:
      return true;
  }
  return false;
}

void check(const Input& input) {
  const TensorCopyCase& c = input.what;
  const spec::Readings readings(input.arch);
  const bool store = c.direction == CopyDirection::store, legal = is_legal_map(input);
  uint32_t armed = 0;
  if (legal) {
    // Illegal maps need no room: nothing is copied by them.
    if (!gen::fits_rig(c)) return;
    hit_cell(gen::index_of(gen::classify(c, gen::geometry(c.map, c.coord))));
    if (!store) {
      spec::RuleSet rules;
      const int64_t bytes =
          int64_t{model::transaction_bytes(c, model::shape_of(c, readings, rules), readings)} +
          c.transaction_delta;
      armed = static_cast<uint32_t>(std::clamp<int64_t>(bytes, 0, (1 << 20) - 1));
    }
    ++counts().past_parser;
  }
  const auto part = [&](uint64_t offset, uint32_t bytes) {
    const auto from = arena().subspan(offset, bytes);
    return std::vector<std::byte>(from.begin(), from.end());
  };
  std::vector<std::byte> want =
      store ? part(c.slot_fill_offset, c.slot_bytes) : part(c.fill_offset, c.window_bytes);
  std::vector<std::byte> defined(want.size());
  const model::CopyPrediction prediction =
      store ? model::predict_store(c, readings, arena().subspan(c.fill_offset, c.window_bytes), want, defined)
            : model::predict_load(c, readings, arena(), want, defined);

  emulator::Settings settings;
  settings.target = static_cast<emulator::Target>(input.arch);
  const CopyOutcome outcome = run_on_engine(c, settings, armed);
  if (!fits(prediction.end, outcome.end))
    wrong(input, "a tiled copy ends as the reference predicts",
          "expected end " + std::to_string(static_cast<int>(prediction.end)) + ", got " +
              std::to_string(static_cast<int>(outcome.end.ended)) + " code " +
              std::to_string(outcome.end.code));
  if (prediction.end != End::done) return;
  for (size_t i = 0; i < want.size(); ++i) {
    const std::byte mask = prediction.all_defined ? std::byte{0xff} : defined[i];
    if (((want[i] ^ outcome.output[i]) & mask) != std::byte{0})
      wrong(input, "a tiled copy writes the bytes that the reference predicts", "byte " + std::to_string(i));
  }
}

std::vector<Bytes> simpler(std::span<const uint8_t> bytes) {
  const Input input = input_of(bytes);
  std::vector<Bytes> made;
  if (!is_legal_map(input)) return made;
  for (const TensorCopyCase& one : gen::simpler(input.what)) made.push_back(to_bytes(Input{input.arch, one}));
  return made;
}

const RegisteredHooks registered({.simpler = simpler, .case_file = case_text});

/// After a change: room for the tile, and the tensor in its memory, where a legal case can have it.
void refit(Input& input, gen::Random& random) {
  if (!is_legal_map(input)) return;
  TensorCopyCase& c = input.what;
  if (!random.one_in(16)) c.instruction_rank = c.map.rank;
  c.tile_offset = std::max(c.tile_offset % (16 * 1024), gen::guard_bytes);
  if (!random.one_in(16)) c.tile_offset &= ~uint32_t{127};
  const gen::TiledGeometry g = gen::geometry(c.map, c.coord);
  const uint64_t window = gen::smallest_window(c, g);
  if (window <= rig::max_window_bytes) c.window_bytes = static_cast<uint32_t>(window);
  const uint64_t granule = gen::address_granule(c.map);
  if (c.direction == CopyDirection::load) {
    if (g.touched_end < rig::arena_bytes)
      c.map.global_address %= rig::arena_bytes - g.touched_end,
          c.map.global_address -= c.map.global_address % granule;
  } else {
    c.map.global_address =
        std::max<uint64_t>(c.map.global_address % 4096 / granule * granule, gen::guard_bytes);
    const uint64_t slot = gen::smallest_slot(c, g);
    if (slot <= rig::max_slot_bytes) c.slot_bytes = static_cast<uint32_t>(slot + 15) & ~15u;
  }
}

void mutate(Input& input, gen::Random& random) {
  TensorCopyCase& c = input.what;
  switch (random.below(25)) {
    case 24: {
      const gen::CaseId id{random.next(), "fuzz", random.below(1u << 20), input.arch};
      random.one_in(4) ? gen::make_tiled_reduce_conflict(id, c) : gen::make_tiled_reduce(id, c);
      return;
    }
    case 0:
      input.arch = static_cast<spec::Arch>(random.below(spec::arch_count));
      break;
    case 1:
    case 2: {
      const gen::CaseId id{random.next(), "fuzz", random.below(1u << 20), input.arch};
      random.one_in(2) ? gen::make_tiled_load(id, c) : gen::make_tiled_store(id, c);
      return;
    }
    case 3: {
      const gen::CaseId id{random.next(), "fuzz", random.below(1u << 20), input.arch};
      random.one_in(2) ? gen::make_tiled_load_fault(id, c) : gen::make_tiled_store_fault(id, c);
      return;
    }
    case 4:
      c.direction = c.direction == CopyDirection::load ? CopyDirection::store : CopyDirection::load;
      break;
    case 5:
    case 6:
    case 7: {  // near an end of its dimension
      const uint32_t i = random.below(5);
      const uint64_t end = random.one_in(2) ? 0 : c.map.global_dim[i];
      c.coord[i] = static_cast<int32_t>(end + (random.below(33) - 16) * (random.one_in(2) ? 1 : 16));
      break;
    }
    case 8:
      c.coord[random.below(5)] = static_cast<int32_t>(random.next() >> (32 + random.below(32)));
      break;
    case 9:
      c.tile_offset += 128 * random.below(16) + (random.one_in(8) ? 16 : 0);
      break;
    case 10:
      c.transaction_delta = random.one_in(2) ? 0 : static_cast<int32_t>(random.below(8) * 16) - 64;
      break;
    case 11:
      each_qualifier(c, [&](bool& qualifier) { qualifier ^= random.one_in(2); });
      break;
    case 12:
      c.fill_offset = random.below64(rig::arena_bytes);
      break;
    default:
      mutate_map(static_cast<TensorMapArgs&>(c.map), random);
  }
  refit(input, random);
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check(assay::fuzz::input_of({data, size}));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace assay;
  gen::Random random(seed);
  fuzz::Input input = fuzz::input_of({data, size});
  fuzz::mutate(input, random);
  return fuzz::put_bytes(fuzz::to_bytes(input), data, size, max_size);
}
