// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/field.h"
#include "devices/emulator/tensor/tcgen05_desc.h"
#include "reference/spec/instr_desc.h"

namespace assay::emulator {
namespace {

const spec::Format* byte_format(uint32_t code) {
  switch (code) {
    case 0:
      return &spec::format("e4m3");
    case 1:
      return &spec::format("e5m2");
    case 3:
      return &spec::format("e2m3");
    case 4:
      return &spec::format("e3m2");
    case 5:
      return &spec::format("e2m1");
    default:
      return nullptr;
  }
}

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
  d.is_packed = form.kind != MmaKind::mxf8f6f4;
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
  if (!is_ue8m0 && (form.kind != MmaKind::mxf4nvf4 || form.scale_block != 16))
    return wrong("has scales of ue4m3 (bit 23), which requires kind::mxf4nvf4 with blocks of 16");
  if (is_ue8m0 && form.kind == MmaKind::mxf4nvf4 && readings.is({"AMB-11", "ue4m3_alone"}))
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
  if (d.is_k96 && target != Target::sm_103a) return wrong("has K of 96 (bit 31), which requires sm_103a");
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
