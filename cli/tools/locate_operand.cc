// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/command.h"
#include "cli/tools/locate.h"
#include "cli/tools/map_picture.h"
#include "cli/tools/named_rows.h"
#include "reference/layout/canonical.h"

namespace assay::cli {
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
