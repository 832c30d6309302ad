// SPDX-License-Identifier: Apache-2.0
#include "suites/run/covered_field.h"

namespace assay::suites {

CoveredField covered_number(std::string name, uint64_t lowest, uint64_t highest, uint64_t unit) {
  return {std::move(name), lowest, highest, unit, {}};
}
CoveredField covered_number(const spec::Field& field) {
  const uint64_t most = (uint64_t{1} << field.parts[0].width) - 1;
  return covered_number(std::string(field.name), 0, most * field.unit, field.unit);
}
CoveredField covered_codes(std::string name, std::vector<std::string> values) {
  return {std::move(name), 0, 0, 1, std::move(values)};
}
CoveredField covered_flag(std::string name) {
  return covered_codes(std::move(name), {"0", "1"});
}
CoveredField covered_line_offset(std::string name) {
  std::vector<std::string> offsets;
  for (uint32_t at = 0; at < 128; at += 16) offsets.push_back(std::to_string(at));
  return covered_codes(std::move(name), std::move(offsets));
}
std::vector<std::string> covered_range(uint64_t first, uint64_t last) {
  std::vector<std::string> made;
  for (uint64_t i = first; i <= last; ++i) made.push_back(std::to_string(i));
  return made;
}
std::string covered_name(std::string_view name) {
  std::string text(name);
  for (const std::string_view word : {"_atom", "_flip"})
    if (const size_t at = text.find(word); at != std::string::npos) text.insert(at + word.size(), "_");
  return text;
}
std::string indexed_name(std::string_view name, size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

}  // namespace assay::suites
