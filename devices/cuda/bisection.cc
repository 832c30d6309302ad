// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/bisection.h"

#include <algorithm>
#include <numeric>

namespace assay::cuda {

Bisection::Bisection(uint32_t records) {
  if (records == 0) return;
  Group all;
  all.records.resize(records);
  std::iota(all.records.begin(), all.records.end(), 0u);
  todo_.push_back(std::move(all));
}

Bisection Bisection::of_each(std::span<const uint32_t> records) {
  Bisection each(0);
  for (const uint32_t record : records) each.todo_.push_back({{record}});
  return each;
}

std::optional<std::vector<uint32_t>> Bisection::next() {
  if (todo_.empty()) return std::nullopt;
  current_ = std::move(todo_.front());
  todo_.pop_front();
  return current_.records;
}

void Bisection::ended_well() {
  current_ = {};
}

void Bisection::again() {
  todo_.push_front(std::move(current_));
  current_ = {};
}

void Bisection::split(uint32_t parent, std::vector<Group> parts) {
  const uint32_t fault = static_cast<uint32_t>(blamed_of_fault_.size());
  blamed_of_fault_.push_back(0);
  parent_of_fault_.push_back(parent);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    part->fault = fault;
    todo_.push_front(std::move(*part));
  }
}

std::optional<uint32_t> Bisection::faulted(const std::vector<uint32_t>& suspects) {
  const Group group = std::move(current_);
  current_ = {};
  if (group.records.size() == 1) {
    for (uint32_t fault = group.fault; fault != none; fault = parent_of_fault_[fault])
      ++blamed_of_fault_[fault];
    return group.records.front();
  }
  const auto suspected = [&](uint32_t record) {
    return std::find(suspects.begin(), suspects.end(), record) != suspects.end();
  };
  std::vector<Group> parts;
  Group others;
  for (const uint32_t record : group.records) {
    if (suspected(record))
      parts.push_back({{record}});
    else
      others.records.push_back(record);
  }
  if (parts.empty()) {
    const auto middle = group.records.begin() + static_cast<ptrdiff_t>(group.records.size() / 2);
    parts.push_back({{group.records.begin(), middle}});
    parts.push_back({{middle, group.records.end()}});
  } else if (!others.records.empty()) {
    parts.push_back(std::move(others));
  }
  split(group.fault, std::move(parts));
  return std::nullopt;
}

uint32_t Bisection::unrepeated() const {
  return static_cast<uint32_t>(std::count(blamed_of_fault_.begin(), blamed_of_fault_.end(), 0u));
}

}  // namespace assay::cuda
