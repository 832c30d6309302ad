// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_desc.h"

#include <cstdio>

#include "devices/emulator/tensor/field.h"
#include "reference/spec/instr_desc.h"

namespace assay::emulator {
namespace {

/// The type that a code of A or B names. f16 and tf32 are one opcode, so either kind takes the codes of both.
const spec::Format* operand_format(MmaKind kind, uint32_t code) {
  switch (kind) {
    case MmaKind::f16:
    case MmaKind::tf32:
      return code == 0   ? &spec::format("f16")
             : code == 1 ? &spec::format("bf16")
             : code == 2 ? &spec::format("tf32")
                         : nullptr;
    case MmaKind::f8f6f4:
      return code == 0   ? &spec::format("e4m3")
             : code == 1 ? &spec::format("e5m2")
             : code == 3 ? &spec::format("e2m3")
             : code == 4 ? &spec::format("e3m2")
             : code == 5 ? &spec::format("e2m1")
                         : nullptr;
    case MmaKind::mxf8f6f4:
    case MmaKind::mxf4:
    case MmaKind::mxf4nvf4:
      return nullptr;  // their descriptor is another
    case MmaKind::i8:
      return code == 0 ? &spec::format("u8") : code == 1 ? &spec::format("s8") : nullptr;
  }
  return nullptr;
}

const spec::Format* accumulator_format(MmaKind kind, uint32_t code) {
  if (kind == MmaKind::i8) return code == 2 ? &spec::format("s32") : nullptr;
  return code == 0 ? &spec::format("f16") : code == 1 ? &spec::format("f32") : nullptr;
}

bool is_step(uint32_t n, uint32_t first, uint32_t step) {
  return n >= first && n <= 256 && n % step == 0;
}

/// (ptx, tcgen05, Matrix Shape: combinations of .kind and shapes)
bool has_shape(const MmaForm& form, uint32_t m, uint32_t n) {
  if (form.is_ws)
    return form.cta_group == 1 && (m == 32 || m == 64 || m == 128) &&
           (n == 64 || n == 128 || (n == 256 && !form.is_sparse));
  const bool is_i8 = form.kind == MmaKind::i8;
  if (form.cta_group == 2) return (m == 128 || m == 256) && is_step(n, is_i8 ? 32 : 16, is_i8 ? 32 : 16);
  if (m != 64 && m != 128) return false;
  return is_i8 ? n == 8 || n == 24 || is_step(n, 16, 16) : is_step(n, 8, 8);
}

}  // namespace

std::string DescriptorRefusal::sentence() const {
  char hex[12];
  std::snprintf(hex, sizeof hex, "%x", word);
  std::string text = std::string("the instruction descriptor 0x") + hex + " ";
  size_t number = 0;
  for (const char c : what) c == '#' ? text += std::to_string(numbers[number++]) : text += c;
  return text;
}

std::variant<InstructionDescriptor, DescriptorRefusal> decode_instruction_descriptor(
    uint32_t word, const MmaForm& form, Target target, const DeviceReadings& readings) {
  using namespace spec::idesc;
  if (is_scaled(form.kind)) return decode_scaled_descriptor(word, form, target, readings);
  const auto wrong = [&](std::string_view what, uint32_t first = 0, uint32_t second = 0) {
    return DescriptorRefusal{word, what, {first, second}};
  };
  for (const spec::Field& one : plain_fields)
    if (one.kind == spec::FieldKind::reserved && field(word, one) != 0)
      return wrong("is not 0 in its reserved bit #", one.parts[0].lsb);
  if (field(word, sparse) != form.is_sparse)
    return wrong(form.is_sparse ? "says dense (bit 2); the instruction is sparse"
                                : "says sparse (bit 2); the instruction is dense");
  const bool may_select = form.is_sparse && (form.kind == MmaKind::f16 || form.kind == MmaKind::tf32);
  if (field(word, sparsity_selector) != 0 && !may_select)
    return wrong("has a sparsity selector (bits 0, 1), which only sparse kinds f16 and tf32 have");
  InstructionDescriptor d;
  d.is_sparse = form.is_sparse;
  d.sparsity_selector = field(word, sparsity_selector);
  d.a = operand_format(form.kind, field(word, a_type));
  d.b = operand_format(form.kind, field(word, b_type));
  d.d = accumulator_format(form.kind, field(word, d_type));
  if (d.a == nullptr) return wrong("has code # for A, which the kind lacks", field(word, a_type));
  if (d.b == nullptr) return wrong("has code # for B, which the kind lacks", field(word, b_type));
  if (d.d == nullptr) return wrong("has code # for D, which the kind lacks", field(word, d_type));
  const spec::Format *const f16 = &spec::format("f16"), *const tf32 = &spec::format("tf32");
  const bool a_is_tf32 = d.a == tf32, b_is_tf32 = d.b == tf32;
  if (a_is_tf32 != b_is_tf32) return wrong("multiplies tf32 by a type of 16 bits");
  if (readings.is({"NUM-AMB-05", "refused"}) && d.a != d.b && form.kind != MmaKind::f8f6f4 &&
      form.kind != MmaKind::i8)
    return wrong("multiplies f16 by bf16");
  if (d.d == f16) {
    const bool from_f16 = d.a == f16 && d.b == f16;
    if (form.kind == MmaKind::f8f6f4 ? readings.is({"AMB-30", "refused"}) : !from_f16)
      return wrong("has D of f16, which needs A and B of f16");
  }
  d.saturates = field(word, saturate) != 0;
  d.negate_a = field(word, negate_a) != 0;
  d.negate_b = field(word, negate_b) != 0;
  d.transpose_a = field(word, transpose_a) != 0;
  d.transpose_b = field(word, transpose_b) != 0;
  d.m = field(word, m) * 16;
  d.n = field(word, n) * 8;
  d.max_shift = field(word, max_shift) == 0 ? 0 : 4u << field(word, max_shift);
  const bool is_i8 = form.kind == MmaKind::i8;
  if (d.saturates && !is_i8) return wrong("saturates (bit 3), which requires kind::i8");
  if (is_i8 && (d.negate_a || d.negate_b)) return wrong("negates (bits 13, 14), which kind::i8 does not");
  if (d.max_shift != 0 && !form.is_ws) return wrong("has a maximum shift (bits 30, 31), which requires .ws");
  if (d.transpose_a && form.a_in_tmem) return wrong("transposes A (bit 15), which lies in tensor memory");
  if (!has_shape(form, d.m, d.n))
    return wrong("has the shape M #, N #, which the instruction lacks", d.m, d.n);
  const uint32_t step = form.cta_group == 2 ? 32 : 16;
  if (d.transpose_b && d.b->storage_bits == 8 && d.n % step != 0)
    return wrong("transposes B of 8 bits (bit 16), for which N is a multiple of #", step);
  return d;
}

}  // namespace assay::emulator
