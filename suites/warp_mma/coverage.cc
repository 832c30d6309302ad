// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/coverage.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "reference/model/warp_mma/case.h"
#include "suites/mma/coverage.h"

namespace assay::suites {
namespace {

/// What `list` makes of the forms of each group.
template <typename Form, auto list>
const auto& by_group(gen::MmaGroup group, bool is_sparse) {
  static const auto all = [] {
    std::array<std::array<decltype(list({})), gen::mma_group_count>, 2> made;
    for (const bool sparse : {false, true})
      for (int g = 0; g < gen::mma_group_count; ++g)
        made[sparse][static_cast<size_t>(g)] =
            list(gen::warp_forms<Form>(static_cast<gen::MmaGroup>(g), sparse));
    return made;
  }();
  return all[is_sparse][static_cast<size_t>(group)];
}

uint32_t position(const auto& list, const auto& one) {
  return static_cast<uint32_t>(std::find(list.begin(), list.end(), one) - list.begin());
}

struct Variant {
  MmaTypes types;
  bool a_in_registers;
  friend bool operator==(const Variant&, const Variant&) = default;
};

std::vector<Variant> variants_of(std::span<const gen::WgmmaForm> forms) {
  std::vector<Variant> list;
  for (const gen::WgmmaForm& form : forms) {
    const Variant variant{form.types, form.a_in_registers};
    if (position(list, variant) == list.size()) list.push_back(variant);
  }
  return list;
}

/// Forms of equal types and shape: the first of each.
std::vector<gen::MmaSyncForm> shapes_of(std::span<const gen::MmaSyncForm> forms) {
  std::vector<gen::MmaSyncForm> made;
  for (gen::MmaSyncForm form : forms) {
    form.is_ordered = false, form.selector = 0;
    if (position(made, form) == made.size()) made.push_back(form);
  }
  return made;
}

constexpr auto wgmma_variants = by_group<gen::WgmmaForm, variants_of>;
constexpr auto mma_sync_shapes = by_group<gen::MmaSyncForm, shapes_of>;

}  // namespace

template <>
std::vector<std::string> variants<WgmmaCase>(gen::MmaGroup group, bool is_sparse) {
  std::vector<std::string> names;
  for (const Variant& variant : wgmma_variants(group, is_sparse))
    names.push_back(gen::name_of(variant.types) + " k" +
                    std::to_string((is_sparse ? 64 : 32) / element_bytes(variant.types.a)) +
                    (variant.a_in_registers ? ", A in registers" : ", A in shared memory"));
  return names;
}
template <>
std::vector<std::string> variants<MmaSyncCase>(gen::MmaGroup group, bool is_sparse) {
  std::vector<std::string> names;
  for (gen::MmaSyncForm form : mma_sync_shapes(group, is_sparse)) {
    form.is_sparse = false;
    names.push_back(gen::name_of(form));
  }
  return names;
}

uint32_t variant_of(const WgmmaCase& c) {
  return position(wgmma_variants(gen::group_of(c.types), c.sparse.present),
                  Variant{c.types, c.a_in_registers});
}
uint32_t variant_of(const MmaSyncCase& c) {
  return position(mma_sync_shapes(gen::group_of(c.types), c.sparse.present),
                  gen::MmaSyncForm{c.types, c.m, c.k, c.sparse.present, false, 0});
}

uint64_t dot_products(const WgmmaCase& c) {
  return uint64_t{64} * c.n;
}
uint64_t dot_products(const MmaSyncCase& c) {
  return uint64_t{4} * c.m * 8 * c.tiles;
}

std::vector<uint32_t> up_to(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

params::MmaTypes param_types(const MmaTypes& t) {
  using params::MmaTypes;
  const auto of_first = [](MmaTypes first, uint32_t a, uint32_t b) {
    return static_cast<MmaTypes>(static_cast<uint32_t>(first) + 2 * a + b);
  };
  const auto second = [](MmaElement element, MmaElement is) { return element == is ? 1u : 0u; };
  switch (t.a) {
    case MmaElement::f16:
      return t.d == MmaAccumulator::f16 ? MmaTypes::f16_f16_f16 : MmaTypes::f32_f16_f16;
    case MmaElement::bf16:
      return MmaTypes::f32_bf16_bf16;
    case MmaElement::tf32:
      return MmaTypes::f32_tf32_tf32;
    case MmaElement::e4m3:
    case MmaElement::e5m2:
      return of_first(t.d == MmaAccumulator::f16 ? MmaTypes::f16_e4m3_e4m3 : MmaTypes::f32_e4m3_e4m3,
                      second(t.a, MmaElement::e5m2), second(t.b, MmaElement::e5m2));
    case MmaElement::s8:
    case MmaElement::u8:
      return of_first(t.saturates ? MmaTypes::s32_s8_s8_satfinite : MmaTypes::s32_s8_s8,
                      second(t.a, MmaElement::u8), second(t.b, MmaElement::u8));
    case MmaElement::s4:
    case MmaElement::u4:
      break;
  }
  return of_first(t.saturates ? MmaTypes::s32_s4_s4_satfinite : MmaTypes::s32_s4_s4,
                  second(t.a, MmaElement::u4), second(t.b, MmaElement::u4));
}

uint32_t param_sparsity(const SparseA& sparse) {
  using enum params::MmaSparsity;
  return sparse.present ? params::mma_sparsity(sparse.ordered ? sp_ordered_metadata : sp, sparse.selector)
                        : 0;
}

void add_metadata(NamedFields& list, const SparseA& sparse) {
  if (!sparse.present) return;
  if (sparse.is_known) {
    std::string text = "of the lanes of a quad";
    for (const uint32_t word : sparse.of_quad) text += " " + hex_words(word);
    list.emplace_back("metadata", text);
    return;
  }
  list.emplace_back("metadata",
                    "seed " + hex_words(sparse.seed) + ", codes " + layout::code_words(sparse.codes));
  if (sparse.strange_rate != 0)
    list.emplace_back("codes without a meaning", std::to_string(sparse.strange_rate) + " of 256 of " +
                                                     layout::code_words(sparse.strange_codes));
}

void add_matrix(NamedFields& list, const std::string& name, const MatrixInShared& m, uint64_t ignored) {
  list.emplace_back(name + " start", std::to_string(m.start));
  list.emplace_back(name + " leading offset", std::to_string(m.leading_offset));
  list.emplace_back(name + " stride offset", std::to_string(m.stride_offset));
  list.emplace_back(name + " base offset", std::to_string(m.base_offset));
  list.emplace_back(name + " swizzle", std::string(spec::find_smem_swizzle(uint64_t{m.swizzle})->name));
  if (ignored != 0) list.emplace_back(name + " ignored bits", hex_words(ignored));
}

void add_pattern(NamedFields& list, const std::string& name, const OperandPattern& p) {
  std::string text =
      "seed " + hex_words(p.seed) + ", keep " + hex_words(p.keep) + ", set " + hex_words(p.set);
  if (p.mirror_bits != 0)
    text += ", every other of " + std::to_string(p.mirror_bits) + " bits mirrored, flip " +
            hex_words(p.mirror_flip);
  if (p.special_bits != 0 && p.special_rate != 0) {
    text += ", " + std::to_string(p.special_rate) + " of 256 of";
    for (const uint32_t code : p.special) text += " " + hex_words(code);
  }
  list.emplace_back(name, std::move(text));
}

params::KnownOperands known_operands(const KnownOperands& known, bool has_long_column, bool is_half) {
  params::KnownOperands made;
  if (!known.present) return made;
  made.present = 1;
  std::copy(known.a_row.begin(), known.a_row.end(), made.a_row);
  std::copy(known.b_column.begin(), known.b_column.end(), made.b_column);
  const auto& rest = has_long_column ? known.b_rest : known.b_column;
  std::copy(rest.begin(), rest.end(), made.b_column + 8);
  made.c = is_half ? known.c * 0x10001u : known.c;
  return made;
}

void add_known(NamedFields& list, const KnownOperands& known) {
  const auto words = [](const std::array<uint32_t, 8>& row) {
    std::string text;
    for (const uint32_t word : row) text += (text.empty() ? "" : " ") + hex_words(word);
    return text;
  };
  list.emplace_back("row of A", words(known.a_row));
  list.emplace_back(
      "column of B",
      words(known.b_column) + (known.b_rest == std::array<uint32_t, 8>{} ? "" : " " + words(known.b_rest)));
  list.emplace_back("C", hex_words(known.c));
}

void add_registers(NamedFields& list, const WarpRegisters& registers) {
  const auto first = [&](const char* name, const std::array<uint32_t, 128>& words) {
    std::string text;
    for (size_t r = 0; r < 4; ++r) text += (r == 0 ? "" : " ") + hex_words(words[r]);
    list.emplace_back("registers of " + std::string(name) + ", first lane", text);
  };
  first("A", registers.a), first("B", registers.b), first("C", registers.c);
  list.emplace_back("metadata, first lane", hex_words(registers.metadata[0]));
}

namespace {

bool read_a_of_wgmma(const Case& c, FieldValues& values) {
  const auto* wgmma = c.get_if<WgmmaCase>();
  if (wgmma == nullptr || wgmma->a_in_registers) return false;
  read_matrix_fields(wgmma->a, values);
  return true;
}
bool read_b_of_wgmma(const Case& c, FieldValues& values) {
  const auto* wgmma = c.get_if<WgmmaCase>();
  if (wgmma == nullptr) return false;
  read_matrix_fields(wgmma->b, values);
  return true;
}

}  // namespace

std::span<const Descriptor> wgmma_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of A", matrix_fields(), read_a_of_wgmma);
    list.emplace_back("descriptor of B", matrix_fields(), read_b_of_wgmma);
    return list;
  }();
  return made;
}

}  // namespace assay::suites
