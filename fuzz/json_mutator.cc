// SPDX-License-Identifier: Apache-2.0
#include "fuzz/json_mutator.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/text_mutator.h"
#include "generators/random.h"

namespace assay::fuzz {
namespace {

using nlohmann::json;

/// Every value of a tree, the root first.
void collect(json& value, std::vector<json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (json& child : value) collect(child, all);
}

void change_number(json& value, gen::Random& random) {
  const uint64_t old = value.is_number_float() ? 0 : value.get<uint64_t>();
  switch (random.below(8)) {
    case 0:
      value = 0;
      return;
    case 1:
      value = old + 1;
      return;
    case 2:
      value = old - 1;
      return;
    case 3:
      value = uint64_t{1} << random.below(64);
      return;
    case 4:
      value = (uint64_t{1} << random.below(64)) - 1;
      return;
    case 5:
      value = -static_cast<int64_t>(random.next() >> (1 + random.below(62)));
      return;
    case 6:
      value = old ^ uint64_t { 1 } << random.below(32);
      return;
    default:
      value = random.next() >> random.below(64);
  }
}

/// A value of another kind, as a hostile file may have it.
json stranger(gen::Random& random) {
  const json kinds[] = {nullptr,       true,           "load", 1.5,
                        json::array(), json::object(), -1,     json::array({0, 0, 0, 0, 0})};
  return kinds[random.below(std::size(kinds))];
}

void change(json& root, gen::Random& random) {
  std::vector<json*> all, numbers;
  collect(root, all);
  for (json* one : all)
    if (one->is_number()) numbers.push_back(one);
  const auto any = [&](const std::vector<json*>& from) {
    return from[random.below(static_cast<uint32_t>(from.size()))];
  };
  const uint32_t choice = random.below(16);
  if (choice < 12 && !numbers.empty()) {
    json& value = *any(numbers);
    if (choice == 0)
      value = json(*any(numbers));
    else
      change_number(value, random);
  } else if (json& value = *any(all); choice < 14 || !value.is_object() || value.empty()) {
    value = stranger(random);
  } else {
    auto member = value.begin();
    std::advance(member, random.below(static_cast<uint32_t>(value.size())));
    const json kept = member.value();
    const std::string name = member.key();
    value.erase(member);
    if (choice == 15) value[name + "_"] = kept;
  }
}

}  // namespace

size_t mutate_json(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  gen::Random random(seed);
  json root = json::parse(data, data + size, nullptr, false);
  if (root.is_discarded() || random.one_in(16)) return mutate_text(data, size, max_size, seed);
  change(root, random);
  const std::string made = root.dump(1, ' ', false, json::error_handler_t::replace);
  if (made.size() > max_size) return size;
  std::copy(made.begin(), made.end(), data);
  return made.size();
}

}  // namespace assay::fuzz
