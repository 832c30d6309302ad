// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cli/tools/locate.h"
#include "devices/device.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/family.h"
#include "suites/tensor_copy/family.h"
#include "suites/run/launch.h"

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

}  // namespace
}  // namespace assay::cli
