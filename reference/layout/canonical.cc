// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/canonical.h"

#include <bit>
#include <utility>

namespace assay::layout {

/// A swizzle as the documents draw it: eight lines of 128 bytes in which a digit is the 16-byte piece that is
/// kept there, by its place before the swizzle. Line 0 is where the pattern starts.
struct SwizzlePicture {
  std::string_view name;  ///< of spec::smem_swizzles
  std::array<std::string_view, 8> lines;
  spec::Cite cite;
};
inline constexpr spec::Cite swizzle_figures{"ptx", "Tensors, Swizzling Modes, figures"};
// clang-format off
inline constexpr std::array swizzle_pictures{
    SwizzlePicture{"none",
                   {"01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567"}, swizzle_figures},
    SwizzlePicture{"32B",
                   {"01234567",
                    "10325476",
                    "01234567",
                    "10325476",
                    "01234567",
                    "10325476",
                    "01234567",
                    "10325476"}, swizzle_figures},
    SwizzlePicture{"64B",
                   {"01234567",
                    "10325476",
                    "23016745",
                    "32107654",
                    "01234567",
                    "10325476",
                    "23016745",
                    "32107654"}, swizzle_figures},
    SwizzlePicture{"128B",
                   {"01234567",
                    "10325476",
                    "23016745",
                    "32107654",
                    "45670123",
                    "54761032",
                    "67452301",
                    "76543210"}, swizzle_figures},
    // Pieces move in pairs.
    SwizzlePicture{"128B_atom32B",
                   {"01234567",
                    "23016745",
                    "45670123",
                    "67452301",
                    "01234567",
                    "23016745",
                    "45670123",
                    "67452301"}, swizzle_figures},
};
// clang-format on

/// An atom with its pieces laid one after the other.
struct LaidAtom {
  AtomStep to_next_mn = AtomStep::goes_on, to_next_k = AtomStep::goes_on;
  uint32_t mn_bits = 0, k_bits = 0;               ///< of the extents, which are powers of two
  uint32_t goes_on_bytes = 0;                     ///< of a whole row
  std::array<std::array<uint16_t, 8>, 8> offset;  ///< bytes from the first piece, of piece [mn][k]

  constexpr explicit LaidAtom(const AtomFigure& figure)
      : to_next_mn(figure.to_next_mn), to_next_k(figure.to_next_k), offset{} {
    mn_bits = static_cast<uint32_t>(std::countr_zero(figure.mn));
    k_bits = static_cast<uint32_t>(std::countr_zero(figure.k));
    goes_on_bytes = 16 * (figure.mn_major ? figure.mn : figure.k);
    uint32_t mn = 0, k = 0;
    for (uint32_t laid = 0; laid < figure.mn * figure.k; ++laid) {
      offset[mn][k] = static_cast<uint16_t>(16 * laid);
      uint32_t& inner = figure.mn_major ? mn : k;
      if (++inner < (figure.mn_major ? figure.mn : figure.k)) continue;
      inner = 0;
      ++(figure.mn_major ? k : mn);
    }
  }
};

/// Where each piece of each line is found in the picture.
struct LaidSwizzle {
  std::array<std::array<uint8_t, 8>, 8> position;

