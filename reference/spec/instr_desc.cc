#include "reference/spec/instr_desc.h"

#include <initializer_list>

#include "reference/spec/tensor_map.h"

namespace assay::spec {
namespace {

#define ASSAY_IDESC_FLAGS                                                                         \
  {"sparse", 0, "dense"}, {"sparse", 1, "sparse"}, {"negate_a", 0, "no"}, {"negate_a", 1, "yes"}, \
      {"negate_b", 0, "no"}, {"negate_b", 1, "yes"}, {"transpose_a", 0, "K-major"},               \
      {"transpose_a", 1, "M-major"}, {"transpose_b", 0, "K-major"}, {                             \
    "transpose_b", 1, "N-major"                                                                   \
  }
#define ASSAY_IDESC_PLAIN                                                                     \
  ASSAY_IDESC_FLAGS, {"saturate", 0, "no"}, {"saturate", 1, "yes"}, {"max_shift", 0, "none"}, \
      {"max_shift", 1, "8 columns"}, {"max_shift", 2, "16 columns"}, {                        \
    "max_shift", 3, "32 columns"                                                              \
  }
#define ASSAY_IDESC_NARROW                                                                        \
  {"a_type", 0, "e4m3"}, {"a_type", 1, "e5m2"}, {"a_type", 3, "e2m3"}, {"a_type", 4, "e3m2"},     \
      {"a_type", 5, "e2m1"}, {"b_type", 0, "e4m3"}, {"b_type", 1, "e5m2"}, {"b_type", 3, "e2m3"}, \
      {"b_type", 4, "e3m2"}, {                                                                    \
    "b_type", 5, "e2m1"                                                                           \
  }

constexpr Code f16_codes[] = {ASSAY_IDESC_PLAIN,    {"d_type", 0, "f16"},  {"d_type", 1, "f32"},
                              {"a_type", 0, "f16"}, {"a_type", 1, "bf16"}, {"b_type", 0, "f16"},
                              {"b_type", 1, "bf16"}};
constexpr Code tf32_codes[] = {
    ASSAY_IDESC_PLAIN, {"d_type", 1, "f32"}, {"a_type", 2, "tf32"}, {"b_type", 2, "tf32"}};
constexpr Code f8f6f4_codes[] = {
    ASSAY_IDESC_PLAIN, {"d_type", 0, "f16"}, {"d_type", 1, "f32"}, ASSAY_IDESC_NARROW};
constexpr Code i8_codes[] = {ASSAY_IDESC_PLAIN,   {"d_type", 2, "s32"}, {"a_type", 0, "u8"},
                             {"a_type", 1, "s8"}, {"b_type", 0, "u8"},  {"b_type", 1, "s8"}};
constexpr Code mxf8_codes[] = {ASSAY_IDESC_FLAGS, ASSAY_IDESC_NARROW, {"scale_type", 1, "ue8m0"}};
constexpr Code mxf4_codes[] = {ASSAY_IDESC_FLAGS,
                               {"a_type", 1, "e2m1"},
                               {"b_type", 1, "e2m1"},
                               {"scale_type", 1, "ue8m0"},
                               {"k_size", 0, "64 (sparse 128)"},
                               {"k_size", 1, "96"}};
constexpr Code mxf4nvf4_codes[] = {ASSAY_IDESC_FLAGS,          {"a_type", 1, "e2m1"},
                                   {"b_type", 1, "e2m1"},      {"scale_type", 0, "ue4m3"},
                                   {"scale_type", 1, "ue8m0"}, {"k_size", 0, "64 (sparse 128)"},
                                   {"k_size", 1, "96"}};
#undef ASSAY_IDESC_FLAGS
#undef ASSAY_IDESC_PLAIN
#undef ASSAY_IDESC_NARROW

const Descriptor idesc_f16{
    "idesc_f16", "instruction descriptor, kind::f16", 32, idesc::plain_fields, f16_codes, idesc::plain_cite};
const Descriptor idesc_tf32{"idesc_tf32", "instruction descriptor, kind::tf32",
                            32,           idesc::plain_fields,
                            tf32_codes,   idesc::plain_cite};
const Descriptor idesc_f8f6f4{
    "idesc_f8f6f4",   "instruction descriptor, kind::f8f6f4", 32, idesc::plain_fields, f8f6f4_codes,
    idesc::plain_cite};
const Descriptor idesc_i8{
    "idesc_i8", "instruction descriptor, kind::i8", 32, idesc::plain_fields, i8_codes, idesc::plain_cite};
const Descriptor idesc_mxf8f6f4{
    "idesc_mxf8f6f4", "instruction descriptor, kind::mxf8f6f4", 32, idesc::mxf8_fields, mxf8_codes,
    idesc::mxf8_cite};
const Descriptor idesc_mxf4{
    "idesc_mxf4", "instruction descriptor, kind::mxf4", 32, idesc::mxf4_fields, mxf4_codes, idesc::mxf4_cite};
const Descriptor idesc_mxf4nvf4{
    "idesc_mxf4nvf4", "instruction descriptor, kind::mxf4nvf4", 32, idesc::mxf4_fields, mxf4nvf4_codes,
    idesc::mxf4_cite};

constexpr std::array<TypeCode, 5> narrow{{{"e4m3", 0}, {"e5m2", 1}, {"e2m3", 3}, {"e3m2", 4}, {"e2m1", 5}}};
const MmaKindRow kinds[mma_kind_count] = {
    // kind            name        table            types of A, B          types of D       K   mx  transposes
    // negates
    {MmaKind::f16,
     "f16",
     &idesc_f16,
     {{{"f16", 0}, {"bf16", 1}}},
     {{{"f16", 0}, {"f32", 1}}},
     16,
     false,
     true,
     true},
    {MmaKind::tf32, "tf32", &idesc_tf32, {{{"tf32", 2}}}, {{{"f32", 1}}}, 8, false, true, true},
    {MmaKind::f8f6f4, "f8f6f4", &idesc_f8f6f4, narrow, {{{"f16", 0}, {"f32", 1}}}, 32, false, true, true},
    {MmaKind::i8, "i8", &idesc_i8, {{{"u8", 0}, {"s8", 1}}}, {{{"s32", 2}}}, 32, false, true, false},
    {MmaKind::mxf8f6f4, "mxf8f6f4", &idesc_mxf8f6f4, narrow, {}, 32, true, true, true},
    {MmaKind::mxf4, "mxf4", &idesc_mxf4, {{{"e2m1", 1}}}, {}, 64, true, false, true},
    {MmaKind::mxf4nvf4, "mxf4nvf4", &idesc_mxf4nvf4, {{{"e2m1", 1}}}, {}, 64, true, false, true},
};

bool has_k_size(MmaKind kind) {
  return kind == MmaKind::mxf4 || kind == MmaKind::mxf4nvf4;
}
const Field& b_type_of(MmaKind kind) {
  return has_k_size(kind) ? idesc::mxf4_b_type : idesc::b_type;
}
const Field& m_of(MmaKind kind) {
  return row_of(kind).is_mx ? idesc::mx_m : idesc::m;
}

template <size_t N>
const Format* format_of(const std::array<TypeCode, N>& codes, uint64_t code) {
  for (const TypeCode& row : codes)
    if (!row.format.empty() && row.code == code) return find_format(row.format);
  return nullptr;
}
template <size_t N>
uint64_t code_of(const std::array<TypeCode, N>& codes, const Format* format) {
  for (const TypeCode& row : codes)
    if (format != nullptr && row.format == format->name) return row.code;
  return ~uint64_t{0};
}

const Format* a_format(uint64_t word, const InstrUse& use) {
  return format_of(row_of(use.kind).types, get_raw(word, idesc::a_type));
}
const Format* b_format(uint64_t word, const InstrUse& use) {
  return format_of(row_of(use.kind).types, get_raw(word, b_type_of(use.kind)));
}
bool is_sparse(uint64_t word) {
  return get_raw(word, idesc::sparse) != 0;
}
bool is_k96(uint64_t word, const InstrUse& use) {
  return has_k_size(use.kind) && get_raw(word, idesc::k_size) != 0;
}
int m_value(uint64_t word, const InstrUse& use) {
  return static_cast<int>(get(word, m_of(use.kind)));
}
int n_value(uint64_t word) {
  return static_cast<int>(get(word, idesc::n));
}
/// Scales an instruction takes, when the kind leaves no choice or the qualifier is known.
std::optional<ScaleVec> scale_vec_of(const InstrUse& use) {
  if (use.kind == MmaKind::mxf8f6f4) return ScaleVec::x1;
  if (use.kind == MmaKind::mxf4) return ScaleVec::x2;
  return use.scale_vec;
}
bool legal_scale_id(uint64_t id, uint64_t word, const InstrUse& use) {
  const std::optional<ScaleVec> vec = scale_vec_of(use);
  if (!vec || *vec == ScaleVec::x1) return true;
  if (is_k96(word, use)) return *vec == ScaleVec::x2 || id % 2 == 0;
  return *vec == ScaleVec::x2 ? id % 2 == 0 : id == 0;
}
bool one_of(int value, std::initializer_list<int> list) {
  for (const int one : list)
    if (value == one) return true;
  return false;
}
bool stepped(int value, int low, int high, int step) {
  return value >= low && value <= high && value % step == 0;
}

/// One form, everything known.
bool legal_shape_of(MmaKind kind, int cta_group, bool ws, bool sparse, int m, int n, bool k96) {
  if (ws && (cta_group != 1 || row_of(kind).is_mx)) return false;
  if (ws) return one_of(m, {32, 64, 128}) && (one_of(n, {64, 128}) || (n == 256 && !sparse));
  if (k96) return !sparse && (cta_group == 1 ? m == 128 : one_of(m, {128, 256})) && stepped(n, 16, 256, 16);
  if (kind == MmaKind::i8) {
    if (cta_group == 1) return one_of(m, {64, 128}) && (one_of(n, {8, 24}) || stepped(n, 16, 256, 16));
    return one_of(m, {128, 256}) && stepped(n, 32, 256, 32);
  }
  const bool n_fits = cta_group == 1 ? stepped(n, 8, 256, 8) : stepped(n, 16, 256, 16);
  if (!n_fits) return false;
  if (row_of(kind).is_mx) return cta_group == 1 ? m == 128 : m == 256 || (m == 128 && !sparse);
  return cta_group == 1 ? one_of(m, {64, 128}) : one_of(m, {128, 256});
}

/// False for uses that no word can serve: block scaling with .ws, i8 where it does not exist.
bool has_legal_word(const InstrUse& use) {
  if (use.kind == MmaKind::i8 && use.arch.value_or(Arch::sm_100) != Arch::sm_100) return false;
  for (const int m : {32, 64, 128, 256})
    if (legal_shape(use, use.sparse.value_or(false), m, 64, false)) return true;
  return false;
}

constexpr Cite shapes{"ptx", "tcgen05, matrix shape, combinations of .kind and shapes"};
constexpr Cite descriptor_table{"ptx", "tcgen05, instruction descriptor"};
constexpr Cite transposes{"ptx", "tcgen05, transpose and negate operations"};
constexpr Cite scale_ids{"ptx", "tcgen05, scale factor data ids"};

using InstrRule = DescriptorRule<InstrUse>;
const InstrRule instr_rules[] = {
    {{"IDESC-R01", "reserved bits are 0", {{descriptor_table}}, from_sm_100, "AMB-31"},
     "reserved",
     [](uint64_t word, const InstrUse& use) {
       for (const Field& field : row_of(use.kind).descriptor->fields)
         if (field.kind == FieldKind::reserved && get_raw(word, field) != 0) return false;
       return true;
     }},
    {{"IDESC-R02",
      "the code of D is one that the kind lists",
      {{descriptor_table, shapes}},
      from_sm_100,
      "AMB-30"},
     "d_type",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx ||
              format_of(row_of(use.kind).d_types, get_raw(word, idesc::d_type)) != nullptr;
     }},
    {{"IDESC-R03", "the code of A is one that the kind lists", {{descriptor_table}}, from_sm_100, ""},
     "a_type",
     [](uint64_t word, const InstrUse& use) { return a_format(word, use) != nullptr; }},
    {{"IDESC-R04", "the code of B is one that the kind lists", {{descriptor_table}}, from_sm_100, ""},
     "b_type",
     [](uint64_t word, const InstrUse& use) { return b_format(word, use) != nullptr; }},
    {{"IDESC-R05", "kind::f16 writes f16 only from f16 by f16", {{shapes}}, from_sm_100, ""},
     "d_type",
     [](uint64_t word, const InstrUse& use) {
       return use.kind != MmaKind::f16 || get_raw(word, idesc::d_type) != 0 ||
              (get_raw(word, idesc::a_type) == 0 && get_raw(word, idesc::b_type) == 0);
     }},
    {{"IDESC-R06", "only kind::i8 saturates", {{descriptor_table}}, from_sm_100, ""},
     "saturate",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx || use.kind == MmaKind::i8 || get_raw(word, idesc::saturate) == 0;
     }},
    {{"IDESC-R07",
      "the sparsity selector is 0 in dense instructions, in f8f6f4 and in i8",
      {{descriptor_table}},
      from_sm_100,
      "AMB-20"},
     "sparsity_selector",
     [](uint64_t word, const InstrUse& use) {
       const bool selects = is_sparse(word) && (use.kind == MmaKind::f16 || use.kind == MmaKind::tf32);
       return row_of(use.kind).is_mx || selects || get_raw(word, idesc::sparsity_selector) == 0;
     }},
    {{"IDESC-R08", "kind::i8 does not negate", {{transposes}}, from_sm_100, ""},
     "negate_a",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).may_negate ||
              (get_raw(word, idesc::negate_a) == 0 && get_raw(word, idesc::negate_b) == 0);
     }},
    {{"IDESC-R09",
      "mxf4, mxf4nvf4 and any 4- or 6-bit element are not transposed",
      {{transposes}},
      from_sm_100,
      ""},
     "transpose_a",
     [](uint64_t word, const InstrUse& use) {
       const auto may = [&](const Format* format) {
         return row_of(use.kind).may_transpose && (format == nullptr || format->storage_bits >= 8);
       };
       return (get_raw(word, idesc::transpose_a) == 0 || may(a_format(word, use))) &&
              (get_raw(word, idesc::transpose_b) == 0 || may(b_format(word, use)));
     }},
    {{"IDESC-R10",
      "A in tensor memory is not transposed",
      {{{"cutlass", "mma_traits_sm100.hpp, A from tensor memory"}}},
      from_sm_100,
      ""},
     "transpose_a",
     [](uint64_t word, const InstrUse& use) {
       return !use.a_in_tmem.value_or(false) || get_raw(word, idesc::transpose_a) == 0;
     }},
    {{"IDESC-R11",
      "M and N are a shape of the kind, the CTA group and .ws",
      {{shapes}},
      from_sm_100,
      "AMB-14"},
     "m",
     [](uint64_t word, const InstrUse& use) {
       return legal_shape(use, is_sparse(word), m_value(word, use), n_value(word), is_k96(word, use));
     }},
    {{"IDESC-R12",
      "a transposed 8-bit B needs N in steps of 16, of 32 for a CTA pair",
      {{{"ptx", "tcgen05, matrix shape, transposed B of 8-bit types"}}},
      from_sm_100,
      ""},
     "n",
     [](uint64_t word, const InstrUse& use) {
       const Format* b = b_format(word, use);
       if (get_raw(word, idesc::transpose_b) == 0 || b == nullptr || b->storage_bits != 8) return true;
       return n_value(word) % (use.cta_group.value_or(1) == 2 ? 32 : 16) == 0;
     }},
    {{"IDESC-R13",
      "a maximum shift for the reuse of B goes with .ws",
      {{descriptor_table}},
      from_sm_100,
      "AMB-04"},
     "max_shift",
     [](uint64_t word, const InstrUse& use) {
       return row_of(use.kind).is_mx || use.ws.value_or(true) || get_raw(word, idesc::max_shift) == 0;
     }},
    {{"IDESC-R14", "the sparsity bit says what the instruction says", {{descriptor_table}}, from_sm_100, ""},
     "sparse",
     [](uint64_t word, const InstrUse& use) { return !use.sparse || *use.sparse == is_sparse(word); }},
    {{"IDESC-R15",
      "scales are ue8m0; ue4m3 with mxf4nvf4 and four scales alone",
      {{{"ptx", "tcgen05, block scaling, types of scales"}}},
      from_sm_100,
      "AMB-11"},
     "scale_type",
     [](uint64_t word, const InstrUse& use) {
       if (!row_of(use.kind).is_mx || get_raw(word, idesc::scale_type) == 1) return true;
       return use.kind == MmaKind::mxf4nvf4 && use.scale_vec.value_or(ScaleVec::x4) == ScaleVec::x4;
     }},
    {{"IDESC-R16",
      "scale ids are 0 or 2 for two scales, 0 for four; with K of 96 any for block32, 0 or 2 for block16",
      {{scale_ids}},
      from_sm_100,
      "AMB-12"},
     "a_scale_id",
     [](uint64_t word, const InstrUse& use) {
       return !row_of(use.kind).is_mx || (legal_scale_id(get_raw(word, idesc::a_scale_id), word, use) &&
                                          legal_scale_id(get_raw(word, idesc::b_scale_id), word, use));
     }},
    {{"IDESC-R17", "K of 96 is dense and needs sm_103a", {{shapes}}, from_sm_100, ""},
     "k_size",
     [](uint64_t word, const InstrUse& use) {
       return !is_k96(word, use) || (!is_sparse(word) && use.arch.value_or(Arch::sm_103) == Arch::sm_103);
     }},
    {{"IDESC-R18",
      "kind::i8 needs sm_100a or sm_110a",
      {{{"ptxas", "tcgen05.mma on each target"}}},
      only_sm_103,
      "AMB-44"},
     "a_type",
     [](uint64_t, const InstrUse& use) {
       return use.kind != MmaKind::i8 || use.arch.value_or(Arch::sm_100) == Arch::sm_100;
     }},
    {{"IDESC-R19",
      "the descriptor decides the types: f16 and tf32 are one opcode, as are f8f6f4's five types",
      {{{"ptxas", "machine code of tcgen05.mma kinds"}}},
      from_sm_100,
      ""},
     "",
     nullptr},
    {{"IDESC-R20",
      "negation flips the sign of every element before it is used",
      {{transposes}},
      from_sm_100,
      ""},
     "",
     nullptr},
};

}  // namespace

