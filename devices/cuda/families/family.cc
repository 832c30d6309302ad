#include "devices/cuda/families/family.h"

namespace assay::cuda {
namespace {

std::vector<const Family*>& families() {
  static std::vector<const Family*> registered;
  return registered;
}

}  // namespace

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

}  // namespace assay::cuda
