// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/tools/encode_call.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/rules.h"
#include "reports/text.h"
#include "reports/verdict.h"
#include "suites/failure/replay.h"

namespace assay::cli {
namespace {

std::string what, replay_program;
bool replay_as_json = false;
std::vector<std::string> wanted{"auto"};
suites::ReplayOptions replay_options;

nlohmann::json replay_json_of(const std::string& device, const suites::ReplayResult& result) {
  const report::CaseRow& row = result.row;
  nlohmann::json object = {{"device", device},
                           {"verdict", report::name(result.verdict)},
                           {"exit_code", result.exit_code},
                           {"property", row.property},
                           {"case_id", row.case_id},
                           {"case", nlohmann::json::parse(row.case_json, nullptr, false)},
                           {"message", row.message},
                           {"expected_end", row.expected_end},
                           {"observed_end", row.observed_end},
                           {"differing_bytes", row.differing_bytes},
                           {"rules", row.rules}};
  if (!row.signature.empty()) object["signature"] = row.signature;
  return object;
}

int replay() {
  nlohmann::json document = {{"format", "assay-replay/1"}, {"devices", nlohmann::json::array()}};
  const std::vector<std::string> devices = devices_named(wanted);
  int code = as_expected;
  for (const std::string& spec : devices) {
    const suites::ReplayResult result = suites::replay(what, spec, replay_options);
    if (replay_as_json)
      document["devices"].push_back(replay_json_of(spec, result));
    else
      std::cout << result.text;
    code = std::max(code, result.exit_code);
    if (replay_program.empty()) continue;
    if (!result.program) throw std::runtime_error("this case cannot be written as a stand-alone program");
    report::write_whole_file(replay_program, *result.program);
  }
  if (replay_as_json) print_json(document);
  return code;
}

const Registered replay_command{
    {.order = 40,
     .name = "replay",
     .help = "run exactly one case and show it",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("case", what, "case file, or property@seed#index[/shrink path]").required();
           line.option("--device", wanted, "devices, as in 'assay run --device'")
               .one_word_each()
               .shows_default();
           line.option("--readings", replay_options.readings,
                       "judge by these readings, such as TMA-AMB-04:B, in place of the defaults");
           line.option("--batch", replay_options.batch,
                       "run it in one batch with the cases of its property and seed at these indexes, such "
                       "as 64-127");
           line.option("--copies", replay_options.copies, "number of copies to run in one batch");
           line.option(
               "--cause", replay_options.cause,
               "say what the run blames, such as TILE-R04, where the case alone would leave a choice");
           line.flag("--json", replay_as_json, "print one line of JSON (docs/machine_readable.md)");
           line.option("--cu", replay_program,
                       "write the case as a stand-alone CUDA program, whatever the verdict");
         },
     .run = replay}};

EncodeCall call;
std::string explain_architecture = "sm_100";
bool explain_as_json = false;

std::string explain_hexadecimal(std::span<const std::byte> bytes, const char* between) {
  std::string text;
  for (const std::byte byte : bytes) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(byte));
    text += (text.empty() ? "" : between) + std::string(digits);
  }
  return text;
}

model::EncodePrediction predict(const Im2colMapArgs& map, const spec::Readings& readings) {
  if (call.encoder() != EncodeCall::Encoder::tiled)
    return model::predict_encode(EncodeIm2colCase{.map = map}, readings);
  return model::predict_encode(EncodeTiledCase{.map = map}, readings);
}

std::string explain_sources(const spec::Rule& rule) {
  std::string text;
  for (const spec::Cite& cite : rule.cites)
    if (!cite.document.empty())
      text += (text.empty() ? "" : "; ") + std::string(cite.document) + ", " + std::string(cite.place);
  return text;
}

/// The open question that the answer depends on and that no device of the architecture has decided, or
/// nothing.
std::string_view open_question(const spec::Rule& rule, const spec::Readings& readings) {
  const auto index = rule.question.empty() ? std::nullopt : spec::find_question(rule.question);
  if (!index || !readings.consulted()[*index]) return {};
  const bool is_settled = spec::questions()[*index].settled[static_cast<size_t>(readings.arch())];
  return is_settled ? std::string_view() : rule.question;
}

