// SPDX-License-Identifier: Apache-2.0
#include "suites/run/told.h"

namespace assay::suites {

std::string called(const model::fields::Field& field) {
  std::string name(field.called.empty() ? field.name : field.called);
  if (field.called.empty()) std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace assay::suites
