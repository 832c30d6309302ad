// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_field.h"

#include <cstdio>

namespace assay::model::fields {

std::string as_hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string legal_words(const Field& field, int64_t least, uint64_t most) {
  if (field.values.empty())
    return (field.multiple == 1 ? "" : "a multiple of " + std::to_string(field.multiple) + " from ") +
           std::to_string(least) + " to " + std::to_string(most);
  std::string words;
  for (size_t i = 0; i < field.values.size(); ++i)
    words += (i == 0 ? "" : i + 1 == field.values.size() ? " or " : ", ") + std::to_string(field.values[i]);
  return words;
}

}  // namespace assay::model::fields
