// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/coverage.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace assay::suites {
namespace {

struct Variant {
  MmaTypes types;
  bool a_in_registers;
  friend bool operator==(const Variant&, const Variant&) = default;
};

std::vector<Variant> variants_of(std::span<const gen::WgmmaForm> forms) {
  std::vector<Variant> list;
  for (const gen::WgmmaForm& form : forms) {
    const Variant variant{form.types, form.a_in_registers};
    if (std::find(list.begin(), list.end(), variant) == list.end()) list.push_back(variant);
  }
  return list;
}

const std::vector<Variant>& variants_of(gen::MmaGroup group, bool is_sparse) {
  static const auto all = [] {
    std::array<std::vector<std::vector<Variant>>, 2> made;
    for (int g = 0; g < gen::mma_group_count; ++g) {
      const auto each = static_cast<gen::MmaGroup>(g);
      made[0].push_back(variants_of(gen::wgmma_forms(each)));
      made[1].push_back(variants_of(gen::sparse_wgmma_forms(each)));
    }
    return made;
  }();
  return all[is_sparse ? 1 : 0][static_cast<size_t>(group)];
}

std::vector<std::string> names_of(const std::vector<Variant>& variants, uint32_t row_bytes) {
  std::vector<std::string> names;
  for (const Variant& variant : variants)
    names.push_back(gen::name_of(variant.types) + " k" +
                    std::to_string(row_bytes / element_bytes(variant.types.a)) +
                    (variant.a_in_registers ? ", A in registers" : ", A in shared memory"));
  return names;
}

}  // namespace

std::vector<std::string> wgmma_variants(gen::MmaGroup group) {
  return names_of(variants_of(group, false), 32);
}
std::vector<std::string> sparse_wgmma_variants(gen::MmaGroup group) {
  return names_of(variants_of(group, true), 64);
}

uint32_t variant_of(const WgmmaCase& c) {
  const std::vector<Variant>& list = variants_of(gen::group_of(c.types), c.sparse.present);
  return static_cast<uint32_t>(std::find(list.begin(), list.end(), Variant{c.types, c.a_in_registers}) -
                               list.begin());
}

uint64_t dot_products(const WgmmaCase& c) {
  return uint64_t{64} * c.n;
}
uint64_t dot_products(const MmaSyncCase& c) {
  return uint64_t{4} * c.m * 8 * c.tiles;
}

namespace {

/// Forms of equal types and shape: the first of each.
std::vector<gen::MmaSyncForm> shapes_of(std::span<const gen::MmaSyncForm> forms) {
  std::vector<gen::MmaSyncForm> made;
  for (gen::MmaSyncForm form : forms) {
    form.is_ordered = false, form.selector = 0;
    if (std::find(made.begin(), made.end(), form) == made.end()) made.push_back(form);
  }
  return made;
}
const std::vector<gen::MmaSyncForm>& shapes_of(gen::MmaGroup group, bool is_sparse) {
  static const auto all = [] {
    std::array<std::vector<std::vector<gen::MmaSyncForm>>, 2> made;
    for (int g = 0; g < gen::mma_group_count; ++g) {
      const auto each = static_cast<gen::MmaGroup>(g);
      made[0].push_back(shapes_of(gen::mma_sync_forms(each)));
      made[1].push_back(shapes_of(gen::sparse_mma_sync_forms(each)));
    }
    return made;
  }();
  return all[is_sparse ? 1 : 0][static_cast<size_t>(group)];
}
std::vector<std::string> names_of(const std::vector<gen::MmaSyncForm>& shapes) {
  std::vector<std::string> names;
  for (gen::MmaSyncForm form : shapes) {
    form.is_sparse = false;
    names.push_back(gen::name_of(form));
  }
  return names;
}

}  // namespace

std::vector<std::string> mma_sync_variants(gen::MmaGroup group) {
  return names_of(shapes_of(group, false));
}
std::vector<std::string> sparse_mma_sync_variants(gen::MmaGroup group) {
  return names_of(shapes_of(group, true));
}

uint32_t variant_of(const MmaSyncCase& c) {
  const std::vector<gen::MmaSyncForm>& shapes = shapes_of(gen::group_of(c.types), c.sparse.present);
  return static_cast<uint32_t>(std::find(shapes.begin(), shapes.end(),
                                         gen::MmaSyncForm{c.types, c.m, c.k, c.sparse.present, false, 0}) -
                               shapes.begin());
}

std::vector<uint32_t> up_to(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace assay::suites
