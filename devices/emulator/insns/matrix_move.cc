// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "devices/emulator/machine/step.h"

// ldmatrix, stmatrix, movmatrix of 8x8 matrices of 16-bit elements (ptx, Warp-level matrix: ldmatrix,
// stmatrix, movmatrix). Lane 8m+r gives the address of row r of matrix m; of each matrix, lane 4r+c holds
// elements 2c and 2c+1 of row r (of column r with .trans), the first in the lower half. stmatrix.m16n8 stores
// transposed matrices of bytes: lane 8m+r gives the address of column r of matrix m, 16 bytes, and lane 4r+c
// holds elements 2c and 2c+1 of rows r and r+8. ldmatrix.m16n16 loads bytes transposed: lane 16m+r gives the
// address of row r of matrix m, and byte i of the two registers of lane 4r+c is element r and r+8 of row
// 4c+i. Of ldmatrix.m8n16 lane 4r+c holds elements 4c to 4c+3 of row r. Elements of 4 and 6 bits lie packed
// at the front of their 16 bytes and become the low bits of a byte: of 4 bits CUTLASS moves them up by two
// where mma.sync takes them (cutlass, mma_traits_sm120.hpp: fp4_shift_A; copy_traits_sm100.hpp:
// SM100_U8x8_LDSM_T).
namespace assay::emulator {
namespace {

using Matrix8x8 = uint16_t[8][8];

struct MatrixForm {
  Space space;
  uint32_t matrices;
  bool is_transposed, is_bytes;
  uint32_t rows = 8;          ///< of a matrix
  uint32_t element_bits = 8;  ///< in memory, of a matrix of bytes
};

/// All lanes of the warp take part (.sync.aligned).
bool is_whole_of_matrix(const Step& step) {
  return step.mask == step.warp.live;
}

void spread(const Matrix8x8& matrix, bool is_transposed, int lane, uint32_t& word) {
  const int row = lane / 4, column = lane % 4 * 2;
  const uint32_t low = is_transposed ? matrix[column][row] : matrix[row][column];
  const uint32_t high = is_transposed ? matrix[column + 1][row] : matrix[row][column + 1];
  word = low | high << 16;
}

void collect_matrix(Matrix8x8& matrix, bool is_transposed, int lane, uint32_t word) {
  const int row = lane / 4, column = lane % 4 * 2;
  (is_transposed ? matrix[column][row] : matrix[row][column]) = static_cast<uint16_t>(word);
  (is_transposed ? matrix[column + 1][row] : matrix[row][column + 1]) = static_cast<uint16_t>(word >> 16);
}

/// The same bytes as columns of 16 elements of 8 bits (ptx, stmatrix fragment layout for .m16n8).
void collect_bytes(Matrix8x8& matrix, int lane, uint32_t word) {
  auto* columns = reinterpret_cast<unsigned char*>(matrix);
  for (int i = 0; i < 4; ++i) {
    const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    columns[column * 16 + row] = static_cast<unsigned char>(word >> 8 * i);
  }
}

/// The 16 elements of a row as bytes.
void expand(const unsigned char* packed, uint32_t bits, unsigned char* elements) {
  for (uint32_t i = 0; i < 16; ++i) {
    const uint32_t at = i * bits, pair = packed[at / 8] | (at / 8 < 15 ? packed[at / 8 + 1] << 8 : 0);
    elements[i] = static_cast<unsigned char>(pair >> at % 8 & ((1u << bits) - 1));
  }
}

uint32_t load_matrix(Step& step) {
  if (!is_whole_of_matrix(step)) return 0;
  const MatrixForm& form = step.data<MatrixForm>();
  for (uint32_t m = 0; m < form.matrices; ++m) {
    Matrix8x8 matrix;
    bool is_tainted = false;
    for (uint32_t row = 0; row < 8; ++row) {
      const int lane = static_cast<int>(8 * m + row);
      const Place place = resolve(step, lane, form.space, step.address(step.operand(1), lane), 16, 16, false);
      note_load(step, lane, place, 16);
      std::memcpy(matrix[row], place.bytes, 16);
      is_tainted |= holds_unwritten(place, 16);
    }
    for_lanes(step.mask, [&](int lane) {
      uint32_t word;
      spread(matrix, form.is_transposed, lane, word);
      step.set(step.operand(0).part(m), lane, word, is_tainted);
    });
  }
  return step.mask;
}

uint32_t load_bytes(Step& step) {
  if (!is_whole_of_matrix(step)) return 0;
  const MatrixForm& form = step.data<MatrixForm>();
  const uint32_t registers = form.rows / 8;
  for (uint32_t m = 0; m < form.matrices; ++m) {
    unsigned char matrix[16][16];
    bool is_tainted = false;
    for (uint32_t row = 0; row < form.rows; ++row) {
      const int lane = static_cast<int>(form.rows * m + row);
      const Place place = resolve(step, lane, form.space, step.address(step.operand(1), lane), 16, 16, false);
      note_load(step, lane, place, 16);
      expand(reinterpret_cast<const unsigned char*>(place.bytes), form.element_bits, matrix[row]);
      is_tainted |= holds_unwritten(place, 2 * form.element_bits);
    }
    for_lanes(step.mask, [&](int lane) {
      for (uint32_t r = 0; r < registers; ++r) {
        uint32_t word = 0;
        for (int i = 0; i < 4; ++i) {
          const int line = lane / 4 + static_cast<int>(8 * r), among = lane % 4 * 4 + i;
          const uint32_t byte = form.is_transposed ? matrix[among][line] : matrix[line][among];
          word |= byte << 8 * i;
        }
        step.set(step.operand(0).part(m * registers + r), lane, word, is_tainted);
      }
    });
  }
  return step.mask;
}

uint32_t store_matrix(Step& step) {
  if (!is_whole_of_matrix(step)) return 0;
  const MatrixForm& form = step.data<MatrixForm>();
  for (uint32_t m = 0; m < form.matrices; ++m) {
    Matrix8x8 matrix{};
    bool is_tainted = false;
    for_lanes(step.mask, [&](int lane) {
      const Operand& source = step.operand(1).part(m);
      const auto word = static_cast<uint32_t>(step.value(source, lane));
      form.is_bytes ? collect_bytes(matrix, lane, word)
                    : collect_matrix(matrix, form.is_transposed, lane, word);
      is_tainted |= step.tainted(source, lane);
    });
    for (uint32_t row = 0; row < 8; ++row) {
      const int lane = static_cast<int>(8 * m + row);
      const Place place = resolve(step, lane, form.space, step.address(step.operand(0), lane), 16, 16, true);
      std::memcpy(place.bytes, matrix[row], 16);
      note_store(step, lane, place, 16, is_tainted);
    }
  }
  return step.mask;
}

uint32_t move_matrix(Step& step) {
  if (!is_whole_of_matrix(step)) return 0;
  Matrix8x8 matrix{};
  bool is_tainted = false;
  for_lanes(step.mask, [&](int lane) {
    collect_matrix(matrix, false, lane, static_cast<uint32_t>(step.value(step.operand(1), lane)));
    is_tainted |= step.tainted(step.operand(1), lane);
  });
  for_lanes(step.mask, [&](int lane) {
    uint32_t word;
    spread(matrix, true, lane, word);
    step.set(step.operand(0), lane, word, is_tainted);
  });
  return step.mask;
}

bool fits_matrix(const Operand& operand, uint32_t matrices, bool is_destination) {
  const auto one = [&](const Operand& item) {
    return item.kind == Operand::Kind::value && item.bits == 32 && (item.is_register || !is_destination);
  };
  if (operand.kind != Operand::Kind::vector) return matrices == 1 && one(operand);
  if (operand.items.size() != matrices) return false;
  for (const Operand& item : operand.items)
    if (!one(item)) return false;
  return true;
}

/// ldmatrix of bytes, and of elements that become bytes (ptx, ldmatrix: .m16n16, .m8n16).
std::optional<LoweringError> lower_bytes(const Opcode& opcode, Target target, Instruction& instruction) {
  const bool is_square = opcode.has("m16n16");
  const uint32_t bits = opcode.has("b6x16_p32") ? 6 : opcode.has("b4x16_p64") ? 4 : 8;
  if (!only_known_qualifiers(opcode,
                             "sync aligned m8n16 m16n16 x1 x2 x4 trans shared shared::cta b8 b8x16 "
                             "b6x16_p32 b4x16_p64") ||
      !opcode.has("sync") || !is_from_sm_100(target) || opcode.has("trans") != is_square ||
      opcode.has("m8n16") == is_square || opcode.has("b8x16") != (bits != 8) ||
      opcode.has("b8") != (bits == 8) || (bits == 8 && !is_square) || (is_square && opcode.has("x4")))
    return unknown_opcode(opcode);
  const uint32_t matrices = opcode.has("x4") ? 4 : opcode.has("x2") ? 2 : 1, rows = is_square ? 16 : 8;
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[1].kind != Operand::Kind::address ||
      !fits_matrix(operands[0], matrices * rows / 8, true))
    return wrong_operands(opcode, "registers, two a matrix of .m16n16 and one of .m8n16, and an address");
  instruction.data =
      std::make_shared<const MatrixForm>(MatrixForm{space_of(opcode), matrices, is_square, true, rows, bits});
  instruction.execute = load_bytes;
  return std::nullopt;
}

std::optional<LoweringError> lower_matrix(const Opcode& opcode, Target target, Instruction& instruction) {
  const bool is_load = opcode.base == "ldmatrix";
  if (is_load && (opcode.has("m16n16") || opcode.has("m8n16")))
    return lower_bytes(opcode, target, instruction);
  const bool is_bytes = opcode.has("m16n8") && opcode.has("b8");
  if (!only_known_qualifiers(opcode, "sync aligned m8n8 m16n8 x1 x2 x4 trans shared shared::cta b16 b8") ||
      !opcode.has("sync") || opcode.has("m8n8") != opcode.has("b16") || opcode.has("b16") == is_bytes)
    return unknown_opcode(opcode);
  if (is_bytes && (is_load || !is_from_sm_100(target) || !opcode.has("trans"))) return unknown_opcode(opcode);
  const uint32_t matrices = opcode.has("x4") ? 4 : opcode.has("x2") ? 2 : 1;
  const auto& operands = instruction.operands;
  const size_t registers = is_load ? 0 : 1;
  if (operands.size() != 2 || operands[1 - registers].kind != Operand::Kind::address ||
      !fits_matrix(operands[registers], matrices, is_load))
    return wrong_operands(opcode, "registers, one a matrix, and an address");
  instruction.data = std::make_shared<const MatrixForm>(
      MatrixForm{space_of(opcode), matrices, opcode.has("trans"), is_bytes});
  instruction.execute = is_load ? load_matrix : store_matrix;
  return std::nullopt;
}

std::optional<LoweringError> lower_matrix_move(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.text != "movmatrix.sync.aligned.m8n8.trans.b16") return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !fits_matrix(operands[0], 1, true) || !fits_matrix(operands[1], 1, false))
    return wrong_operands(opcode, "two 32-bit registers");
  instruction.execute = move_matrix;
  return std::nullopt;
}

const RegisteredFamily ldmatrix("ldmatrix", lower_matrix);
const RegisteredFamily stmatrix("stmatrix", lower_matrix);
const RegisteredFamily movmatrix("movmatrix", lower_matrix_move);

}  // namespace
}  // namespace assay::emulator
