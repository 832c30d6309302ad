#include "suites/vectors/warp_dot.h"

#include <iterator>

#include "generators/warp_mma_cases.h"
#include "generators/warp_mma_forms.h"
#include "reference/model/warp_mma.h"

namespace assay::vectors {
namespace {

struct ElementName {
  std::string_view name;
  MmaElement element;
  std::string_view of_wgmma, of_mma_sync;  ///< properties
};
constexpr ElementName elements[] = {{"f16", MmaElement::f16, "wgmma.f16", "mma_sync.f16"},
                                    {"bf16", MmaElement::bf16, "wgmma.bf16", "mma_sync.bf16"},
                                    {"tf32", MmaElement::tf32, "wgmma.tf32", "mma_sync.tf32"},
                                    {"e4m3", MmaElement::e4m3, "wgmma.fp8", "mma_sync.fp8"},
                                    {"e5m2", MmaElement::e5m2, "wgmma.fp8", "mma_sync.fp8"},
                                    {"s8", MmaElement::s8, "wgmma.i8", "mma_sync.i8"},
                                    {"u8", MmaElement::u8, "wgmma.i8", "mma_sync.i8"},
                                    {"s4", MmaElement::s4, "", "mma_sync.i4"},
                                    {"u4", MmaElement::u4, "", "mma_sync.i4"}};
const ElementName* find_element(std::string_view name) {
  for (const ElementName& row : elements)
    if (row.name == name) return &row;
  return nullptr;
}

/// Codes behind each other, from the low bits on; nothing where they take more than 32 bytes.
std::optional<std::array<uint32_t, 8>> packed(const std::string& text, uint32_t bits) {
  std::array<uint32_t, 8> words{};
  const std::vector<uint32_t> codes = codes_of_text(text);
  if (codes.size() * bits > 256) return std::nullopt;
  for (size_t k = 0; k < codes.size(); ++k) words[k * bits / 32] |= codes[k] << k * bits % 32;
  return words;
}

}  // namespace

std::optional<RowCase> warp_dot_as_case(const DotText& dot) {
  const bool is_wgmma = dot.family == "wgmma";
  const ElementName *a = find_element(dot.a_type), *b = find_element(dot.b_type);
  if ((!is_wgmma && dot.family != "mma_sm90") || a == nullptr || b == nullptr) return std::nullopt;
  const MmaTypes types{a->element, b->element,
                       dot.d_type == "f16"   ? MmaAccumulator::f16
                       : dot.d_type == "s32" ? MmaAccumulator::s32
                                             : MmaAccumulator::f32,
                       dot.param_set.ends_with(".sat")};
  const auto a_row = packed(dot.a, element_bits(types.a)), b_column = packed(dot.b, element_bits(types.b));
  const std::vector<uint32_t> c_code = codes_of_text(dot.c);
  if (!a_row || !b_column || c_code.size() != 1) return std::nullopt;
  const KnownOperands known{true, *a_row, *b_column, c_code[0]};
  if (is_wgmma) {
    WgmmaCase c;
    c.types = types;
    place_known(c);
    c.known = known;
    if (!gen::fits_rig(c) || std::to_string(model::wgmma_k(types)) != dot.k) return std::nullopt;
    return RowCase{a->of_wgmma, c};
  }
  MmaSyncCase c;
  c.types = types;
  c.k = static_cast<uint32_t>(std::stoul(dot.k));
  c.known = known;
  if (!gen::fits_rig(c)) return std::nullopt;
  return RowCase{a->of_mma_sync, c};
}

}  // namespace assay::vectors
