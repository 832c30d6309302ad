// SPDX-License-Identifier: Apache-2.0
#include "cli/shard.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "cli/command_line.h"

namespace assay::cli {
namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > 1'000'000)
    return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("--shard", why);
}

}  // namespace

Shard parse_shard(const std::string& text, const std::function<const char*(const char*)>& variable) {
  const auto read = [&](const char* name) -> std::optional<int> {
    const char* value = variable(name);
    if (value == nullptr) return std::nullopt;
    const auto parsed = number(value);
    if (!parsed) refuse(std::string(name) + " is '" + value + "', which is not a number");
    return parsed;
  };
  const size_t slash = text.find('/');
  const std::string left = text.substr(0, slash);
  std::optional<int> count, index;
  if (slash != std::string::npos) {
    count = number(std::string_view(text).substr(slash + 1));
    if (!count || *count == 0) refuse("'" + text + "' is not a shard such as 2/8, auto or auto/8");
  }
  if (left != "auto") {
    index = number(left);
    if (!index || !count) refuse("'" + text + "' is not a shard such as 2/8, auto or auto/8");
  } else if (const auto task = read("SLURM_ARRAY_TASK_ID")) {
    const int first = read("SLURM_ARRAY_TASK_MIN").value_or(0);
    const int last = read("SLURM_ARRAY_TASK_MAX").value_or(*task);
    const int step = std::max(1, read("SLURM_ARRAY_TASK_STEP").value_or(1));
    index = (*task - first) / step + 1;
    if (!count) count = (last - first) / step + 1;
  } else if (const auto completion = read("JOB_COMPLETION_INDEX")) {
    if (!count) refuse("an indexed Kubernetes job does not say how many shards there are; write auto/N");
    index = *completion + 1;
  } else {
    refuse("auto needs a Slurm job array or an indexed Kubernetes job, and this is neither");
  }
  if (*index < 1 || *index > *count)
    refuse("there is no shard " + std::to_string(*index) + " of " + std::to_string(*count) +
           "; shards are numbered from 1");
  return {*index, *count};
}

}  // namespace assay::cli