const MmaKindRow& row_of(MmaKind kind) {
  return kinds[static_cast<int>(kind)];
}
const MmaKindRow* find_mma_kind(std::string_view name) {
  for (const MmaKindRow& row : kinds)
    if (row.name == name) return &row;
  return nullptr;
}

uint32_t encode_instr_desc(MmaKind kind, const InstrDesc& desc) {
  const MmaKindRow& row = row_of(kind);
  uint64_t word = with_raw(0, idesc::sparse, desc.sparse ? 1 : 0);
  word = with_raw(word, idesc::a_type, code_of(row.types, desc.a));
  word = with_raw(word, b_type_of(kind), code_of(row.types, desc.b));
  word = with_raw(word, idesc::negate_a, desc.negate_a ? 1 : 0);
  word = with_raw(word, idesc::negate_b, desc.negate_b ? 1 : 0);
  word = with_raw(word, idesc::transpose_a, desc.transpose_a ? 1 : 0);
  word = with_raw(word, idesc::transpose_b, desc.transpose_b ? 1 : 0);
  word = with(word, idesc::n, static_cast<uint64_t>(desc.n));
  word = with(word, m_of(kind), static_cast<uint64_t>(desc.m));
  if (row.is_mx) {
    word = with_raw(word, idesc::scale_type, desc.scale != nullptr && desc.scale->name == "ue8m0" ? 1 : 0);
    word = with_raw(word, idesc::a_scale_id, desc.a_scale_id);
    word = with_raw(word, idesc::b_scale_id, desc.b_scale_id);
    if (has_k_size(kind)) word = with_raw(word, idesc::k_size, desc.k96 ? 1 : 0);
  } else {
    word = with_raw(word, idesc::d_type, code_of(row.d_types, desc.d));
    word = with_raw(word, idesc::saturate, desc.saturate ? 1 : 0);
    word = with_raw(word, idesc::sparsity_selector, desc.sparsity_selector);
    const uint32_t shift = desc.max_shift;
    word = with_raw(word, idesc::max_shift, shift == 32 ? 3 : shift == 16 ? 2 : shift == 8 ? 1 : 0);
  }
  return static_cast<uint32_t>(word);
}

