// SPDX-License-Identifier: Apache-2.0
// Any 128 bytes as a tensor map, given to the emulated TMA engine with any coordinates and shared address: a
// fault or a plan that stays in its bounds and does not depend on bits that the hardware does not read; then
// the copy on checked memory. Input: the map, how it is used (use_bytes).
#include <algorithm>
#include <cstring>

#include "devices/emulator/tma/engine.h"
#include "fuzz/target.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::fuzz {
namespace {

using namespace emulator;

constexpr size_t map_bytes = 128;
/// Global memory is one block at this address, shared memory the whole window of a CTA.
constexpr uint64_t global_begin = 0x10000000;
constexpr size_t global_bytes = 1 << 20, shared_bytes = 228 * 1024;

/// How the map is used, as bytes behind it: target, kind and mode, rank less one, shared address (3 bytes),
/// coordinates, im2col offsets.
constexpr size_t offsets_at = 6 + 20, use_bytes = offsets_at + 6, whole_bytes = map_bytes + use_bytes;
constexpr uint8_t kinds = 3, modes = 6;

TensorCopyRequest request_of(const uint8_t* data, size_t size) {
  TensorCopyRequest request{};
  std::array<uint8_t, whole_bytes> all{};
  std::copy(data, data + std::min(size, whole_bytes), all.begin());
  std::memcpy(request.map.data(), all.data(), map_bytes);
  const uint8_t* use = all.data() + map_bytes;
  request.target = static_cast<Target>(use[0] % 3);
  request.kind = static_cast<TensorCopyKind>(use[1] % kinds);
  request.mode = static_cast<TensorCopyMode>(use[1] / kinds % modes);
  request.rank = 1 + use[2] % 5;
  // As the front end lets instructions through.
  if (request.mode == TensorCopyMode::im2col || is_wide(request.mode))
    request.rank = std::max(3, request.rank);
  if (is_of_four_rows(request.mode)) request.rank = 2;
  if (is_wide(request.mode) || is_of_four_rows(request.mode)) {
    if (request.target == Target::sm_90) request.target = Target::sm_100;
    const bool stores = request.mode == TensorCopyMode::scatter4;
    if (stores || request.kind == TensorCopyKind::store)
      request.kind = stores ? TensorCopyKind::store : TensorCopyKind::load;
  }
  request.shared_address = static_cast<uint32_t>(read_word(use, use_bytes, 3, 3));
  for (size_t i = 0; i < 5; ++i)
    request.coord[i] = static_cast<int32_t>(read_word(use, use_bytes, 4, 6 + 4 * i));
  for (size_t k = 0; k < 3; ++k)
    request.offset[k] = static_cast<uint16_t>(read_word(use, use_bytes, 2, offsets_at + 2 * k));
  return request;
}

/// Memory that hands out only what the plan names.
class Checked final : public CopyMemory {
 public:
  explicit Checked(const TensorCopyPlan& plan) {
    for (const TensorCopyPiece& piece : plan.pieces) {
      first_ = std::min<uint64_t>(first_, piece.shared_address);
      last_ = std::max(last_, uint64_t{piece.shared_address} + piece.bytes);
    }
  }
  std::byte* global(uint64_t address, size_t bytes) override {
    static std::vector<std::byte> block(global_bytes, std::byte{0x5a});
    if (address < global_begin || address - global_begin > global_bytes ||
        bytes > global_bytes - (address - global_begin))
      return nullptr;
    return block.data() + (address - global_begin);
  }
  std::byte* shared_for_write(uint32_t address, size_t bytes) override { return shared(address, bytes); }
  const std::byte* shared_for_read(uint32_t address, size_t bytes) override { return shared(address, bytes); }

 private:
  std::byte* shared(uint32_t address, size_t bytes) {
    static std::vector<std::byte> window(shared_bytes, std::byte{0xa5});
    require(address >= first_ && uint64_t{address} + bytes <= last_,
            "a copy touches the shared memory that its plan names");
    if (address > shared_bytes || bytes > shared_bytes - address) return nullptr;
    return window.data() + address;
  }
  uint64_t first_ = ~uint64_t{0}, last_ = 0;
};

/// Shared memory, by what the pieces say.
void check_pieces(const TensorCopyPlan& plan, const TensorCopyRequest& request) {
  uint64_t total = 0;
  std::vector<std::pair<uint32_t, uint32_t>> places;
  for (const TensorCopyPiece& piece : plan.pieces) {
    require(piece.bytes != 0, "a piece has bytes");
    // Swizzles move bytes inside the 1 KiB in which they repeat.
    require(piece.shared_address >= (request.shared_address & ~1023u) &&
                uint64_t{piece.shared_address} + piece.bytes <= uint64_t{request.shared_address} + 229 * 1024,
            "a piece lies where the box lies in shared memory");
    require(!piece.is_fill || request.kind == TensorCopyKind::load, "only a load fills");
    total += piece.bytes;
    places.emplace_back(piece.shared_address, piece.bytes);
  }
  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i)
    require(places[i - 1].first + places[i - 1].second <= places[i].first,
            "no two pieces share a byte of shared memory");
  if (request.kind != TensorCopyKind::load) {
    require(plan.transaction_bytes == 0, "only a load signals bytes");
  } else {
    require(plan.transaction_bytes == total, "the transaction count is the bytes of the box that land");
  }
}

