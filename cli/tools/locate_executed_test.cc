// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cli/tools/locate.h"
#include "devices/device.h"
#include "reference/model/mma/case.h"
#include "reference/spec/tensor_map.h"
#include "suites/mma/coverage.h"
#include "suites/run/family.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"

/// What `assay locate` says of tiles against where the emulated TMA puts them, which was written apart.
namespace assay::cli {
namespace {

struct Tile {
  TensorCopyCase copy;
  LocateQuestion question;
};

/// A load of a whole box out of a tensor of just that size, from the first multiple of 256 on.
Tile random_tile(std::mt19937_64& random) {
  const auto below = [&](uint64_t n) { return random() % n; };
  Tile tile;
  TensorCopyCase& copy = tile.copy;
  LocateQuestion& question = tile.question;
  const spec::DataType* type;
  do type = &spec::data_types[below(spec::data_types.size())];
  while (type->tf32 || type->name == "f32.ftz");  // those are converted
  const spec::Swizzle* swizzle;
  do swizzle = &spec::swizzles[below(7)];
  while (type->is_padded() && (swizzle->span_bytes == 32 || swizzle->span_bytes == 64 ||
                               (swizzle->span_bytes != 0 && swizzle->atom_bytes != 16)));
  const uint32_t widest = swizzle->span_bytes == 0 ? 256 : swizzle->span_bytes;
  const auto pieces = static_cast<uint32_t>(1 + below(widest / 16));
  const uint32_t width =
      type->is_padded() ? 128 : std::min<uint32_t>(pieces * 128 / type->bits, spec::max_box_dim);
  const auto rows = static_cast<uint32_t>(1 + below(40)), planes = static_cast<uint32_t>(1 + below(3));
  copy.map.data_type = type->host;
  copy.map.swizzle = swizzle->host;
  copy.map.rank = copy.instruction_rank = 3;
  copy.map.global_dim = {width, rows, planes};
  copy.map.box_dim = {width, rows, planes};
  copy.map.element_stride = {1, 1, 1};
  copy.map.global_address = 256;
  copy.map.global_stride = {512, 512 * 40};
  copy.tile_offset = static_cast<uint32_t>(128 * below(8));
  copy.window_bytes = 64 * 1024;
  question.type = type->name;
  question.swizzle = swizzle->name;
  question.box = std::to_string(width) + "," + std::to_string(rows) + "," + std::to_string(planes);
  question.address = copy.tile_offset;
  return tile;
}

/// `count` bits from bit `at` on.
uint64_t bits_at(std::span<const std::byte> bytes, uint64_t at, uint32_t count) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < count; ++i)
    value |= static_cast<uint64_t>(std::to_integer<unsigned>(bytes[(at + i) / 8]) >> (at + i) % 8 & 1) << i;
  return value;
}

TEST(LocateExecuted, TilesLieWhereTheEmulatedTmaPutsThem) {
  DeviceLimits limits;
  limits.batches = 1;
  limits.output_bytes = 64 * 64 * 1024;
  const auto device = open_device("emulator:sm_100a", limits);
  const suites::Family& family = suites::tiled_copy_family();
  std::mt19937_64 random(5);
  std::vector<Tile> tiles(60);
  for (Tile& tile : tiles) tile = random_tile(random);
  Batch& batch = device->acquire();
  batch.family = family.name();
  batch.count = static_cast<uint32_t>(tiles.size());
  std::vector<uint64_t> outputs;
  for (size_t i = 0; i < tiles.size(); ++i) {
    outputs.push_back(i * tiles[i].copy.window_bytes);
    family.write_record(suites::Case(tiles[i].copy), outputs[i], spec::Readings(spec::Arch::sm_100),
                        batch.records.data() + i * family.record_bytes());
  }
  device->submit(batch);
  device->wait(batch);
  const std::span<const std::byte> arena = suites::arena();
  int compared = 0;
  for (size_t i = 0; i < tiles.size(); ++i) {
    Tile& tile = tiles[i];
    ASSERT_EQ(batch.ends[i].ended, assay::Ended::done) << tile.question.type << tile.question.swizzle;
    const auto window = batch.output.subspan(outputs[i], tile.copy.window_bytes);
    const spec::DataType& type = spec::data_types[tile.copy.map.data_type];
    const auto& dim = tile.copy.map.global_dim;
    for (int sample = 0; sample < 60; ++sample, ++compared) {
      const uint64_t plane = random() % dim[2], row = random() % dim[1], element = random() % dim[0];
      tile.question.row = plane * dim[1] + row;
      tile.question.column = element;
      const nlohmann::json place = locate_in_tile(tile.question).members.at("places").at(0);
      const uint64_t from = 8 * (256 + plane * 512 * 40 + row * 512) + element * type.bits;
      const uint64_t to = 8 * place.at("byte").get<uint64_t>() + place.at("bit").get<uint64_t>();
      EXPECT_EQ(bits_at(window, to, type.bits), bits_at(arena, from, type.bits))
          << type.name << " " << tile.question.swizzle << " box " << tile.question.box << " at "
          << tile.question.address << ": " << tile.question.row << "," << element;
    }
  }
  device->release(batch);
  EXPECT_EQ(compared, 3600);
}

// What `assay locate` says of accumulators against the cells of tensor memory that the emulated tensor core
// writes.

constexpr uint32_t lanes = 128;