std::optional<InstrDesc> decode_instr_desc(MmaKind kind, uint32_t word) {
  const MmaKindRow& row = row_of(kind);
  const InstrUse use{.kind = kind};
  InstrDesc desc;
  desc.a = a_format(word, use), desc.b = b_format(word, use);
  desc.d = row.is_mx ? &format("f32") : format_of(row.d_types, get_raw(word, idesc::d_type));
  if (desc.a == nullptr || desc.b == nullptr || desc.d == nullptr) return std::nullopt;
  desc.m = m_value(word, use), desc.n = n_value(word);
  desc.transpose_a = get_raw(word, idesc::transpose_a) != 0,
  desc.transpose_b = get_raw(word, idesc::transpose_b) != 0;
  desc.negate_a = get_raw(word, idesc::negate_a) != 0, desc.negate_b = get_raw(word, idesc::negate_b) != 0;
  desc.sparse = is_sparse(word);
  if (row.is_mx) {
    desc.scale = get_raw(word, idesc::scale_type) != 0 ? &format("ue8m0") : &format("ue4m3");
    desc.a_scale_id = static_cast<uint32_t>(get_raw(word, idesc::a_scale_id));
    desc.b_scale_id = static_cast<uint32_t>(get_raw(word, idesc::b_scale_id));
    desc.k96 = is_k96(word, use);
  } else {
    constexpr uint32_t columns[] = {0, 8, 16, 32};
    desc.saturate = get_raw(word, idesc::saturate) != 0;
    desc.sparsity_selector = static_cast<uint32_t>(get_raw(word, idesc::sparsity_selector));
    desc.max_shift = columns[get_raw(word, idesc::max_shift)];
  }
  return desc;
}

