// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/warp_product.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/steps.h"

// mma.sync and mma.sp with .kind::f8f6f4, mxf8f6f4, mxf4 and mxf4nvf4 (ptx, Warp-level matrix: mma, mma.sp,
// block scaling).
namespace assay::emulator {
namespace {

using spec::Format;

/// The element in a byte of its own: 8 bits, the low 6, or 4 in the middle (cutlass, fp4_shift_A).
uint32_t element_of_byte(const Format& format, uint8_t byte) {
  return format.storage_bits == 4 ? byte >> 2 & 0xfu : byte & static_cast<uint32_t>(format.code_mask());
}

struct KindLines {
  uint8_t bytes[16][64];
  bool is_tainted = false;
};

void collect(const Step& step, const Operand& operand, FragmentCell (*cell)(uint32_t, uint32_t),
             KindLines& lines) {
  for (uint32_t i = 0; i < operand.items.size(); ++i)
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const FragmentCell at = cell(lane, i);
      const auto word = static_cast<uint32_t>(step.value(operand.items[i], static_cast<int>(lane)));
      for (uint32_t j = 0; j < 4; ++j)
        lines.bytes[at.row][at.column + j] = static_cast<uint8_t>(word >> (8 * j));
      lines.is_tainted |= step.tainted(operand.items[i], static_cast<int>(lane));
    }
}

void read_elements(const KindForm& form, const Format& format, const KindLines& lines, uint32_t count,
                   uint32_t of_line, uint32_t* codes) {
  for (uint32_t line = 0; line < count; ++line)
    for (uint32_t k = 0; k < of_line; ++k)
      *codes++ = form.is_packed() ? row_element(lines.bytes[line], 4, k)
                                  : element_of_byte(format, lines.bytes[line][k]);
}

/// A selector, the same in all lanes of the warp (ptx: otherwise undefined).
uint32_t selector(const Step& step, const Operand& operand, uint32_t most, uint32_t unit) {
  const auto value = static_cast<uint32_t>(step.value(operand, 0));
  for (int lane = 1; lane < warp_lanes; ++lane)
    if (static_cast<uint32_t>(step.value(operand, lane)) != value)
      step.fail(Diagnostic::Kind::illegal_instruction, lane,
                "a selector of scales differs between the threads of the warp");
  if (value > most || value % unit != 0)
    step.fail(Diagnostic::Kind::illegal_instruction, 0,
              "a selector of scales is " + std::to_string(value) + ", which this kind does not have");
  return value;
}

/// The scales of A or of B, which are the last four operands, line after line.
void read_scales(const Step& step, const KindForm& form, bool is_a, uint8_t* scales, bool& is_tainted) {
  const size_t first = (form.is_sparse ? 6 : 4) + (is_a ? 0 : 2);
  const Operand& word = step.operand(first).part(0);
  const auto& ids = step.operand(first + 1).items;
  const uint32_t blocks = form.k / form.scale_block;
  const TensorSteps& steps = tensor_steps_for(step.cluster.settings());
  FragmentScaleRequest request{
      is_a, 0, 0, selector(step, ids[0], 3, blocks), selector(step, ids[1], is_a ? 1 : 3, 1), form.is_sparse};
  for (request.line = 0; request.line < (is_a ? 16u : 8u); ++request.line)
    for (request.block = 0; request.block < blocks; ++request.block) {
      const FragmentScale at = steps.scale != nullptr ? steps.scale(request) : fragment_scale(request);
      const auto lane = static_cast<int>(at.lane);
      *scales++ = static_cast<uint8_t>(step.value(word, lane) >> (8 * at.byte));
      is_tainted |= step.tainted(word, lane);
    }
}

/// What the kept elements of a row meet of each column of B, 8 * k codes: four bits stand for two elements in
/// bytes of their own, or for two pairs of packed ones.
void meet(const Step& step, const KindForm& form, uint32_t row, const uint32_t* b, uint32_t* met,
          bool& is_tainted) {
  static const Format* const bytes = spec::find_format("e4m3");
  const Format& element = form.is_packed() ? *form.a : *bytes;
  uint32_t codes[16];
  const uint32_t groups = form.k / kept_of_code(element);
  const Operand& metadata = step.operand(4).part(0);
  const TensorSteps& steps = tensor_steps_for(step.cluster.settings());
  read_codes(steps, {&element, groups, 0, row}, {codes, groups}, [&](int lane) {
    is_tainted |= step.tainted(metadata, lane);
    return static_cast<uint32_t>(step.value(metadata, lane));
  });
  meet_row(element, form.k, codes, b, 8, met);
  if (steps.kind_met != nullptr) steps.kind_met({form, row, codes, b}, met);
}

/// Each row of a sparse A meets elements of B of its own.
void multiply_kind_rows(const Step& step, const KindForm& form, const TileProduct& whole, const uint32_t* b,
                        bool& is_tainted) {
  TileProduct product = whole;
  product.m = 1;
  uint32_t met[8 * 64];
  for (uint32_t row = 0; row < 16; ++row) {
    meet(step, form, row, b, met, is_tainted);
    product.a = whole.a.subspan(size_t{row} * form.k, form.k);
    product.b = {met, 8 * form.k};
    product.d = whole.d.subspan(size_t{row} * 8, 8);
    if (form.scale != nullptr) {
      const uint32_t blocks = form.k / form.scale_block;
      product.a_scales = whole.a_scales.subspan(size_t{row} * blocks, blocks);
    }
    multiply_tile(product, step.cluster.settings());
  }
}

uint32_t execute(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const KindForm& form = step.data<KindForm>();
  const Settings& settings = step.cluster.settings();
  KindLines a_lines, b_lines;
  collect(step, step.operand(1), a_bytes, a_lines);
  collect(step, step.operand(2), b_bytes, b_lines);
  bool is_tainted = a_lines.is_tainted || b_lines.is_tainted;
  uint32_t a[16 * 64], b[8 * 128], d[16 * 8] = {};
  read_elements(form, *form.a, a_lines, 16, form.k, a);
  read_elements(form, *form.b, b_lines, 8, form.b_k(), b);
  uint8_t a_scales[16 * 4], b_scales[8 * 4];
  TileProduct product{};
  product.adder = Adder::mma_kind, product.target = settings.target;
  product.a_format = form.a, product.b_format = form.b, product.d_format = form.d;
  product.m = 16, product.n = 8, product.k = form.k, product.is_sparse = form.is_sparse;
  product.a = {a, 16 * form.k}, product.b = {b, 8 * form.b_k()}, product.d = d;
  if (form.scale != nullptr) {
    read_scales(step, form, true, a_scales, is_tainted);
    read_scales(step, form, false, b_scales, is_tainted);
    product.scale_format = form.scale, product.scale_block = form.scale_block;
    product.adds_groups = form.is_packed();
    product.a_scales = {a_scales, 16 * form.k / form.scale_block};
    product.b_scales = {b_scales, 8 * form.k / form.scale_block};
  }
  const bool is_half = form.d->storage_bits == 16;
  const auto each = [&](auto f) {
    for_accumulators(form.d_registers(), is_half, 16,
                     [&](int lane, uint32_t i, uint32_t half, FragmentCell at) {
                       f(lane, i, half, d[at.row * 8 + at.column]);
                     });
  };
  each([&](int lane, uint32_t i, uint32_t half, uint32_t& code) {
    const Operand& c = step.operand(3).items[i];
    code = static_cast<uint32_t>(step.value(c, lane)) >> (16 * half);
    is_tainted |= step.tainted(c, lane);
  });
  if (form.is_sparse)
    multiply_kind_rows(step, form, product, b, is_tainted);
  else
    multiply_tile(product, settings);
  uint32_t words[4][warp_lanes] = {};
  each([&](int lane, uint32_t i, uint32_t half, uint32_t code) {
    words[i][lane] |= is_half ? (code & 0xffff) << (16 * half) : code;
  });
  for (uint32_t i = 0; i < form.d_registers(); ++i)
    for (int lane = 0; lane < warp_lanes; ++lane)
      step.set(step.operand(0).items[i], lane, words[i][lane], is_tainted);
  return step.mask;
}

/// {byte-id, thread-id}: 16-bit registers, or numbers that the kind has.
bool are_ids(const Operand& operand, uint32_t unit, uint32_t most_thread) {
  if (operand.kind != Operand::Kind::vector || operand.items.size() != 2) return false;
  const Operand &byte = operand.items[0], &thread = operand.items[1];
  const auto fits = [](const Operand& id, uint32_t most, uint32_t step) {
    if (id.kind != Operand::Kind::value) return false;
    return id.is_immediate ? id.immediate <= most && id.immediate % step == 0 : id.bits == 16;
  };
  return fits(byte, 3, unit) && fits(thread, most_thread, 1);
}

bool is_zero(const Operand& operand) {
  return operand.kind == Operand::Kind::value && operand.is_immediate && operand.immediate == 0;
}

bool is_narrow(const Format* format) {
  for (const std::string_view name : {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"})
    if (format->name == name) return true;
  return false;
}

/// Scales of a row by kind, vector and type; 0: they do not go together.
uint32_t scale_count(const Opcode& opcode, std::string_view type) {
  struct Row {
    std::string_view kind, vector, type;
    uint32_t count;
  };
  constexpr Row rows[] = {{"kind::mxf8f6f4", "", "ue8m0", 1},
                          {"kind::mxf8f6f4", "scale_vec::1X", "ue8m0", 1},
                          {"kind::mxf4", "", "ue8m0", 2},
                          {"kind::mxf4", "scale_vec::2X", "ue8m0", 2},
                          {"kind::mxf4nvf4", "scale_vec::2X", "ue8m0", 2},
                          {"kind::mxf4nvf4", "scale_vec::4X", "ue4m3", 4}};
  std::string_view vector;
  for (const std::string& qualifier : opcode.qualifiers)
    if (qualifier.starts_with("scale_vec::")) {
      if (!vector.empty()) return 0;
      vector = qualifier;
    }
  for (const Row& row : rows)
    if (opcode.has(row.kind) && row.vector == vector && row.type == type) return row.count;
  return 0;
}

}  // namespace

std::optional<LoweringError> lower_mma_kind(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!facts_of(target).has_mma_kinds)
    return LoweringError{Diagnostic::Kind::unknown_instruction,
                         "'" + opcode.text + "': .kind on mma.sync and mma.sp requires sm_120a"};
  std::vector<const Format*> types;
  int kinds = 0, shapes = 0;
  bool is_scaled = false;
  for (const std::string& qualifier : opcode.qualifiers) {
    if (qualifier.starts_with("kind::"))
      ++kinds;
    else if (qualifier == "m16n8k32" || qualifier == "m16n8k64" || qualifier == "m16n8k128")
      ++shapes;
    else if (qualifier == "block_scale")
      is_scaled = true;
    else if (const Format* format = spec::find_format(qualifier))
      types.push_back(format);
    else if (qualifier != "sync" && qualifier != "aligned" && qualifier != "row" && qualifier != "col" &&
             qualifier != "sp::ordered_metadata" && !qualifier.starts_with("scale_vec::"))
      return unknown_opcode(opcode);
  }
  const bool is_plain = opcode.has("kind::f8f6f4");
  if (kinds != 1 || shapes != 1 || is_scaled == is_plain || !opcode.has("sync") || !opcode.has("aligned") ||
      !opcode.has("row") || !opcode.has("col") || types.size() != (is_scaled ? 5u : 4u) ||
      types[0] != types[3] || !is_narrow(types[1]) || !is_narrow(types[2]))
    return unknown_opcode(opcode);
  KindForm form{types[1], types[2], types[0]};
  form.is_sparse = opcode.has("sp::ordered_metadata");
  const uint32_t k = opcode.has("m16n8k128") ? 128 : opcode.has("m16n8k64") ? 64 : 32;
  form.k = form.is_sparse ? k / 2 : k;
  const bool is_f32 = form.d->name == "f32";
  const bool is_packed = opcode.has("kind::mxf4") || opcode.has("kind::mxf4nvf4");
  if (form.k != (is_packed ? 64u : 32u) || !(is_f32 || (is_plain && form.d->name == "f16")) ||
      (is_packed && (form.a->name != "e2m1" || form.b->name != "e2m1")))
    return unknown_opcode(opcode);
  uint32_t scales = 0;
  if (is_scaled) {
    scales = scale_count(opcode, types[4]->name);
    if (scales == 0) return unknown_opcode(opcode);
    form.scale = types[4], form.scale_block = form.k / scales;
  } else {
    for (const std::string& qualifier : opcode.qualifiers)
      if (qualifier.starts_with("scale_vec::")) return unknown_opcode(opcode);
  }
  const auto& operands = instruction.operands;
  const uint32_t d_registers = form.d_registers(), b_registers = form.b_registers();
  const size_t scale = form.is_sparse ? 6 : 4;
  if (operands.size() != scale + (is_scaled ? 4 : 0) || !is_fragment(operands[0], d_registers, 32, true) ||
      !is_fragment(operands[1], 4, 32, false) || !is_fragment(operands[2], b_registers, 32, false) ||
      !is_fragment(operands[3], d_registers, 32, false) ||
      (form.is_sparse && !(is_fragment(operands[4], 1, 32, true) && is_zero(operands[5]))) ||
      (is_scaled &&
       (!is_fragment(operands[scale], 1, 32, false) || !are_ids(operands[scale + 1], scales, 1) ||
        !is_fragment(operands[scale + 2], 1, 32, false) || !are_ids(operands[scale + 3], scales, 3))))
    return wrong_operands(
        opcode, "vectors of D, 4 of A, " + std::to_string(b_registers) + " of B and of C" +
                    (form.is_sparse ? ", a register of metadata and the selector 0" : "") +
                    (is_scaled ? ", and of A and of B each a word of scales and {byte-id, thread-id}" : ""));
  instruction.data = std::make_shared<const KindForm>(form);
  instruction.execute = execute;
  return std::nullopt;
}

}  // namespace assay::emulator