/// Whether the cells that change with B are those of D, all of them and nothing else.
bool shows_d(const Tcgen05MmaCase& c) {
  const bool is_altered = (c.idesc_flip | c.a_flip | c.b_flip | c.mask_flip) != 0 || c.max_shift != 0 ||
                          c.has_disabled_lanes || c.has_mask || c.ashift || c.second_column != 0;
  return !is_altered && !b_lies_first(c) && c.n <= 64 && c.d_type == 1;
}

/// The cells of each CTA, as many as a case has.
std::vector<std::vector<std::byte>> run(Device& device, const std::vector<Tcgen05MmaCase>& cases) {
  const suites::Family& family = suites::tcgen05_mma_family();
  Batch& batch = device.acquire();
  batch.family = family.name();
  batch.count = static_cast<uint32_t>(cases.size());
  std::vector<uint64_t> begins{0};
  for (size_t i = 0; i < cases.size(); ++i) {
    const suites::Case any(cases[i]);
    family.write_record(any, begins.back(), spec::Readings(spec::Arch::sm_100),
                        batch.records.data() + i * family.record_bytes());
    const uint64_t step = family.output_alignment();
    begins.push_back((begins.back() + family.output_bytes(any) + step - 1) / step * step);
  }
  device.submit(batch);
  device.wait(batch);
  std::vector<std::vector<std::byte>> outputs;
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(batch.ends[i].ended, assay::Ended::done);
    const auto bytes =
        batch.output.subspan(begins[i], size_t{cases[i].cta_group} * lanes * cases[i].alloc_columns * 4);
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  device.release(batch);
  return outputs;
}

/// Adds the letter of the layout.
std::set<uint64_t> cells_of_d(const Tcgen05MmaCase& c, std::set<std::string>& letters) {
  LocateQuestion question;
  question.m = static_cast<int>(c.m), question.n = static_cast<int>(c.n);
  question.cta_group = static_cast<int>(c.cta_group);
  question.ws = c.ws, question.sparse = c.sparse;
  question.lane_base = static_cast<int>(c.lane);
  std::set<uint64_t> cells;
  for (question.row = 0; question.row < c.m; ++question.row)
    for (question.column = 0; question.column < c.n; ++question.column) {
      const nlohmann::json found = locate_accumulator(question).members, place = found.at("places").at(0);
      letters.insert(found.at("letter").get<std::string>());
      const uint64_t lane = place.at("cta").get<uint64_t>() * lanes + place.at("lane").get<uint64_t>();
      cells.insert(lane * c.alloc_columns + c.d_column + place.at("column").get<uint64_t>());
    }
  EXPECT_EQ(cells.size(), size_t{c.m} * c.n);  // no two elements in one cell
  return cells;
}

TEST(LocateExecuted, AccumulatorsLieWhereTheEmulatedTensorCoreWritesThem) {
  // Of every layout a few cases: those whose D changes with B.
  std::map<std::string, std::vector<Tcgen05MmaCase>> by_form;
  for (const char* name : {"mma.dense.f16", "mma.dense.pair", "mma.ws.layout", "mma.sparse.f16",
                           "mma.sparse.pair", "mma.sparse.ws"}) {
    const suites::Property* const property = suites::find_property(name);
    ASSERT_NE(property, nullptr) << name;
    for (uint64_t index = 0; index < 1500; ++index) {
      suites::Case any;
      property->generate(7, name, index, spec::Arch::sm_100, any);
      const auto* const c = any.get_if<Tcgen05MmaCase>();
      if (c == nullptr || !shows_d(*c)) continue;
      auto& cases = by_form[std::to_string(c->m) + "/" + std::to_string(c->cta_group) + (c->ws ? "w" : "") +
                            (c->sparse ? "s" : "")];
      if (cases.size() < 3) cases.push_back(*c);
    }
  }
  std::set<std::string> letters;
  DeviceLimits limits;
  limits.batches = 1;
  const auto device = open_device("emulator:sm_100a", limits);
  for (const auto& [form, cases] : by_form) {
    std::vector<Tcgen05MmaCase> others = cases;
    for (Tcgen05MmaCase& c : others) c.b_fill.seed ^= 0x5a5a;
    size_t all_changed = 0, all_cells = 0;
    const auto before = run(*device, cases), after = run(*device, others);
    for (size_t i = 0; i < cases.size(); ++i) {
      const std::set<uint64_t> cells = cells_of_d(cases[i], letters);
      size_t changed = 0;
      for (uint64_t cell = 0; cell < before[i].size() / 4; ++cell) {
        const bool differs = !std::equal(before[i].begin() + static_cast<ptrdiff_t>(4 * cell),
                                         before[i].begin() + static_cast<ptrdiff_t>(4 * cell + 4),
                                         after[i].begin() + static_cast<ptrdiff_t>(4 * cell));
        changed += differs;
        ASSERT_TRUE(!differs || cells.contains(cell)) << form << " cell " << cell;
      }
      all_changed += changed;
      all_cells += cells.size();
    }
    // Some operands are mostly zeros or NaN: then less changes.
    EXPECT_GT(4 * all_changed, all_cells) << form;
  }
  EXPECT_EQ(letters, (std::set<std::string>{"A", "B", "C", "D", "E", "F", "G"}));
}

}  // namespace
}  // namespace assay::cli