bool legal_shape(const InstrUse& use, bool sparse, int m, int n, bool k96) {
  for (const int cta_group : {1, 2})
    for (const bool ws : {false, true})
      if (use.cta_group.value_or(cta_group) == cta_group && use.ws.value_or(ws) == ws &&
          legal_shape_of(use.kind, cta_group, ws, sparse, m, n, k96))
        return true;
  return false;
}

std::span<const DescriptorRule<InstrUse>> instr_desc_rules() {
  return instr_rules;
}

std::vector<RuleBroken> instr_desc_violations(uint32_t word, const InstrUse& use) {
  return rules_broken<InstrUse>(instr_rules, word, use);
}

uint32_t random_instr_desc(const InstrUse& use, uint64_t (*random)(void* state), void* state) {
  const MmaKindRow& row = row_of(use.kind);
  const auto below = [&](uint64_t count) { return random(state) % count; };
  const auto type = [&] {
    const TypeCode* chosen = &row.types[0];
    do chosen = &row.types[below(row.types.size())];
    while (chosen->format.empty());
    return find_format(chosen->format);
  };
  if (!has_legal_word(use)) return 0;
  while (true) {
    InstrDesc desc;
    desc.a = type(), desc.b = type();
    if (!row.is_mx) desc.d = find_format(row.d_types[row.d_types[1].format.empty() ? 0 : below(2)].format);
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
