// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/descriptor_fields.h"

#include "reference/model/warp_mma/case.h"
#include "suites/mma/matrix_fields.h"

namespace assay::suites {
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
