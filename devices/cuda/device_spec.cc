// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/device_spec.h"

#include <algorithm>
#include <vector>

#include "devices/device.h"
#include "reference/spec/arch.h"

namespace assay::cuda {
namespace {

constexpr spec::Arch default_arch = spec::Arch::sm_100;

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 19 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const size_t comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

[[noreturn]] void reject(std::string_view spec, std::string_view word, std::string_view right) {
  throw DeviceSpecError("device '" + std::string(spec) + "': '" + std::string(word) + "' is not " +
                        std::string(right));
}

void check_word(std::string_view spec, const std::string& word) {
  const size_t equals = word.find('=');
  const std::string key = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (word == "strict") return;
  if (key == "schedule") {
    if (value == "eager" || value == "lazy") return;
    if (value.rfind("random:", 0) == 0 && is_number(std::string_view(value).substr(7))) return;
    if (value.starts_with("explore:") || value.starts_with("order:")) return;
    reject(spec, word,
           "schedule=eager, schedule=lazy, schedule=random:SEED, schedule=explore:SECONDS[:ORDERS] or "
           "schedule=order:LAUNCH:STEPS");
  }
  if (key == "tmem_base") {
    if (value == "lowest" || value == "random") return;
    reject(spec, word, "tmem_base=lowest or tmem_base=random");
  }
  if (key == "fault" && !value.empty()) return;
  if (key == "reading") {
    const size_t colon = value.rfind(':');
    if (colon != std::string::npos && colon > 0 && colon + 2 == value.size()) return;
    reject(spec, word, "reading=QUESTION:LETTER");
  }
  if ((key == "limit" || key == "workers") && is_number(value)) return;
  reject(spec, word,
         "one of " + spec::listed(spec::target_text, spec::from(0), ", ", ", ") +
             ", schedule=, tmem_base=, strict, fault=, reading=, limit=, workers=");
}

}  // namespace

DeviceSpec parse_device_spec(std::string_view text) {
  DeviceSpec spec;
  if (text.rfind("cuda:", 0) == 0) {
    const std::string_view number = text.substr(5);
    if (!is_number(number) || number.size() > 4) reject(text, number, "the index of a GPU, as in cuda:0");
    spec.ordinal = std::stoi(std::string(number));
    spec.text = "cuda:" + std::to_string(spec.ordinal);
    return spec;
  }
  if (text != "emulator" && text.rfind("emulator:", 0) != 0) reject(text, text, device_grammar());
  spec.emulator = true;
  spec::Arch arch = default_arch;
  std::string rest;
  if (text.size() > 9)
    for (const std::string& word : words_of(text.substr(9))) {
      if (const auto named = spec::parse_arch(word); named && word == spec::row_of(*named).target) {
        arch = *named;
        continue;
      }
      check_word(text, word);
      rest += "," + word;
    }
  else if (text.size() == 9)
    reject(text, "", "a target: " + spec::listed(spec::target_text));
  spec.architecture = spec::name(arch);
  spec.settings = std::string(spec::row_of(arch).target) + rest;
  spec.text = "emulator:" + spec.settings;
  return spec;
}

}  // namespace assay::cuda
