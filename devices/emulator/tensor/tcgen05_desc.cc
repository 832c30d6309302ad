// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_desc.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "reference/spec/zero_column_mask.h"

namespace assay::emulator {
namespace {

/// The type that a code of a kind with elements in bytes names.
const spec::Format* byte_format(uint32_t code) {
  constexpr const spec::Format* formats[] = {
      &spec::format("e4m3"), &spec::format("e5m2"), nullptr,
      &spec::format("e2m3"), &spec::format("e3m2"), &spec::format("e2m1")};
  return code < std::size(formats) ? formats[code] : nullptr;
}

/// The type that a code of A or B names. f16 and tf32 are one opcode, so either kind takes the codes of both.
const spec::Format* operand_format(MmaKind kind, uint32_t code) {
  if (facts_of(kind).holds_bytes) return byte_format(code);
  if (facts_of(kind).is_integer)
    return code == 0 ? &spec::format("u8") : code == 1 ? &spec::format("s8") : nullptr;
  return code == 0   ? &spec::format("f16")
         : code == 1 ? &spec::format("bf16")
         : code == 2 ? &spec::format("tf32")
                     : nullptr;
}

const spec::Format* accumulator_format(MmaKind kind, uint32_t code) {
  if (facts_of(kind).is_integer) return code == 2 ? &spec::format("s32") : nullptr;
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
  const bool is_i8 = facts_of(form.kind).is_integer;
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
  if (has_block_scaling(form.kind)) return decode_scaled_descriptor(word, form, target, readings);
  const auto wrong = [&](std::string_view what, uint32_t first = 0, uint32_t second = 0) {
    return DescriptorRefusal{word, what, {first, second}};
  };
  for (const spec::Field& one : plain_fields)
    if (one.kind == spec::FieldKind::reserved && field(word, one) != 0)
      return wrong("is not 0 in its reserved bit #", one.parts[0].lsb);
  if (field(word, sparse) != form.is_sparse)
    return wrong(form.is_sparse ? "says dense (bit 2); the instruction is sparse"
                                : "says sparse (bit 2); the instruction is dense");
  const bool may_select = form.is_sparse && facts_of(form.kind).takes_factor;
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
  if (readings.is({"NUM-AMB-05", "refused"}) && d.a != d.b && !facts_of(form.kind).holds_bytes &&
      !facts_of(form.kind).is_integer)
    return wrong("multiplies f16 by bf16");
  if (d.d == f16) {
    const bool from_f16 = d.a == f16 && d.b == f16;
    if (facts_of(form.kind).holds_bytes ? readings.is({"AMB-30", "refused"}) : !from_f16)
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
  const bool is_i8 = facts_of(form.kind).is_integer;
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

std::variant<ColumnMask, std::string> decode_column_mask(uint64_t word) {
  using namespace spec::zcm;
  for (const spec::Field& one : fields)
    if (one.kind == spec::FieldKind::reserved && field(word, one) != 0) {
      std::ostringstream out;
      out << "the zero-column mask 0x" << std::hex << word << " is not 0 in its reserved bits from "
          << std::dec << one.parts[0].lsb;
      return out.str();
    }
  ColumnMask mask;
  for (size_t i = 0; i < 4; ++i) {
    mask.start_count[i] = field(word, start_count[i]);
    mask.starts_zeroed[i] = field(word, first_span[i]) != 0;
  }
  mask.bit_39 = field(word, generate) != 0;
  mask.skip_span = field(word, skip_span) + 1;
  mask.use_span = field(word, use_span) + 1;
  mask.shift = field(word, column_shift);
  return mask;
}

std::vector<uint8_t> zeroed_columns(const ColumnMask& mask, uint32_t m, uint32_t n,
                                    const DeviceReadings& readings) {
  std::vector<uint8_t> zeroed(n, 0);
  if (mask.bit_39 != readings.is({"AMB-02", "set_generates"})) return zeroed;
  const uint32_t parts = 128 / m, length = n / parts;
  // The examples zero the skip spans, the table's words the use spans.
  uint32_t zeros = mask.skip_span, used = mask.use_span;
  if (readings.is({"AMB-01", "use_spans_zeroed"})) std::swap(zeros, used);
  for (uint32_t part = 0; part < parts; ++part) {
    const uint32_t first = mask.starts_zeroed[part] ? zeros : used;
    uint32_t left = mask.start_count[part];
    if (readings.is({"AMB-03", "span_less_one"})) left = std::min(left, first - 1);
    bool is_zeroed = mask.starts_zeroed[part];
    // Runs follow one another; the first columns of the sequence are gone already.
    uint32_t run = first;
    for (left %= zeros + used; left >= run; run = is_zeroed ? zeros : used) {
      left -= run;
      is_zeroed = !is_zeroed;
    }
    run -= left;
    for (uint32_t column = 0; column < length; ++column) {
      zeroed[part * length + column] = is_zeroed;
      if (--run != 0) continue;
      is_zeroed = !is_zeroed;
      run = is_zeroed ? zeros : used;
    }
  }
  return zeroed;
}

AccumulatorLayout accumulator_layout(const MmaForm& form, uint32_t m, uint32_t n) {
  if (form.cta_group == 2 && m == 256) return {'A', 128, false, 1, 0, n};
  if (form.cta_group == 2 && form.is_sparse) return {'C', 64, true, 1, 0, n};
  if (form.cta_group == 2) return {'B', 64, false, 2, 64, n / 2};
  if (m == 128) return {'D', 128, false, 1, 0, n};
  if (m == 32) return {'G', 32, false, 4, 32, n / 4};
  if (form.is_ws) return {'E', 64, false, 2, 64, n / 2};
  return {'F', 64, true, 1, 0, n};
}

namespace {

template <typename Fields>
int reserved_bit_set(const Fields& fields, uint32_t word) {
  for (const spec::Field& one : fields)
    if (one.kind == spec::FieldKind::reserved && field(word, one) != 0) return one.parts[0].lsb;
  return -1;
}

/// The bytes of a cell that an instruction may begin at (ptx, tcgen05, scale factor data ids).
bool may_begin_at(uint32_t id, uint32_t scales, bool is_k96, const DeviceReadings& readings) {
  if (scales == 1) return true;
  if (scales == 4) return id == 0;
  const bool any = is_k96 && scales == 3 && readings.is({"AMB-12", "by_count_and_k"});
  return any || id % 2 == 0;
}

}  // namespace

std::variant<InstructionDescriptor, DescriptorRefusal> decode_scaled_descriptor(
    uint32_t word, const MmaForm& form, Target target, const DeviceReadings& readings) {
  using namespace spec::idesc;
  const auto wrong = [&](std::string_view what, uint32_t first = 0, uint32_t second = 0) {
    return DescriptorRefusal{word, what, {first, second}};
  };
  InstructionDescriptor d;
  const KindFacts& kind = facts_of(form.kind);
  d.is_packed = kind.is_packed;
  const int reserved =
      d.is_packed ? reserved_bit_set(mxf4_fields, word) : reserved_bit_set(mxf8_fields, word);
  if (reserved >= 0) return wrong("is not 0 in its reserved bits from # on", static_cast<uint32_t>(reserved));
  if (field(word, sparse) != form.is_sparse)
    return wrong(form.is_sparse ? "says dense (bit 2); the instruction is sparse"
                                : "says sparse (bit 2); the instruction is dense");
  d.is_sparse = form.is_sparse;
  const uint32_t a_code = field(word, a_type), b_code = field(word, d.is_packed ? mxf4_b_type : b_type);
  const auto format_of = [&](uint32_t code) {
    return !d.is_packed ? byte_format(code) : code == 1 ? &spec::format("e2m1") : nullptr;
  };
  d.a = format_of(a_code), d.b = format_of(b_code), d.d = &spec::format("f32");
  if (d.a == nullptr) return wrong("has code # for A, which the kind lacks", a_code);
  if (d.b == nullptr) return wrong("has code # for B, which the kind lacks", b_code);
  const bool is_ue8m0 = field(word, scale_type);
  if (!is_ue8m0 && (!kind.may_be_ue4m3 || form.scale_block != 16))
    return wrong("has scales of ue4m3 (bit 23), which requires kind::mxf4nvf4 with blocks of 16");
  if (is_ue8m0 && kind.may_be_ue4m3 && readings.is({"AMB-11", "ue4m3_alone"}))
    return wrong("has scales of ue8m0 (bit 23), which kind::mxf4nvf4 lacks");
  d.scale = is_ue8m0 ? &spec::format("ue8m0") : &spec::format("ue4m3");
  d.m = field(word, mx_m) * 128;
  d.n = field(word, n) * 8;
  d.negate_a = field(word, negate_a) != 0;
  d.negate_b = field(word, negate_b) != 0;
  d.transpose_a = field(word, transpose_a) != 0;
  d.transpose_b = field(word, transpose_b) != 0;
  d.is_k96 = d.is_packed && field(word, k_size) != 0;
  d.a_scale_id = field(word, a_scale_id);
  d.b_scale_id = field(word, b_scale_id);
  if (d.is_packed && (d.transpose_a || d.transpose_b))
    return wrong("transposes (bits 15, 16), which the kind does not");
  if (d.transpose_a && form.a_in_tmem) return wrong("transposes A (bit 15), which lies in tensor memory");
  if (d.is_k96 && d.is_sparse) return wrong("has K of 96 (bit 31), which no sparse form has");
  if (d.is_k96 && !facts_of(target).multiplies_96)
    return wrong("has K of 96 (bit 31), which requires sm_103a");
  const uint32_t n_step = form.cta_group == 2 || d.is_k96 ? 16 : 8;
  bool has_shape =
      d.n >= n_step && d.n <= 256 && d.n % n_step == 0 && (d.m == 128 || (d.m == 256 && form.cta_group == 2));
  if (d.is_sparse && form.cta_group == 2) has_shape = has_shape && d.m == 256;
  if (d.is_k96 && readings.is({"AMB-14", "m_of_256_alone"})) has_shape = has_shape && d.m == 256;
  if (!d.is_packed && form.cta_group == 2 && d.m == 128 && readings.is({"AMB-16", "refused"}))
    has_shape = false;
  if (!has_shape) return wrong("has the shape M #, N #, which the instruction lacks", d.m, d.n);
  const uint32_t b_step = form.cta_group == 2 ? 32 : 16;
  if (d.transpose_b && d.b->storage_bits == 8 && d.n % b_step != 0)
    return wrong("transposes B of 8 bits (bit 16), for which N is a multiple of #", b_step);
  const uint32_t scales = d.k() / form.scale_block;
  if (!may_begin_at(d.a_scale_id, scales, d.is_k96, readings) ||
      !may_begin_at(d.b_scale_id, scales, d.is_k96, readings))
    return wrong("has the scale ids # and #, which do not go with its number of scales", d.a_scale_id,
                 d.b_scale_id);
  return d;
}

}  // namespace assay::emulator