bool same(const TensorCopyPlan& a, const TensorCopyPlan& b) {
  if (a.fault.has_value() != b.fault.has_value()) return false;
  if (a.fault) return a.fault->kind == b.fault->kind && a.fault->message == b.fault->message;
  return a.transaction_bytes == b.transaction_bytes && a.base_address == b.base_address && a.fill == b.fill &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(),
                    [](const TensorCopyPiece& x, const TensorCopyPiece& y) {
                      return x.global_address == y.global_address && x.shared_address == y.shared_address &&
                             x.bytes == y.bytes && x.is_fill == y.is_fill;
                    });
}

/// The fields that the map's own bits say it has.
std::span<const spec::Field> fields_of(std::span<const std::byte> map) {
  if (spec::get_raw(map, spec::tensor_map::mode) == 0) return spec::tensor_map::tiled_fields;
  if (spec::get_raw(map, spec::tensor_map::wide) != 0) return spec::tensor_map::im2col_fields_of(3);
  return spec::tensor_map::im2col_fields_of(
      static_cast<int>(std::clamp<uint64_t>(spec::get(map, spec::tensor_map::rank), 3, 5)));
}

/// The map with every bit that the hardware ignores or never reads turned over.
TensorMapBytes other_unread_bits(TensorMapBytes map, Target target) {
  const uint64_t wide = spec::get_raw(map, spec::tensor_map::wide),
                 wide_128 = spec::get_raw(map, spec::tensor_map::wide_128);
  const bool reads_wide = target != Target::sm_90 && spec::get_raw(map, spec::tensor_map::mode) != 0;
  for (const spec::Field& field : fields_of(map))
    if (field.hardware != spec::HardwareUse::reads)
      spec::put_raw(map, field, ~spec::get_raw(map, field) & spec::low_bits(field.width()));
  if (reads_wide) {
    spec::put_raw(map, spec::tensor_map::wide, wide);
    spec::put_raw(map, spec::tensor_map::wide_128, wide_128);
  }
  return map;
}

