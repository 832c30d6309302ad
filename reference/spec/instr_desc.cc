// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/instr_desc.h"

#include "reference/spec/instr_desc_read.h"

namespace assay::spec {
namespace {

/// All ones when the kind has no code for the format.
uint64_t code_of(MmaKind kind, const Field& field, const Format* format) {
  for (uint64_t raw = 0; raw <= low_bits(field.width()); ++raw)
    if (format != nullptr && format_of(kind, field, raw) == format) return raw;
  return ~uint64_t{0};
}

/// False for uses that no word can serve: block scaling with .ws, i8 where it does not exist.
bool has_legal_word(const InstrUse& use) {
  if (use.kind == MmaKind::i8 && use.arch.value_or(Arch::sm_100) != Arch::sm_100) return false;
  for (const int m : {32, 64, 128, 256})
    if (legal_shape(use, use.sparse.value_or(false), m, 64, false)) return true;
  return false;
}

}  // namespace

uint32_t encode_instr_desc(MmaKind kind, const InstrDesc& desc) {
  const MmaKindRow& row = row_of(kind);
  uint64_t word = with_raw(0, idesc::sparse, desc.sparse ? 1 : 0);
  word = with_raw(word, idesc::a_type, code_of(kind, idesc::a_type, desc.a));
  word = with_raw(word, b_type_of(kind), code_of(kind, b_type_of(kind), desc.b));
  word = with_raw(word, idesc::negate_a, desc.negate_a ? 1 : 0);
  word = with_raw(word, idesc::negate_b, desc.negate_b ? 1 : 0);
  word = with_raw(word, idesc::transpose_a, desc.transpose_a ? 1 : 0);
  word = with_raw(word, idesc::transpose_b, desc.transpose_b ? 1 : 0);
  word = with(word, idesc::n, static_cast<uint64_t>(desc.n));
  word = with(word, m_of(kind), static_cast<uint64_t>(desc.m));
  if (row.is_mx) {
    word = with_raw(word, idesc::scale_type, desc.scale == &format("ue8m0") ? 1 : 0);
    word = with_raw(word, idesc::a_scale_id, desc.a_scale_id);
    word = with_raw(word, idesc::b_scale_id, desc.b_scale_id);
    if (has_k_size(kind)) word = with_raw(word, idesc::k_size, desc.k96 ? 1 : 0);
  } else {
    word = with_raw(word, idesc::d_type, code_of(kind, idesc::d_type, desc.d));
    word = with_raw(word, idesc::saturate, desc.saturate ? 1 : 0);
    word = with_raw(word, idesc::sparsity_selector, desc.sparsity_selector);
    const uint32_t shift = desc.max_shift;
    word = with_raw(word, idesc::max_shift, shift == 32 ? 3 : shift == 16 ? 2 : shift == 8 ? 1 : 0);
  }
  return static_cast<uint32_t>(word);
}

std::optional<InstrDesc> decode_instr_desc(MmaKind kind, uint32_t word) {
  const MmaKindRow& row = row_of(kind);
  InstrDesc desc;
  desc.a = a_format(word, kind), desc.b = b_format(word, kind);
  desc.d = row.is_mx ? &format("f32") : format_of(kind, idesc::d_type, get_raw(word, idesc::d_type));
  if (desc.a == nullptr || desc.b == nullptr || desc.d == nullptr) return std::nullopt;
  desc.m = m_value(word, kind), desc.n = n_value(word);
  desc.transpose_a = get_raw(word, idesc::transpose_a) != 0,
  desc.transpose_b = get_raw(word, idesc::transpose_b) != 0;
  desc.negate_a = get_raw(word, idesc::negate_a) != 0, desc.negate_b = get_raw(word, idesc::negate_b) != 0;
  desc.sparse = is_sparse(word);
  if (row.is_mx) {
    desc.scale = get_raw(word, idesc::scale_type) == type_code::ue8m0 ? &format("ue8m0") : &format("ue4m3");
    desc.a_scale_id = static_cast<uint32_t>(get_raw(word, idesc::a_scale_id));
    desc.b_scale_id = static_cast<uint32_t>(get_raw(word, idesc::b_scale_id));
    desc.k96 = is_k96(word, kind);
  } else {
    constexpr uint32_t columns[] = {0, 8, 16, 32};
    desc.saturate = get_raw(word, idesc::saturate) != 0;
    desc.sparsity_selector = static_cast<uint32_t>(get_raw(word, idesc::sparsity_selector));
    desc.max_shift = columns[get_raw(word, idesc::max_shift)];
  }
  return desc;
}

uint32_t random_instr_desc(const InstrUse& use, uint64_t (*random)(void* state), void* state) {
  const MmaKindRow& row = row_of(use.kind);
  const auto below = [&](uint64_t count) { return random(state) % count; };
  const auto format_in = [&](const Field& field) {
    const std::vector<uint64_t> raws = legal_edges(*row.descriptor, field);
    return format_of(use.kind, field, raws[below(raws.size())]);
  };
  if (!has_legal_word(use)) return 0;
  while (true) {
    InstrDesc desc;
    desc.a = format_in(idesc::a_type), desc.b = format_in(b_type_of(use.kind));
    if (!row.is_mx) desc.d = format_in(idesc::d_type);
    desc.sparse = use.sparse.value_or(below(4) == 0);
    desc.k96 = has_k_size(use.kind) && use.arch == Arch::sm_103 && !desc.sparse && below(3) == 0;
    constexpr int ms[] = {32, 64, 128, 256};
    do {
      desc.m = ms[below(4)];
      desc.n = 8 * static_cast<int>(1 + below(32));
    } while (!legal_shape(use, desc.sparse, desc.m, desc.n, desc.k96));
    desc.transpose_a = below(2) != 0, desc.transpose_b = below(2) != 0;
    desc.negate_a = below(2) != 0, desc.negate_b = below(2) != 0;
    desc.saturate = below(2) != 0;
    desc.sparsity_selector = static_cast<uint32_t>(below(2));
    desc.max_shift =
        use.ws.value_or(false) ? static_cast<uint32_t>(8 << below(3)) * static_cast<uint32_t>(below(2)) : 0;
    desc.scale = use.kind == MmaKind::mxf4nvf4 && below(2) != 0 ? &format("ue4m3") : &format("ue8m0");
    desc.a_scale_id = static_cast<uint32_t>(below(4)), desc.b_scale_id = static_cast<uint32_t>(below(4));
    const uint32_t word = encode_instr_desc(use.kind, desc);
    if (instr_desc_violations(word, use).empty()) return word;
  }
}

}  // namespace assay::spec
