// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

#include <charconv>
#include <optional>

#include "devices/emulator/driver/fault_library.h"
#include "devices/emulator/readings.h"

namespace assay::emulator {
namespace {

constexpr std::pair<std::string_view, Target> targets[] = {{"sm_90a", Target::sm_90a},
                                                           {"sm_100a", Target::sm_100a},
                                                           {"sm_103a", Target::sm_103a},
                                                           {"sm_120a", Target::sm_120a}};

constexpr uint64_t most_workers = 1024;

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string parse_schedule(std::string_view value, Settings& settings) {
  if (value == "eager" || value == "lazy") {
    settings.completion = value == "eager" ? Completion::eager : Completion::lazy;
    return {};
  }
  const std::string_view seed = value.substr(0, 7) == "random:" ? value.substr(7) : "";
  if (value != "random" && !number(seed))
    return "schedule '" + std::string(value) + "' is not one of eager, lazy, random, random:SEED";
  settings.completion = Completion::random;
  settings.seed = number(seed).value_or(0);
  return {};
}

std::string parse_reading(std::string_view value, Settings& settings) {
  const size_t colon = value.rfind(':');
  if (colon == std::string_view::npos || colon + 2 != value.size())
    return "reading '" + std::string(value) + "' is not ID:LETTER, as in TMA-AMB-11:B";
  const std::string_view id = value.substr(0, colon);
  if (std::string wrong = check_reading(id, value.back()); !wrong.empty()) return wrong;
  settings.readings.emplace_back(id, value.back());
  return {};
}

std::string parse_word(std::string_view word, Settings& settings) {
  for (const auto& [name, target] : targets)
    if (word == name) {
      settings.target = target;
      return {};
    }
  if (word == "strict" || word == "tolerant") {
    (word == "strict" ? settings.strict : settings.tolerant) = true;
    return {};
  }
  const size_t equal = word.find('=');
  const std::string_view key = word.substr(0, equal);
  const std::string_view value = equal == std::string_view::npos ? "" : word.substr(equal + 1);
  if (key == "schedule") return parse_schedule(value, settings);
  if (key == "reading") return parse_reading(value, settings);
  if (key == "fault") {
    if (std::string wrong = check_fault(value); !wrong.empty()) return wrong;
    settings.fault = value;
    return {};
  }
  if (key == "tmem_base") {
    if (value != "lowest" && value != "random")
      return "tmem_base '" + std::string(value) + "' is not one of lowest, random";
    settings.moves_tensor_memory = value == "random";
    return {};
  }
  if (key == "limit") {
    const auto limit = number(value);
    if (!limit) return "limit '" + std::string(value) + "' is not a number of thread instructions";
    settings.instruction_limit = *limit;
    return {};
  }
  if (key == "workers") {
    const auto workers = number(value);
    if (!workers || *workers > most_workers)
      return "workers '" + std::string(value) + "' is not a number of host threads from 0 to " +
             std::to_string(most_workers);
    settings.workers = static_cast<uint32_t>(*workers);
    return {};
  }
  return "'" + std::string(word) +
         "' is not one of sm_90a, sm_100a, sm_103a, sm_120a, strict, tolerant, schedule=, tmem_base=, "
         "fault=, reading=, limit=, workers=";
}

}  // namespace

std::string parse_settings(std::string_view text, Settings& settings) {
  settings = {};
  settings.workers = 0;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (!word.empty())
      if (std::string wrong = parse_word(word, settings); !wrong.empty()) return wrong;
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return {};
}

}  // namespace assay::emulator