  constexpr explicit LaidSwizzle(const SwizzlePicture& picture) : position{} {
    for (size_t line = 0; line < 8; ++line)
      for (size_t at = 0; at < 8; ++at)
        position[line][static_cast<size_t>(picture.lines[line][at] - '0')] = static_cast<uint8_t>(at);
  }
};

namespace {

constexpr size_t modes = spec::smem_swizzles.size();
// The figures follow the order of the swizzles, K-major ones first.
static_assert(swizzle_pictures.size() == modes && atom_figures.size() == 2 * modes);
static_assert([] {
  for (size_t i = 0; i < modes; ++i)
    if (swizzle_pictures[i].name != spec::smem_swizzles[i].name ||
        atom_figures[i].swizzle != spec::smem_swizzles[i].name || atom_figures[i].mn_major ||
        atom_figures[modes + i].swizzle != spec::smem_swizzles[i].name || !atom_figures[modes + i].mn_major)
      return false;
  return true;
}());

template <typename Laid, typename Figures, size_t... i>
constexpr auto lay(const Figures& figures, std::index_sequence<i...>) {
  return std::array{Laid(figures[i])...};
}
constexpr auto laid_atoms = lay<LaidAtom>(atom_figures, std::make_index_sequence<2 * modes>());
constexpr auto laid_swizzles = lay<LaidSwizzle>(swizzle_pictures, std::make_index_sequence<modes>());
constexpr LaidAtom laid_narrow_32B(narrow_32B), laid_tall_atom_32B(tall_atom_32B);

size_t mode_of(const spec::SmemMatrix& matrix) {
  return static_cast<size_t>(matrix.swizzle - spec::smem_swizzles.data());
}

const LaidAtom& atom_of(const spec::SmemMatrix& matrix, bool mn_major, const SmemReadings& readings) {
  const std::string_view name = matrix.swizzle->name;
  if (!mn_major && name == narrow_32B.swizzle && !readings.leading_offset_in_wide_32B) return laid_narrow_32B;
  if (mn_major && name == tall_atom_32B.swizzle && readings.lines_of_atom_32B == tall_atom_32B.k)
    return laid_tall_atom_32B;
  return laid_atoms[mode_of(matrix) + (mn_major ? modes : 0)];
}

/// The line of the picture that a line of shared memory has.
uint32_t line_of_picture(uint32_t line, uint32_t base, SmemReadings::BaseOffset reading) {
  switch (reading) {
    case SmemReadings::BaseOffset::subtracted:  // lines since the last one with that number
      return (line + 8 - base) % 8;
    case SmemReadings::BaseOffset::added:
      return (line + base) % 8;
    case SmemReadings::BaseOffset::exclusive_or:
      break;
  }
  return (line ^ base) % 8;
}

}  // namespace

LaidMatrix::LaidMatrix(const spec::SmemMatrix& matrix, const SmemOperand& operand,
                       const SmemReadings& readings)
    : matrix_(matrix),
      operand_(operand),
      base_offset_(readings.base_offset),
      atom_(atom_of(matrix, operand.mn_major, readings)),
      swizzle_(laid_swizzles[mode_of(matrix)]),
      per_piece_(operand.packing == Packing::plain ? 128 / static_cast<uint32_t>(operand.element_bits) : 16),
      pieces_left_(~0u) {
  const auto step = [&](AtomStep how) {
    return how == AtomStep::stride_offset    ? matrix.stride_offset
           : how == AtomStep::leading_offset ? matrix.leading_offset
                                             : atom_.goes_on_bytes;
  };
  mn_step_ = step(atom_.to_next_mn);
  k_step_ = step(atom_.to_next_k);
  if (matrix.leading_is_absolute && atom_.to_next_k == AtomStep::goes_on)
    pieces_left_ = 8 - matrix.start % 128 / 16;
}

inline uint32_t LaidMatrix::at(uint32_t start, uint32_t mn, uint32_t k) const {
  const uint32_t in_mn = mn & ((1u << atom_.mn_bits) - 1), in_k = k & ((1u << atom_.k_bits) - 1);
  return start + (mn >> atom_.mn_bits) * mn_step_ + (k >> atom_.k_bits) * k_step_ + atom_.offset[in_mn][in_k];
}

uint32_t LaidMatrix::linear_cell(uint32_t mn, uint32_t k) const {
  if (operand_.mn_major) return at(matrix_.start, mn / per_piece_, k);
  const uint32_t piece = k / per_piece_;
  // The second buffer is laid like the first one, from the beginning of its rows on.
  if (piece >= pieces_left_) return at(matrix_.leading_offset, mn, piece - pieces_left_);
  return at(matrix_.start, mn, piece);
}

uint32_t LaidMatrix::swizzled(uint32_t linear) const {
  const uint32_t line = line_of_picture(linear / 128, matrix_.base_offset, base_offset_);
  return linear / 128 * 128 + swizzle_.position[line][linear / 16 % 8] * 16u + linear % 16;
}

SmemPlace LaidMatrix::place(uint32_t mn, uint32_t k) const {
  const uint32_t in_piece = (operand_.mn_major ? mn : k) % per_piece_;
  const uint32_t bit = in_piece * static_cast<uint32_t>(operand_.element_bits);
  return {swizzled(linear_cell(mn, k)) + bit / 8, static_cast<int>(bit % 8)};
}

uint32_t linear_cell(const spec::SmemMatrix& matrix, const SmemOperand& operand, uint32_t mn, uint32_t k,
                     const SmemReadings& readings) {
  return LaidMatrix(matrix, operand, readings).linear_cell(mn, k);
}

uint32_t swizzled(const spec::SmemMatrix& matrix, uint32_t linear, const SmemReadings& readings) {
  return LaidMatrix(matrix, {}, readings).swizzled(linear);
}

SmemPlace smem_place(const spec::SmemMatrix& matrix, const SmemOperand& operand, uint32_t mn, uint32_t k,
                     const SmemReadings& readings) {
  return LaidMatrix(matrix, operand, readings).place(mn, k);
}

}  // namespace assay::layout
