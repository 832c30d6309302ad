// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/command.h"
#include "cli/tools/encode_call.h"
#include "cli/tools/locate.h"
#include "cli/tools/map_argument.h"
#include "reference/layout/canonical.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"

namespace assay::cli {
namespace {

const spec::DataType& type_of(const LocateQuestion& question) {
  if (const spec::DataType* type = spec::find_data_type(question.type)) return *type;
  refuse_name("--type", question.type, "a tensor map type", "types", names_of(spec::data_types));
}

const spec::Swizzle& swizzle_named(const LocateQuestion& question) {
  const std::string name = swizzle_name(question);
  if (const spec::Swizzle* swizzle = spec::find_swizzle(name)) return *swizzle;
  refuse_name("--swizzle", name, "a tensor map swizzle", "swizzles", names_of(spec::swizzles));
}

/// A legal map whose box is the one asked for, of a tensor of just that size.
TensorCopyCase tile_of(const LocateQuestion& question, const spec::DataType& type,
                       const spec::Swizzle& swizzle) {
  std::vector<uint64_t> box;
  if (!question.box.empty())
    box = parse_numbers("--box", question.box);
  else if (type.is_padded())
    box = {128};
  else
    box = {(swizzle.span_bytes != 0 ? swizzle.span_bytes : 128) * 8 / type.bits};
  if (box.size() > 5) throw UsageError("--box", "a box has at most 5 dimensions");
  if (box.size() == 1) box.push_back(spec::max_box_dim);
  TensorCopyCase tile;
  tile.map.data_type = type.host;
  tile.map.swizzle = swizzle.host;
  tile.map.rank = static_cast<uint32_t>(box.size());
  tile.instruction_rank = tile.map.rank;
  tile.tile_offset = static_cast<uint32_t>(question.address);
  uint64_t stride = 8192;  // more than any row
  for (size_t i = 0; i < box.size(); ++i) {
    if (box[i] > UINT32_MAX) throw UsageError("--box", std::to_string(box[i]) + " has more than 32 bits");
    tile.map.box_dim[i] = static_cast<uint32_t>(box[i]);
    tile.map.global_dim[i] = std::max<uint64_t>(box[i], 1);
    tile.map.element_stride[i] = 1;
    if (i == 0) continue;
    tile.map.global_stride[i - 1] = stride;
    stride *= spec::max_box_dim;
  }
  const spec::Readings readings(question.arch);
  const spec::RuleSet broken = model::broken_map_rules(tile.map, readings);
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (broken[i])
      throw UsageError("no such tile on " + std::string(spec::name(question.arch)) + ": " +
                       std::string(spec::rule_table[i].id) + ", " + std::string(spec::rule_table[i].words));
  spec::RuleSet met;
  if (model::end_of_issue(tile, readings, met) == model::End::misaligned_address)
    throw UsageError("--address",
                     std::string(spec::rule_table[spec::rule("TILE-R22")].words) + " (TILE-R22)");
  return tile;
}

std::string element_name(uint64_t row, uint64_t element) {
  return std::to_string(row) + "," + std::to_string(element);
}

}  // namespace

Located locate_in_tile(const LocateQuestion& question) {
  const spec::DataType& type = type_of(question);
  const spec::Swizzle& swizzle = swizzle_named(question);
  const TensorCopyCase tile = tile_of(question, type, swizzle);
  spec::RuleSet unused;
  const model::TiledShape shape = model::shape_of(tile, spec::Readings(question.arch), unused);
  const uint32_t width = tile.map.box_dim[0];
  if (question.column >= width)
    throw UsageError("--col", std::to_string(question.column) + " is past the end of a row of " +
                                  std::to_string(width) + " elements (see --box)");
  if (question.row >= shape.rows)
    throw UsageError("--row", std::to_string(question.row) + " is past the end of a box of " +
                                  std::to_string(shape.rows) + " rows (see --box)");
  const auto at = [&](uint64_t row, uint64_t element) {
    return model::place_in_tile(shape, type, tile.tile_offset, row, static_cast<uint32_t>(element));
  };
  const model::TilePlace place = at(question.row, question.column);

  // What else lies in the lines of the picture: the first element of each piece, of rows that can reach them.
  const uint64_t first = place.byte / 1024 * 1024;
  const uint64_t rows_of_picture = 1024 / shape.pitch + 1;
  std::map<uint64_t, std::string> in_piece;
  const uint64_t from = question.row > rows_of_picture ? question.row - rows_of_picture : 0;
  for (uint64_t row = from; row < shape.rows && row <= question.row + rows_of_picture; ++row)
    for (uint64_t element = 0; element < width; ++element)
      in_piece.try_emplace(at(row, element).byte / 16, element_name(row, element));

  Located found;
  found.text = std::string(type.name) + " tile, " +
               (swizzle.span_bytes == 0 ? "no" : std::string(swizzle.name)) + " swizzle: rows of " +
               std::to_string(width) + " elements, " + std::to_string(shape.inner) + " bytes, " +
               std::to_string(shape.pitch) + " apart\n";
  const uint64_t in_tile = place.byte - tile.tile_offset;
  found.text += "row " + std::to_string(question.row) + ", element " + std::to_string(question.column) +
                " lies at byte " + byte_words(in_tile) + " of the tile";
  if (place.bit != 0) found.text += ", from bit " + std::to_string(place.bit) + " on";
  if (tile.tile_offset != 0) found.text += ", address " + byte_words(place.byte);
  found.text += "\n  line " + std::to_string(place.byte / 128) + ", piece " +
                std::to_string(place.byte / 16 % 8) + " (before the swizzle " +
                std::to_string(place.linear / 16 % 8) + "), bank " + std::to_string(place.byte / 4 % 32) +
                "\nrow,element at the start of each 16-byte piece:\n";
  found.text += picture_of_lines(
      first,
      [&](uint64_t address) {
        const auto name = in_piece.find(address / 16);
        return name == in_piece.end() ? std::string() : name->second;
      },
      place.byte);
  nlohmann::json where = shared_place(place.byte, place.bit);
  where["byte_of_tile"] = in_tile;
  where["byte_before_swizzle"] = place.linear;
  found.members = {{"layout", "tile"},         {"type", type.name},        {"swizzle", swizzle.name},
                   {"row_bytes", shape.inner}, {"row_pitch", shape.pitch}, {"places", {where}}};
  return found;
}

namespace {

const spec::SmemSwizzle& swizzle_of(const LocateQuestion& question) {
  const std::string name = swizzle_name(question);
  if (const spec::SmemSwizzle* swizzle = spec::find_smem_swizzle(name)) return *swizzle;
  refuse_name("--swizzle", name, "a descriptor swizzle", "swizzles", names_of(spec::smem_swizzles));
}

/// Whether the leading offset says where the next atom is (layout/canonical.h).
bool uses_leading_offset(const spec::SmemSwizzle& swizzle, bool mn_major) {
  for (const layout::AtomFigure& figure : layout::atom_figures)
    if (figure.swizzle == swizzle.name && figure.mn_major == mn_major)
      return figure.to_next_mn == layout::AtomStep::leading_offset ||
             figure.to_next_k == layout::AtomStep::leading_offset;
  return false;
}

uint64_t word_of(const LocateQuestion& question) {
  if (!question.descriptor.empty()) {
    const auto word = parse_number(question.descriptor);
    if (!word)
      throw UsageError("--descriptor", "'" + question.descriptor +
                                           "' is not a word of at most 64 bits, such as 0x4000404000010080");
    return *word;
  }
  spec::SmemMatrix matrix;
  matrix.swizzle = &swizzle_of(question);
  const bool wants_leading = uses_leading_offset(*matrix.swizzle, question.major == "mn");
  if (!question.stride_offset || (wants_leading && !question.leading_offset))
    throw UsageError(question.stride_offset ? "--lbo" : "--sbo",
                     "required for this layout unless --descriptor is given");
  for (const auto& [option, value, to] :
       {std::tuple{"--address", question.address, &matrix.start},
        {"--lbo", question.leading_offset.value_or(0), &matrix.leading_offset},
        {"--sbo", *question.stride_offset, &matrix.stride_offset}}) {
    *to = static_cast<uint32_t>(value);
    if (value % spec::smem::start.unit != 0 || value > spec::smem::start.value_of(spec::smem::start.max_raw))
      throw UsageError(option, std::to_string(value) + " is not a multiple of 16 below 262144");
  }
  return spec::encode_smem_desc(matrix);
}

/// Which element each piece of 16 bytes begins with: those of the row or column that is asked for first, then
/// those of a row as wide as the swizzle, or of 64 k.
std::map<uint32_t, std::string> pieces_of(const layout::LaidMatrix& laid, const spec::SmemSwizzle& swizzle,
                                          const OperandType& type, bool mn_major, uint32_t mn, uint32_t k) {
  constexpr uint32_t most_mn = 256, k_of_picture = 64, instruction_bits = 256;
  std::map<uint32_t, std::string> pieces;
  const auto add = [&](uint32_t i, uint32_t j) {
    pieces.try_emplace(laid.place(i, j).byte / 16, std::to_string(i) + "," + std::to_string(j));
  };
  if (mn_major)
    for (uint32_t i = 0; i < most_mn; ++i) add(i, k);
  else
    for (uint32_t j = 0; j <= k; ++j) add(mn, j);
  const auto stored_bits = static_cast<uint32_t>(type.is_padded() ? 8 : type.bits);
  const uint32_t end = mn_major ? k_of_picture : std::max(swizzle.width * 8, instruction_bits) / stored_bits;
  for (uint32_t i = 0; i < most_mn; ++i)
    for (uint32_t j = 0; j < end; ++j) add(i, j);
  return pieces;
}

}  // namespace

Located locate_operand(const LocateQuestion& question) {
  const OperandType type = operand_type(question.type);
  const uint64_t word = word_of(question);
  const auto matrix = spec::decode_smem_desc(word);
  if (!matrix)
    throw UsageError("--descriptor", "its swizzle code is not defined; see assay describe " +
                                         question.descriptor + " --as smem");
  const bool mn_major = question.major == "mn";
  const layout::SmemOperand operand{type.bits, type.packing, mn_major};
  const layout::LaidMatrix laid(*matrix, operand);
  if (question.row > 255 || question.column > 1023)
    throw UsageError("out of range: rows are 0 to 255, and k is 0 to 1023");
  const auto mn = static_cast<uint32_t>(question.row), k = static_cast<uint32_t>(question.column);
  const layout::SmemPlace place = laid.place(mn, k);

  const auto in_piece = pieces_of(laid, *matrix->swizzle, type, mn_major, mn, k);

  Located found;
  char text[128];
  std::snprintf(text, sizeof text, "descriptor 0x%016llx", static_cast<unsigned long long>(word));
  found.text = std::string(text) + ": " + (mn_major ? "MN" : "K") + "-major " + question.type + ", swizzle " +
               std::string(matrix->swizzle->name) + ", start " + std::to_string(matrix->start) + ", LBO " +
               std::to_string(matrix->leading_offset) + ", SBO " + std::to_string(matrix->stride_offset) +
               "\n";
  found.text += "element (mn " + std::to_string(mn) + ", k " + std::to_string(k) + ") lies at byte " +
                byte_words(place.byte) + " of shared memory";
  if (place.bit != 0) found.text += ", from bit " + std::to_string(place.bit) + " on";
  found.text += "\n  " + byte_words(place.byte - matrix->start) + " from the start, piece " +
                std::to_string(place.byte / 16 % 8) + " (before the swizzle " +
                std::to_string(laid.linear_cell(mn, k) / 16 % 8) + "), bank " +
                std::to_string(place.byte / 4 % 32) + "\n";
  nlohmann::json violations = nlohmann::json::array();
  for (const spec::RuleBroken& broken : spec::smem_desc_violations(
           word, {.arch = question.arch, .element_bits = type.bits, .mn_major = mn_major})) {
    found.text += "violates " + std::string(broken.rule->id) + ": " + std::string(broken.rule->words) + "\n";
    violations.push_back({{"rule", broken.rule->id}, {"words", broken.rule->words}});
  }
  found.text += "mn,k at the start of each 16-byte piece:\n" +
                picture_of_lines(
                    place.byte / 1024 * 1024,
                    [&](uint64_t address) {
                      const auto name = in_piece.find(static_cast<uint32_t>(address / 16));
                      return name == in_piece.end() ? std::string() : name->second;
                    },
                    place.byte);
  found.members = {{"layout", "smem"},
                   {"descriptor", word},
                   {"swizzle", matrix->swizzle->name},
                   {"major", question.major},
                   {"violations", violations},
                   {"places", {shared_place(place.byte, place.bit)}}};
  return found;
}

}  // namespace assay::cli
