// SPDX-License-Identifier: Apache-2.0
// Any text as a file of waivers: waivers that say all that they must, or one sentence.
#include "reports/expectations.h"

#include <stdexcept>

#include "fuzz/target.h"
#include "fuzz/text_mutator.h"
#include "reports/text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  ++fuzz::counts().inputs;
  try {
    const auto waivers =
        report::parse_expectations({reinterpret_cast<const char*>(data), size}, "waivers.toml");
    ++fuzz::counts().past_parser;
    for (const report::Waiver& one : waivers) {
      fuzz::require(!one.id.empty() && !one.reason.empty() && one.expires.size() == 10,
                    "a waiver has an id, a reason and a day on which it ends");
      report::covers(one, "tma.tiled.load", "byte 128", {"TILE-R01"});
      report::is_expired(one, "2026-01-01");
      report::is_for_device(one, {});
    }
  } catch (const std::runtime_error& error) {
    const std::string_view sentence = error.what();
    fuzz::require(sentence.starts_with("waivers.toml, line ") && sentence.find('\n') == sentence.npos,
                  "a refusal names file and line, on one line");
    fuzz::require(sentence.size() < 400 && report::well_formed(sentence) == sentence,
                  "a refusal can be read, whatever it quotes");
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_text(data, size, max_size, seed);
}
