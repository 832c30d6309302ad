// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/near_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace assay::spec {
namespace {

constexpr size_t most_names = 3;

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// Letters to add, drop, change or swap with their neighbour.
size_t edits(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string_view> near_names(std::string_view typed, std::span<const std::string_view> known) {
  const std::string wanted = lower(typed);
  std::vector<std::pair<size_t, std::string_view>> found;
  for (const std::string_view name : known) {
    const std::string small = lower(name);
    const size_t distance = edits(wanted, small);
    // A part of a name is near too: who types "load" means one of those that have it.
    const bool is_part = wanted.size() >= 3 && small.find(wanted) != std::string::npos;
    if (distance <= std::max<size_t>(1, wanted.size() / 3) || is_part) found.emplace_back(distance, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> names;
  for (size_t i = 0; i < std::min(found.size(), most_names); ++i) names.push_back(found[i].second);
  return names;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known) {
  const std::vector<std::string_view> near = near_names(typed, known);
  std::string text;
  for (size_t i = 0; i < near.size(); ++i)
    text += (i == 0                 ? "; did you mean '"
             : i + 1 == near.size() ? " or '"
                                    : ", '") +
            std::string(near[i]) + "'";
  return text.empty() ? text : text + "?";
}

}  // namespace assay::spec
