// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

#include <dlfcn.h>
#include <charconv>
#include <mutex>
#include <optional>

#include "devices/emulator/driver/notes.h"
#include "devices/emulator/machine/schedule.h"
#include "devices/emulator/readings.h"

namespace assay::emulator {
namespace {

constexpr uint64_t most_workers = 1024;
constexpr uint64_t most_explore_seconds = 1'000'000;

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "explore:SECONDS[:ORDERS]" and "order:LAUNCH:ORDER". False: it is neither.
bool parse_steps(std::string_view value, Settings& settings) {
  const size_t colon = value.find(':');
  const std::string_view word = value.substr(0, colon);
  if (colon == value.npos || (word != "explore" && word != "order")) return false;
  value.remove_prefix(colon + 1);
  const auto first = number(value.substr(0, value.find(':')));
  if (!first) return false;
  if (word == "explore") {
    if (*first == 0 || *first > most_explore_seconds) return false;
    settings.explore_seconds = static_cast<uint32_t>(*first);
    const size_t rest = value.find(':');
    const auto orders = number(rest == value.npos ? "1" : value.substr(rest + 1));
    if (!orders || *orders == 0) return false;
    settings.explore_orders = rest == value.npos ? 0 : *orders;
  } else {
    const size_t rest = value.find(':');
    if (rest == value.npos || !Replay::parse(value.substr(rest + 1))) return false;
    settings.replayed_launch = *first;
    settings.replayed_order = value.substr(rest + 1);
  }
  settings.completion = Completion::lazy;
  settings.is_stepwise = settings.strict = true;
  return true;
}

std::string parse_schedule(std::string_view value, Settings& settings) {
  if (parse_steps(value, settings)) return {};
  if (value == "eager" || value == "lazy") {
    settings.completion = value == "eager" ? Completion::eager : Completion::lazy;
    return {};
  }
  const std::string_view seed = value.substr(0, 7) == "random:" ? value.substr(7) : "";
  if (value != "random" && !number(seed))
    return "schedule '" + std::string(value) +
           "' is not one of eager, lazy, random, random:SEED, explore:SECONDS[:ORDERS], order:LAUNCH:ORDER";
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
  std::string targets;
  for (const Target target : spec::all_archs) {
    targets += std::string(target_name(target)) + ", ";
    if (word != target_name(target)) continue;
    settings.target = target;
    return {};
  }
  if (word == "strict" || word == "warnings" || word == "tolerant") {
    (word == "strict" ? settings.strict : word == "warnings" ? settings.warns : settings.tolerant) = true;
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
  if (key == "without" || key == "known") {
    const size_t colon = value.rfind(':');
    const auto line = number(colon == value.npos ? "" : value.substr(colon + 1));
    if (key == "known" && !settings.known) settings.known.emplace();
    if (key == "known" && value.empty()) return {};
    if (!line || *line == 0 || *line > UINT32_MAX)
      return std::string(key) + " '" + std::string(value) + "' is not " +
             (key == "known" ? "CLAUSE" : "KERNEL") + ":LINE of the PTX";
    const std::string name(value.substr(0, colon));
    if (key == "known")
      settings.known->emplace(name, *line);
    else
      settings.left_out_kernel = name, settings.left_out_line = static_cast<uint32_t>(*line);
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
  return "'" + std::string(word) + "' is not one of " + targets +
         "strict, warnings, tolerant, schedule=, tmem_base=, "
         "fault=, reading=, without=, known=, limit=, workers=";
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

namespace {

/// Of the folder that this code was loaded from.
std::string library_path() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&library_path), &self) == 0 || self.dli_fname == nullptr)
    return {};
  const std::string file = self.dli_fname;
  return file.substr(0, file.rfind('/') + 1) + "libassay_faults.so";
}

/// Empty, or why the library's rows are not there.
std::string load_library() {
  const std::string path = library_path();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return dlerror();
  auto* const entry = reinterpret_cast<FaultLibraryEntry*>(dlsym(library, fault_library_entry));
  if (entry == nullptr) return path + " does not export " + fault_library_entry;
  size_t count = 0;
  const Fault* const* rows = entry(sizeof(Fault), &count);
  if (rows == nullptr) return path + " was built from other sources than the emulator";
  for (size_t i = 0; i < count; ++i) add_fault(*rows[i]);
  return {};
}

/// Once, and not at all where rows are linked in.
const std::string& why_none() {
  static std::once_flag once;
  static std::string why;
  std::call_once(once, [] {
    if (all_faults().empty()) why = load_library();
  });
  return why;
}

}  // namespace

std::string check_fault(std::string_view name) {
  const std::string& why = why_none();
  if (find_fault(name) != nullptr) return {};
  if (!why.empty()) return "faults are unavailable: " + why;
  std::string text = "no fault named '" + std::string(name) + "'; there are:";
  for (const Fault* row : all_faults())
    text += (row == all_faults().front() ? " " : ", ") + std::string(row->name);
  return text;
}

std::string described_faults() {
  why_none();
  std::string text;
  for (const Fault* row : all_faults()) text += json_line(*row) + "\n";
  return text;
}

}  // namespace assay::emulator