/// "0x0a bit 5, 0x40 to 0x7f": what of the map is not known.
std::string open_places(const std::array<std::byte, 128>& defined) {
  std::string text;
  char place[32];
  for (size_t at = 0; at < defined.size(); ++at) {
    const unsigned known = std::to_integer<unsigned>(defined[at]);
    if (known == 0xff) continue;
    const size_t first = at;
    while (known == 0 && at + 1 < defined.size() && defined[at + 1] == std::byte{0}) ++at;
    if (at > first) {
      std::snprintf(place, sizeof place, "bytes 0x%02zx to 0x%02zx", first, at);
    } else {
      std::snprintf(place, sizeof place, "byte 0x%02zx", first);
    }
    text += (text.empty() ? "" : ", ") + std::string(place);
    std::string bits;
    for (int bit = 0; bit < 8; ++bit)
      if (known != 0 && (known >> bit & 1) == 0) bits += " " + std::to_string(bit);
    if (!bits.empty()) text += (bits.size() > 2 ? " bits" : " bit") + bits;
  }
  return text;
}

void print(const model::EncodePrediction& prediction, const spec::Readings& readings) {
  const spec::Arch arch = readings.arch();
  std::cout << call.in_words() << "\n";
  if (!spec::row_of(arch).is_encoder_known)
    std::cout << "the encoder of " << spec::name(arch)
              << " has been neither published nor measured; this is what the documents say\n";
  if (!prediction.accepted) {
    std::cout << "refused on " << spec::name(arch) << ": CUDA_ERROR_INVALID_VALUE\n";
    for (size_t i = 0; i < spec::rule_table.size(); ++i) {
      const spec::Rule& rule = spec::rule_table[i];
      if (!prediction.rules[i] || rule.id == "V-50") continue;
      std::cout << "  " << rule.id << "  " << rule.words << "\n        [" << explain_sources(rule) << "]\n";
      if (const std::string_view question = open_question(rule, readings); !question.empty())
        std::cout << "        open question " << question << " on " << spec::name(arch) << " (assay describe "
                  << question << ")\n";
    }
    return;
  }
  std::cout << "accepted on " << spec::name(arch) << "; the 128 bytes:\n";
  const std::span<const std::byte> bytes(prediction.map);
  for (size_t at = 0; at < bytes.size(); at += 16) {
    std::printf("  0x%02zx:  %s\n", at, explain_hexadecimal(bytes.subspan(at, 16), " ").c_str());
  }
  if (const std::string open = open_places(prediction.defined); !open.empty())
    std::cout << "not known for " << spec::name(arch) << ", never observed: " << open << "\n";
}

nlohmann::json document_of(const model::EncodePrediction& prediction, const spec::Readings& readings) {
  nlohmann::json document = {{"format", "assay-explain/1"},
                             {"call", call.in_words()},
                             {"architecture", spec::name(readings.arch())},
                             {"accepted", prediction.accepted},
                             {"rules", nlohmann::json::array()}};
  if (prediction.accepted) {
    document["map"] = explain_hexadecimal(prediction.map, "");
    document["defined"] = explain_hexadecimal(prediction.defined, "");
    return document;
  }
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const spec::Rule& rule = spec::rule_table[i];
    if (!prediction.rules[i] || rule.id == "V-50") continue;
    document["rules"].push_back(
        {{"rule", rule.id}, {"words", rule.words}, {"source", explain_sources(rule)}});
    if (const std::string_view question = open_question(rule, readings); !question.empty())
      document["rules"].back()["question"] = question;
  }
  return document;
}

int run_explain() {
  const spec::Readings readings(arch_option("--arch", explain_architecture));
  const model::EncodePrediction prediction = predict(call.arguments(), readings);
  if (explain_as_json)
    print_json(document_of(prediction, readings));
  else
    print(prediction, readings);
  return prediction.accepted ? as_expected : violation;
}

const Registered explain_command{
    {.order = 33,
     .name = "explain",
     .help = "check a tensor map encode call: the rules it breaks (exit code 1) or the map it writes",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           call.declare(line);
           line.option("--arch", explain_architecture, "target architecture")
               .offers(arch_names())
               .shows_default();
           line.flag("--json", explain_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = run_explain}};

}  // namespace
}  // namespace assay::cli
