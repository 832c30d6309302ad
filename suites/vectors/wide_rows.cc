// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

/// Rows of im2col::w and im2col::w::128, which exist from sm_100 on.
namespace assay::vectors {
namespace {

constexpr uint32_t guard_bytes = 128, swizzle_128B = 3;

void require_runs(TensorCopyCase& copy) {
  spec::RuleSet rules;
  if (model::broken_column_map_rules(copy.map, documented).any() ||
      model::end_of_issue(copy, documented, rules) != model::End::done)
    throw RowError{"the copy does not run: its map breaks a rule, or it faults"};
  const uint64_t bytes = model::footprint(copy, documented).shared_bytes;
  if (bytes > model::shared_memory_bytes)
    throw RowError{"the column needs more than 228 KiB of shared memory"};
  copy.window_bytes = static_cast<uint32_t>(bytes) + guard_bytes;
}

/// A load of a dense tensor. Rows name no swizzle; a wide map has one.
TensorCopyCase wide_case(const Pairs& params, bool is_128) {
  TensorCopyCase copy;
  TensorMapArgs& map = copy.map;
  const int64_t rank = params.number("rank");
  if (rank < 3 || rank > 5) throw RowError{"rank " + std::to_string(rank) + " is not 3 to 5"};
  map.rank = copy.instruction_rank = static_cast<uint32_t>(rank);
  map.data_type = type_of_size(params.number("esize"), false).host;
  map.swizzle = swizzle_128B;
  assign(map.global_dim, params, "dims");
  uint64_t bytes = spec::data_types[map.data_type].bits / 8;
  for (uint32_t i = 0; i + 1 < map.rank; ++i) map.global_stride[i] = bytes *= map.global_dim[i];
  map.element_stride.fill(1);
  map.element_stride[1] = params.number<uint32_t>("strideW");
  copy.map.wide = true;
  copy.map.wide_mode = is_128 ? 1 : 0;
  copy.mode = is_128 ? CopyMode::w_128 : CopyMode::w;
  copy.map.lower[0] = params.number<int32_t>("lowW");
  copy.map.upper[0] = params.number<int32_t>("upW");
  copy.map.channels = params.number<uint32_t>("cpp");
  if (!is_128)
    copy.map.pixels = params.number<uint32_t>("ppc");
  else if (params.text("ppc") != "ignored")
    throw RowError{"ppc of im2col::w::128 is ignored"};
  assign(copy.coord, params, "coords");
  copy.w_halo = params.number<uint16_t>("wHalo");
  copy.w_offset = params.number<uint16_t>("wOffset");
  require_runs(copy);
  return copy;
}

constexpr spec::NamedReading behind_their_pixels("TMA-AMB-13", "behind_their_pixels"),
    behind_all_pixels("TMA-AMB-13", "behind_all_pixels");

/// The pixels of all rows in shared memory, by a reading of TMA-AMB-13.
std::vector<model::Pixel> walked(const TensorCopyCase& copy, spec::NamedReading placement) {
  spec::Readings readings = documented;
  readings.choose(placement);
  const model::Im2colWalk walk(copy, readings);
  std::vector<model::Pixel> pixels(model::column_of(copy, readings).pixels);
  for (uint32_t row = 0; row < pixels.size(); ++row) pixels[row] = walk.pixel(row);
  return pixels;
}

bool is_outside(const TensorCopyCase& copy, const model::Pixel& pixel) {
  unsigned __int128 unused;
  return !model::is_in_tensor(copy, pixel, unused);
}

std::string checksum(const TensorCopyCase& copy, const std::vector<model::Pixel>& pixels) {
  Crc32 crc;
  for (const model::Pixel& pixel : pixels) {
    for (uint32_t k = 0; k < spatial_axes(copy.map.rank); ++k) crc.add(pixel.at[k], 4);
    crc.add(pixel.image, 4);
    crc.add(is_outside(copy, pixel) ? 1 : 0, 1);
  }
  return crc.text();
}

/// Every byte of the load: the row of each pixel holds the bytes of the dense tensor at its coordinates, each
/// 16 bytes at their place in a line of the 128B swizzle, or fill.
void compare_bytes(const TensorCopyCase& copy, const std::vector<model::Pixel>& pixels,
                   Differences& differences) {
  const TensorMapArgs& map = copy.map;
  const LoadMap loaded =
      map_load(copy.window_bytes, copy.tile_offset, model::footprint(copy, documented),
               [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                 return model::predict_load(copy, documented, tensor, window, {}).transaction_bytes;
               });
  const uint32_t bytes = spec::data_types[map.data_type].bits / 8, inner = copy.map.channels * bytes;
  differences.compare("tx", int64_t{inner} * static_cast<int64_t>(pixels.size()), loaded.transaction_bytes);
  if (!loaded.stays_inside) differences.add("bytes outside the column are written");
  for (uint32_t row = 0; row < pixels.size(); ++row) {
    int64_t pixel = 0, extent = bytes;
    for (uint32_t i = 1; i < map.rank; ++i) {
      extent *= static_cast<int64_t>(map.global_dim[i - 1]);
      pixel += extent * (i + 1 == map.rank ? pixels[row].image : pixels[row].at[i - 1]);
    }
    for (uint32_t byte = 0; byte < inner; ++byte) {
      const uint32_t place = 128 * row + (byte ^ (row % 8 * 16));
      const int64_t channel = copy.coord[0] + byte / bytes;
      const bool fills =
          is_outside(copy, pixels[row]) || channel < 0 || channel >= static_cast<int64_t>(map.global_dim[0]);
      const int64_t source = fills ? from_fill : pixel + copy.coord[0] * int64_t{bytes} + byte;
      if (loaded.source[place] == source) continue;
      differences.compare("source of byte " + std::to_string(place), source, loaded.source[place]);
      return;
    }
  }
}

void compare_box(const TensorCopyCase& copy, const VectorRow& row, const std::vector<model::Pixel>& pixels,
                 Differences& differences) {
  const model::BoxEnds box = model::box_of(copy.map, 0);
  differences.compare("boxlo", row.expected.number("boxlo"), box.lower + copy.w_offset);
  differences.compare("boxhi", row.expected.number("boxhi"), box.upper + copy.w_offset);
  const uint32_t axes = spatial_axes(copy.map.rank);
  differences.compare("first", row.expected.text("first"), pixel_text(pixels[0], axes));
  differences.compare("rows", row.expected.number("rows"), static_cast<int64_t>(pixels.size()));
}

int64_t outside(const TensorCopyCase& copy, std::span<const model::Pixel> pixels) {
  return std::count_if(pixels.begin(), pixels.end(),
                       [&](const model::Pixel& pixel) { return is_outside(copy, pixel); });
}

std::string halo_text(const TensorCopyCase& copy, std::span<const model::Pixel> halo) {
  std::string text;
  for (const model::Pixel& pixel : halo)
    text += (text.empty() ? "" : "|") + pixel_text(pixel, spatial_axes(copy.map.rank));
  return text.empty() ? "none" : text;
}

}  // namespace

void check_wide(const VectorRow& row, Differences& differences) {
  const TensorCopyCase copy = wide_case(row.params, false);
  const std::vector<model::Pixel> pixels = walked(copy, behind_their_pixels);
  compare_box(copy, row, pixels, differences);
  const std::span<const model::Pixel> all(pixels), main = all.first(copy.map.pixels),
                                                   halo = all.subspan(copy.map.pixels);
  differences.compare("lastmain", row.expected.text("lastmain"),
                      pixel_text(main.back(), spatial_axes(copy.map.rank)));
  differences.compare("halo", row.expected.text("halo"), halo_text(copy, halo));
  differences.compare("oobmain", row.expected.number("oobmain"), outside(copy, main));
  differences.compare("oobhalo", row.expected.number("oobhalo"), outside(copy, halo));
  differences.compare("pixcrc", row.expected.text("pixcrc"), checksum(copy, pixels));
  compare_bytes(copy, pixels, differences);
}

void check_wide_128(const VectorRow& row, Differences& differences) {
  const TensorCopyCase copy = wide_case(row.params, true);
  const std::vector<model::Pixel> in_line = walked(copy, behind_their_pixels),
                                  in_plane = walked(copy, behind_all_pixels);
  compare_box(copy, row, in_line, differences);
  const std::span<const model::Pixel> all(in_line);
  std::vector<model::Pixel> main;
  std::string halos;
  const uint32_t group = pixels_before_halo + copy.w_halo;
  for (uint32_t at = 0; at < all.size(); at += group) {
    const auto of_group = all.subspan(at, group);
    main.insert(main.end(), of_group.begin(), of_group.begin() + pixels_before_halo);
    halos += (at == 0 ? "" : "/") + halo_text(copy, of_group.subspan(pixels_before_halo));
  }
  differences.compare("lastmain", row.expected.text("lastmain"),
                      pixel_text(main.back(), spatial_axes(copy.map.rank)));
  differences.compare("halo", row.expected.text("halo"), halos);
  differences.compare("oobmain", row.expected.number("oobmain"), outside(copy, main));
  differences.compare("pixcrc_inline", row.expected.text("pixcrc_inline"), checksum(copy, in_line));
  differences.compare("pixcrc_plane", row.expected.text("pixcrc_plane"), checksum(copy, in_plane));
  compare_bytes(copy, in_line, differences);
}

std::optional<RowCase> wide_as_case(const VectorRow& row, spec::Arch arch) {
  if (!spec::has_tcgen05(arch)) return std::nullopt;
  return RowCase{"tma.im2col_w.load", wide_case(row.params, false)};
}
std::optional<RowCase> wide_128_as_case(const VectorRow& row, spec::Arch arch) {
  if (!spec::has_tcgen05(arch)) return std::nullopt;
  return RowCase{"tma.im2col_w.load", wide_case(row.params, true)};
}

void check_wide_transaction(const VectorRow& row, bool is_128, Differences& differences) {
  TensorCopyCase copy;
  TensorMapArgs& map = copy.map;
  map.rank = copy.instruction_rank = 3;
  map.data_type = type_of_size(row.params.number("esize"), false).host;
  map.swizzle = swizzle_128B;
  map.element_stride.fill(1);
  copy.map.wide = true;
  copy.map.wide_mode = is_128 ? 1 : 0;
  copy.mode = is_128 ? CopyMode::w_128 : CopyMode::w;
  copy.map.channels = row.params.number<uint32_t>("cpp");
  if (!is_128) copy.map.pixels = row.params.number<uint32_t>("ppc");
  copy.w_halo = row.params.number<uint16_t>("wHalo");
  map.global_dim = {copy.map.channels, 9, 2};
  uint64_t bytes = spec::data_types[map.data_type].bits / 8;
  for (uint32_t i = 0; i < 2; ++i) map.global_stride[i] = bytes *= map.global_dim[i];
  require_runs(copy);
  differences.compare("tx", row.expected.number("tx"),
                      model::transaction_bytes(copy, model::column_of(copy, documented), documented));
}

}  // namespace assay::vectors
