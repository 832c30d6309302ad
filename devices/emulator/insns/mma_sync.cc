// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <span>
#include <vector>

#include "devices/emulator/insns/warp_product.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/steps.h"

// mma.sync.aligned and mma.sp.sync.aligned, row by column (ptx, Warp-level matrix: mma, mma.sp). All 32 lanes
// of a warp take part.
namespace assay::emulator {
namespace {

using spec::Format;

struct MmaSyncForm {
  const Format* a;
  const Format* b;
  const Format* d;   ///< of C too
  uint32_t m, n, k;  ///< k: of a sparse A, the elements that it holds of a row
  bool saturates;
  uint32_t a_registers, b_registers, d_registers;
  bool is_sparse = false;
  uint32_t selector = 0;  ///< lanes that have the metadata

  uint32_t b_k() const { return is_sparse ? 2 * k : k; }
};

/// The bytes of a fragment, row after row of `row_bytes`. True if never-written memory is among it.
template <typename Cell>
bool collect_mma_sync(const Step& step, const Operand& operand, uint32_t registers, uint32_t row_bytes,
                      uint8_t* bytes, Cell cell) {
  bool is_tainted = false;
  for (uint32_t i = 0; i < registers; ++i)
    for (int lane = 0; lane < warp_lanes; ++lane) {
      const FragmentCell at = cell(static_cast<uint32_t>(lane), i);
      const auto word = static_cast<uint32_t>(step.value(operand.part(i), lane));
      std::memcpy(bytes + at.row * row_bytes + at.column, &word, 4);
      is_tainted |= step.tainted(operand.part(i), lane);
    }
  return is_tainted;
}

/// Calls f(lane, register, half, index in rows of n) for every element of C and D.
template <typename F>
void for_sums(const MmaSyncForm& form, uint32_t (*row_of)(uint32_t), F f) {
  for_accumulators(form.d_registers, form.d->storage_bits == 16, form.m,
                   [&](int lane, uint32_t i, uint32_t half, FragmentCell at) {
                     f(lane, i, half, (row_of == nullptr ? at.row : row_of(at.row)) * form.n + at.column);
                   });
}

/// What the kept elements of each row meet of each column of B: 16 rows of n * k codes. True if never-written
/// memory is among the metadata.
bool meet_mma_sync(const Step& step, const MmaSyncForm& form, const uint32_t* b, std::vector<uint32_t>& met) {
  const TensorSteps& steps = tensor_steps_for(step.cluster.settings());
  const uint32_t groups = form.k / kept_of_code(*form.a);
  bool is_tainted = false;
  met.resize(size_t{form.m} * form.n * form.k);
  std::vector<uint32_t> codes(groups);
  for (uint32_t row = 0; row < form.m; ++row) {
    read_codes(steps, {form.a, groups, form.selector, row}, codes, [&](int lane) {
      is_tainted |= step.tainted(step.operand(4), lane);
      return static_cast<uint32_t>(step.value(step.operand(4), lane));
    });
    meet_row(*form.a, form.k, codes.data(), b, form.n, met.data() + size_t{row} * form.n * form.k);
  }
  return is_tainted;
}

uint32_t execute_mma_sync(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const MmaSyncForm& form = step.data<MmaSyncForm>();
  const Settings& settings = step.cluster.settings();
  const auto place = form.m == 16 ? tensor_steps_for(settings).fragment_row : nullptr;
  const auto bits = static_cast<uint32_t>(form.a->storage_bits), row_bytes = form.k * bits / 8,
             b_bytes_of_row = form.b_k() * bits / 8;
  // A legal instruction, and one that the chip does not do (H200, SP-05).
  if (form.selector > 1 && form.k == 16 && bits == 16)
    step.fail(Diagnostic::Kind::illegal_instruction, 0,
              "mma.sp m16n8k32 has sparsity selectors 0 and 1, not " + std::to_string(form.selector));
  uint8_t a_row[16 * 32], b_row[8 * 64];
  bool is_tainted = collect_mma_sync(
      step, step.operand(1), form.a_registers, row_bytes, a_row,
      [&](uint32_t lane, uint32_t i) { return form.m == 8 ? b_bytes(lane, i) : a_bytes(lane, i); });
  is_tainted |= collect_mma_sync(step, step.operand(2), form.b_registers, b_bytes_of_row, b_row, b_bytes);
  uint32_t a[16 * 64], b[8 * 128], d[16 * 8] = {};
  for (uint32_t row = 0; row < form.m; ++row)
    for (uint32_t k = 0; k < form.k; ++k) a[row * form.k + k] = row_element(a_row + row * row_bytes, bits, k);
  for (uint32_t column = 0; column < form.n; ++column)
    for (uint32_t k = 0; k < form.b_k(); ++k)
      b[column * form.b_k() + k] = row_element(b_row + column * b_bytes_of_row, bits, k);
  for_sums(form, place, [&](int lane, uint32_t i, uint32_t half, uint32_t at) {
    const Operand& c = step.operand(3).part(i);
    d[at] = static_cast<uint32_t>(step.value(c, lane)) >> (16 * half);
    is_tainted |= step.tainted(c, lane);
  });
  TileProduct product{};
  product.adder = Adder::mma_sync, product.target = settings.target;
  product.sm = step.cluster.launch.multiprocessor(step.cta);
  product.a_format = form.a, product.b_format = form.b, product.d_format = form.d;
  product.m = form.m, product.n = form.n, product.k = form.k;
  product.saturates = form.saturates;
  if (form.is_sparse) {  // each row meets elements of its own
    std::vector<uint32_t> met;
    is_tainted |= meet_mma_sync(step, form, b, met);
    product.m = 1;
    for (uint32_t row = 0; row < form.m; ++row) {
      product.a = {a + row * form.k, form.k};
      product.b = std::span(met).subspan(size_t{row} * form.n * form.k, size_t{form.n} * form.k);
      product.d = {d + row * form.n, form.n};
      multiply_tile(product, settings);
    }
  } else {
    product.a = {a, form.m * form.k}, product.b = {b, form.n * form.k}, product.d = {d, form.m * form.n};
    multiply_tile(product, settings);
  }
  uint32_t words[4][warp_lanes] = {};
  for_sums(form, place, [&](int lane, uint32_t i, uint32_t half, uint32_t at) {
    words[i][lane] |= form.d->storage_bits == 16 ? (d[at] & 0xffff) << (16 * half) : d[at];
  });
  for (uint32_t i = 0; i < form.d_registers; ++i)
    for (int lane = 0; lane < warp_lanes; ++lane)
      step.set(step.operand(0).part(i), lane, words[i][lane], is_tainted);
  return step.mask;
}

/// f64: A register r holds row g + 8 (r mod 2), k = q + 4 (r / 2); B register r: column g, k = q + 4 r.
uint32_t execute_f64(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const MmaSyncForm& form = step.data<MmaSyncForm>();
  uint64_t a[16][16], b[8][16], d[16][8];
  bool is_tainted = false;
  const auto get = [&](size_t operand, uint32_t i, int lane) {
    is_tainted |= step.tainted(step.operand(operand).part(i), lane);
    return step.value(step.operand(operand).part(i), lane);
  };
  const auto cell = [&](uint32_t lane, uint32_t i) {
    return form.m == 8 ? accumulator_cell_m8(lane, i) : accumulator_cell(lane, i);
  };
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const auto g = static_cast<uint32_t>(lane) / 4, q = static_cast<uint32_t>(lane) % 4;
    const uint32_t rows = form.m / 8;
    for (uint32_t i = 0; i < form.a_registers; ++i)
      a[g + 8 * (i % rows)][q + 4 * (i / rows)] = get(1, i, lane);
    for (uint32_t i = 0; i < form.b_registers; ++i) b[g][q + 4 * i] = get(2, i, lane);
    for (uint32_t i = 0; i < form.d_registers; ++i) {
      const FragmentCell at = cell(static_cast<uint32_t>(lane), i);
      d[at.row][at.column] = get(3, i, lane);
    }
  }
  const auto fused = tensor_steps_for(step.cluster.settings()).fused;
  for (uint32_t row = 0; row < form.m; ++row)
    for (uint32_t column = 0; column < form.n; ++column)
      for (uint32_t k = 0; k < form.k; ++k) {
        const uint64_t right = f64_multiply_add(a[row][k], b[column][k], d[row][column]);
        d[row][column] = fused == nullptr ? right : fused(a[row][k], b[column][k], d[row][column], right);
      }
  for (uint32_t i = 0; i < form.d_registers; ++i)
    for (int lane = 0; lane < warp_lanes; ++lane) {
      const FragmentCell at = cell(static_cast<uint32_t>(lane), i);
      step.set(step.operand(0).part(i), lane, d[at.row][at.column], is_tainted);
    }
  return step.mask;
}

struct MmaSyncShape {
  std::string_view text;
  uint32_t m, n, k;
};
constexpr MmaSyncShape mma_sync_shapes[] = {
    {"m16n8k128", 16, 8, 128}, {"m16n8k4", 16, 8, 4},   {"m16n8k8", 16, 8, 8},
    {"m16n8k16", 16, 8, 16},   {"m16n8k32", 16, 8, 32}, {"m16n8k64", 16, 8, 64},
    {"m8n8k4", 8, 8, 4},       {"m8n8k16", 8, 8, 16},   {"m8n8k32", 8, 8, 32}};

bool is_legal_of_mma_sync(const MmaSyncForm& form) {
  const std::string_view a = form.a->name, b = form.b->name, d = form.d->name;
  const bool is_m8 = form.m == 8;
  if (a == "f64") return b == a && d == a && (is_m8 ? form.k == 4 : form.k <= 16);
  if (a == "f16") return b == a && !is_m8 && (d == "f32" || d == "f16") && (form.k == 8 || form.k == 16);
  if (a == "bf16") return b == a && !is_m8 && d == "f32" && (form.k == 8 || form.k == 16);
  if (a == "tf32") return b == a && !is_m8 && d == "f32" && (form.k == 4 || form.k == 8);
  if (a == "e4m3" || a == "e5m2")
    return (b == "e4m3" || b == "e5m2") && !is_m8 && (d == "f32" || d == "f16") &&
           (form.k == 16 || form.k == 32);
  if (!form.a->is_integer() || !form.b->is_integer() || d != "s32" ||
      form.a->storage_bits != form.b->storage_bits)
    return false;
  if (form.a->storage_bits == 8) return form.k == 16 || (!is_m8 && form.k == 32);
  return form.a->storage_bits == 4 && (form.k == 32 || (!is_m8 && form.k == 64));
}

/// Those of mma.sp, k being of the kept elements (ptx, mma.sp; ptxas refuses f16 D of fp8 for sm_90a).
bool is_legal_sparse(const MmaSyncForm& form) {
  const std::string_view a = form.a->name, b = form.b->name, d = form.d->name;
  if (form.m != 16) return false;
  const uint32_t row_bits = form.k * static_cast<uint32_t>(form.a->storage_bits);
  if (a == "e4m3" || a == "e5m2") return (b == "e4m3" || b == "e5m2") && d == "f32" && row_bits == 256;
  if (row_bits != 256 && row_bits != 128) return false;
  if (a == "f16") return b == a && (d == "f32" || d == "f16");
  if (a == "bf16" || a == "tf32") return b == a && d == "f32";
  return form.a->is_integer() && form.b->is_integer() && d == "s32" && form.a->storage_bits <= 8 &&
         form.a->storage_bits == form.b->storage_bits;
}

/// Selectors that ptxas takes: one of four lanes, one of two pairs of lanes, or none.
uint64_t selectors_of(const MmaSyncForm& form) {
  const uint32_t row_bits = form.k * static_cast<uint32_t>(form.a->storage_bits);
  if (form.a->storage_bits < 16) return row_bits == 128 ? 2 : 1;
  // The chip faults where m16n8k32 has 2 or 3, which ptxas takes (SP-05).
  return row_bits == 128 || (form.a->name == "f16" && form.d->name == "f32") ? 4 : 2;
}

std::optional<LoweringError> lower_mma_sync(const Opcode& opcode, Target target, Instruction& instruction) {
  if (opcode.has("b1")) return unsupported(opcode, "matrices of single bits");
  for (const std::string& qualifier : opcode.qualifiers)
    if (qualifier.starts_with("kind::")) return lower_mma_kind(opcode, target, instruction);
  // sync.aligned.SHAPE.row.col[.satfinite].D.A.B.C: the order of the types carries meaning.
  if (!opcode.has("sync") || !opcode.has("aligned") || !opcode.has("row") || !opcode.has("col") ||
      opcode.qualifiers.size() < 4)
    return unknown_opcode(opcode);
  MmaSyncForm form{};
  form.is_sparse = opcode.has("sp") || opcode.has("sp::ordered_metadata");
  std::vector<const Format*> types;
  for (const std::string& qualifier : opcode.qualifiers) {
    const MmaSyncShape* shape = nullptr;
    for (const MmaSyncShape& row : mma_sync_shapes)
      if (row.text == qualifier) shape = &row;
    if (shape != nullptr)
      form.m = shape->m, form.n = shape->n, form.k = shape->k;
    else if (const Format* format = spec::find_format(qualifier))
      types.push_back(format);
    else if (qualifier == "satfinite")
      form.saturates = true;
    else if (qualifier != "sync" && qualifier != "aligned" && qualifier != "row" && qualifier != "col" &&
             qualifier != "sp" && qualifier != "sp::ordered_metadata")
      return unknown_opcode(opcode);
  }
  if (form.m == 0 || types.size() != 4 || types[0] != types[3]) return unknown_opcode(opcode);
  form.d = types[0], form.a = types[1], form.b = types[2];
  if (opcode.has("m8n8k4") && form.a->name == "f16") return unsupported(opcode, "the m8n8k4 form of f16");
  if (form.is_sparse) form.k /= 2;
  if (!(form.is_sparse ? is_legal_sparse(form) : is_legal_of_mma_sync(form)) ||
      (form.saturates && !form.a->is_integer()))
    return unknown_opcode(opcode);

  const bool is_f64 = form.a->storage_bits == 64;
  const auto row_bytes = form.k * static_cast<uint32_t>(form.a->storage_bits) / 8;
  form.a_registers = is_f64 ? form.m * form.k / warp_lanes : form.m == 8 ? 1 : row_bytes / 8;
  form.b_registers =
      is_f64 ? form.n * form.k / warp_lanes : form.b_k() * static_cast<uint32_t>(form.a->storage_bits) / 128;
  form.d_registers = form.d->storage_bits == 16 ? 2 : form.m / 4;
  const uint32_t width = is_f64 ? 64 : 32;
  const auto& operands = instruction.operands;
  const size_t count = form.is_sparse ? 6 : 4;
  const bool has_metadata =
      !form.is_sparse || (operands.size() == count && is_fragment(operands[4], 1, 32, true) &&
                          operands[5].is_immediate && operands[5].immediate < selectors_of(form));
  if (operands.size() != count || !has_metadata || !is_fragment(operands[0], form.d_registers, width, true) ||
      !is_fragment(operands[1], form.a_registers, width, false) ||
      !is_fragment(operands[2], form.b_registers, width, false) ||
      !is_fragment(operands[3], form.d_registers, width, false))
    return wrong_operands(
        opcode, "vectors of " + std::to_string(form.d_registers) + ", " + std::to_string(form.a_registers) +
                    ", " + std::to_string(form.b_registers) + " and " + std::to_string(form.d_registers) +
                    " registers of " + std::to_string(width) + " bits" +
                    (form.is_sparse ? ", a register of metadata and a selector below " +
                                          std::to_string(selectors_of(form))
                                    : ""));
  if (form.is_sparse) form.selector = static_cast<uint32_t>(operands[5].immediate);
  instruction.data = std::make_shared<const MmaSyncForm>(form);
  instruction.execute = is_f64 ? execute_f64 : execute_mma_sync;
  return std::nullopt;
}

const RegisteredFamily sync_mma("mma", lower_mma_sync);

}  // namespace

bool is_whole_warp(const Step& step) {
  if (step.warp.live != ~0u)
    step.fail(Diagnostic::Kind::illegal_instruction, __builtin_ctz(step.mask),
              "'" + step.instruction.opcode->text +
                  "' needs all 32 lanes of its warp, and some have exited or were never started");
  return step.mask == ~0u;
}

bool is_fragment(const Operand& operand, uint32_t registers, uint32_t bits, bool is_destination) {
  const bool is_vector = operand.kind == Operand::Kind::vector;
  if ((!is_vector && operand.kind != Operand::Kind::value) ||
      (is_vector ? operand.items.size() : 1) != registers)
    return false;
  for (uint32_t i = 0; i < registers; ++i) {
    const Operand& one = operand.part(i);
    if (one.kind != Operand::Kind::value || (is_destination && !one.is_register)) return false;
    if (one.bits != bits && !one.is_immediate) return false;
  }
  return true;
}

}  // namespace assay::emulator
