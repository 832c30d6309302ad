// SPDX-License-Identifier: Apache-2.0
// Any text as a case file: a case that is written as the same JSON again, is named in words and becomes a
// record, or one sentence.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fuzz/target.h"
#include "fuzz/text_mutator.h"
#include "suites/run/case_file.h"

namespace assay::fuzz {
namespace {

/// Whether every member that was written stands alike in the text, which may also name members by their
/// defaults.
bool is_part(const nlohmann::json& written, const nlohmann::json& text) {
  if (!written.is_object() || !text.is_object()) return written == text;
  return std::all_of(written.items().begin(), written.items().end(), [&](const auto& member) {
    return text.contains(member.key()) && is_part(member.value(), text.at(member.key()));
  });
}

void check(const std::string& text) {
  suites::CaseFile read;
  try {
    read = suites::parse_case(text, "case.json");
  } catch (const std::runtime_error& error) {
    require(std::string_view(error.what()).find("case.json") != std::string_view::npos,
            "a refusal names the file");
    return;
  }
  ++counts().past_parser;
  const suites::Family& family = read.property->family();
  const nlohmann::json written = family.to_json(read.what);
  require(is_part(written, nlohmann::json::parse(text).at("case")), "a case is written as it was read");
  require(family.from_json(written) == read.what, "a case that was written is read the same");
  uint32_t property = 0;
  for (const suites::Property* one : suites::all_properties()) {
    if (one == read.property) break;
    ++property;
  }
  hit_cell(property);
  require(!family.fields(read.what).empty(), "a case has words for people");
}

std::string case_text(std::span<const uint8_t> input) {
  return {input.begin(), input.end()};
}

const RegisteredHooks registered({.simpler = nullptr, .case_file = case_text});

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_json(data, size, max_size, seed);
}