void cover(const TensorCopyRequest& request, const TensorCopyPlan& plan) {
  namespace map = spec::tensor_map;
  const auto raw = [&](const spec::Field& field) {
    return static_cast<uint32_t>(spec::get_raw(request.map, field));
  };
  if (plan.fault) {
    // The rule that refused it stands in brackets at the end.
    uint32_t rule = 0;
    for (size_t i = plan.fault->message.rfind('('); i < plan.fault->message.size(); ++i)
      rule = rule * 31 + static_cast<uint8_t>(plan.fault->message[i]);
    hit_cell(rule % 1024 * 3 + static_cast<uint32_t>(request.target));
    return;
  }
  const uint32_t swizzle = raw(map::swizzle_96B) ? 7 : raw(map::swizzle_width) ? raw(map::swizzle_width) : 0;
  const uint32_t first = 4096 + static_cast<uint32_t>(request.mode) * 16 * 5 * 3 * 8 * 9;
  hit_cell(first +
           (((raw(map::type) * 5 + static_cast<uint32_t>(request.rank) - 1) * 3 + raw(map::interleave)) * 8 +
            swizzle) *
               9 +
           static_cast<uint32_t>(request.target) * 3 + static_cast<uint32_t>(request.kind));
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  ++fuzz::counts().inputs;
  emulator::TensorCopyRequest request = fuzz::request_of(data, size);
  emulator::Settings settings;
  settings.target = request.target;
  const emulator::TensorCopyPlan plan = emulator::plan_tensor_copy(request, settings);
  fuzz::cover(request, plan);
  if (!plan.fault) {
    ++fuzz::counts().past_parser;
    fuzz::check_pieces(plan, request);
  }
  request.map = fuzz::other_unread_bits(request.map, request.target);
  fuzz::require(fuzz::same(plan, emulator::plan_tensor_copy(request, settings)),
                "bits that the hardware does not read change nothing");
  if (plan.fault) return 0;
  fuzz::Checked memory(plan);
  emulator::apply_tensor_copy(plan, memory, settings);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace assay;
  if (max_size < fuzz::whole_bytes) return LLVMFuzzerMutate(data, size, max_size);
  if (size < fuzz::whole_bytes) std::fill(data + size, data + fuzz::whole_bytes, uint8_t{0});
  gen::Random random(seed);
  const std::span<std::byte> map(reinterpret_cast<std::byte*>(data), fuzz::map_bytes);
  uint8_t* use = data + fuzz::map_bytes;
  switch (random.below(16)) {
    case 0:
      use[random.below(3)] = static_cast<uint8_t>(random.next());
      break;
    case 1:  // a whole number of lines, or not
      fuzz::write_word(use + 3, 3, random.below(1792) * 128 + (random.one_in(4) ? random.below(128) : 0));
      break;
    case 2:
    case 3: {  // a coordinate near an end of its dimension
      const uint32_t i = random.below(5);
      const uint64_t dim = spec::get(map, spec::tensor_map::global_dim[i]);
      const uint64_t coord = random.one_in(4)   ? random.next() >> random.below(64)
                             : random.one_in(2) ? 0
                                                : dim;
      fuzz::write_word(use + 6 + 4 * i, 4, coord + random.below(64) - 32);
      break;
    }
    case 4:  // in the block of memory
      spec::put_raw(map, spec::tensor_map::global_address,
                    fuzz::global_begin + random.below(1 << 16) * 16ull);
      break;
    case 5:  // strides and extents that stay in it
      spec::put_raw(map, spec::tensor_map::global_stride[random.below(4)], random.below(1024));
      break;
    case 6:
      spec::put_raw(map, spec::tensor_map::global_dim[random.below(5)], random.below(300));
      break;
    case 7:  // the instruction has the map's rank and mode
      use[2] = static_cast<uint8_t>(spec::get_raw(map, spec::tensor_map::rank));
      use[1] = static_cast<uint8_t>(use[1] % fuzz::kinds +
                                    fuzz::kinds * spec::get_raw(map, spec::tensor_map::mode));
      break;
    case 10: {  // a map of the wide encoder and an instruction along W, or four rows of a plain one
      const bool wide = random.one_in(2), of_128 = random.one_in(2);
      spec::put_raw(map, spec::tensor_map::mode, wide ? 1 : 0);
      spec::put_raw(map, spec::tensor_map::wide, wide ? 1 : 0);
      spec::put_raw(map, spec::tensor_map::wide_128, wide && of_128 ? 1 : 0);
      if (!wide)
        spec::put_raw(map, spec::tensor_map::rank, 1), spec::put_raw(map, spec::tensor_map::box_dim[1], 0);
      use[1] =
          static_cast<uint8_t>(random.below(fuzz::kinds) + fuzz::kinds * ((wide ? 2 : 4) + (of_128 ? 1 : 0)));
      use[2] = static_cast<uint8_t>(spec::get_raw(map, spec::tensor_map::rank));
      break;
    }
    case 8:
      fuzz::write_word(use + fuzz::offsets_at + 2 * random.below(3), 2,
                       random.one_in(2) ? random.below(8) : random.next());
      break;
    case 9: {  // a start in the pixel box, which is mostly there at the tensor's own start
      const uint32_t i = random.below(5);
      fuzz::write_word(use + 6 + 4 * i, 4, random.below(4));
      break;
    }
    default:
      fuzz::mutate_fields(map, fuzz::fields_of(map), random);
  }
  return fuzz::whole_bytes;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  using namespace assay;
  if (max_size < fuzz::whole_bytes || one_size < fuzz::whole_bytes || other_size < fuzz::whole_bytes)
    return 0;
  gen::Random random(seed);
  std::copy(one, one + fuzz::whole_bytes, out);
  const std::span<std::byte> map(reinterpret_cast<std::byte*>(out), fuzz::map_bytes);
  const std::span<const std::byte> from(reinterpret_cast<const std::byte*>(other), fuzz::map_bytes);
  for (const spec::Field& field : fuzz::fields_of(from))
    if (random.one_in(2)) spec::put_raw(map, field, spec::get_raw(from, field));
  for (size_t i = fuzz::map_bytes; i < fuzz::whole_bytes; ++i)
    if (random.one_in(4)) out[i] = other[i];
  return fuzz::whole_bytes;
}
