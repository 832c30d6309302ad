// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/family.h"

namespace assay::cuda {
namespace {

std::vector<const Family*>& families() {
  static std::vector<const Family*> registered;
  return registered;
}

}  // namespace

bool is_output_slot(const BatchView& batch, uint64_t offset, uint64_t bytes) {
  return offset % 256 == 0 && offset <= batch.output_bytes && bytes <= batch.output_bytes - offset;
}

std::string but_has(const OpenedDriver& opened, const std::string& what) {
  return what + " (device: " + std::to_string(opened.capability / 10) + "." +
         std::to_string(opened.capability % 10) + ")";
}

std::optional<std::string> declines_without(const OpenedDriver& opened, spec::Mechanism mechanism) {
  if (spec::has(spec::find_arch(opened.capability), mechanism)) return std::nullopt;
  return but_has(opened, spec::requires_capability(mechanism));
}

std::optional<std::string> declines_unknown(const OpenedDriver& opened) {
  if (spec::find_arch(opened.capability)) return std::nullopt;
  return but_has(opened, "requires compute capability " + spec::listed(spec::capability_text));
}

RegisterFamily::RegisterFamily(const Family& family) {
  families().push_back(&family);
}

const Family* find_family(std::string_view name) {
  for (const Family* family : families())
    if (family->name == name) return family;
  return nullptr;
}

std::vector<const Family*> all_families() {
  return families();
}

std::optional<std::string> declines_largest_cluster(const OpenedDriver& opened) {
  if (opened.largest_cluster >= params::largest_cluster) return std::nullopt;
  return "the device has no room for a cluster of " + std::to_string(params::largest_cluster) +
         " CTAs with all shared memory that a CTA may have";
}

}  // namespace assay::cuda
