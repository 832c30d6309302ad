// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"
#include "cli/commands/describe_property.h"
#include "cli/terminal.h"
#include "cli/tools/encode_call.h"
#include "cli/tools/map_argument.h"
#include "reference/spec/descriptor.h"
#include "reference/spec/near_names.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "suites/run/case_file.h"
#include "suites/run/field_coverage.h"
#include "suites/run/property.h"

namespace assay::cli {
namespace {

using namespace assay::spec;

std::string where(std::span<const Cite> cites) {
  std::string text;
  for (const Cite& cite : cites) {
    if (cite.document.empty()) continue;
    text += (text.empty() ? "" : "; ") + std::string(cite.document) + ", " + std::string(cite.place);
  }
  return text;
}

std::string architectures(const std::array<bool, arch_count>& applies) {
  std::string text;
  for (int i = 0; i < arch_count; ++i)
    if (applies[i]) text += (text.empty() ? "" : " ") + std::string(name(static_cast<Arch>(i)));
  return text;
}

void describe_show(const Rule& rule) {
  std::cout << rule.id << "  " << rule.words << "\n  source        " << where(rule.cites)
            << "\n  architectures " << architectures(rule.applies) << "\n";
  if (!rule.question.empty()) std::cout << "  open question " << rule.question << "\n";
  const std::vector<std::string_view> properties = properties_of_rule(rule.id);
  std::cout << "  exercised by ";
  for (const std::string_view name : properties) std::cout << ' ' << name;
  std::cout << (properties.empty() ? " no property\n" : "\n");
}

void describe_show(const Question& question) {
  std::cout << question.id;
  if (!question.also.empty()) std::cout << " (" << question.also << ")";
  std::cout << "  " << question.words << "\n";
  for (int i = 0; i < question.reading_count(); ++i) {
    const Reading& reading = question.readings[i];
    std::cout << "  " << reading.letter << "  " << reading.words;
    std::string marks;
    for (int arch = 0; arch < arch_count; ++arch)
      if (question.default_for[arch] == reading.letter)
        marks += " " + std::string(name(static_cast<Arch>(arch))) +
                 (question.settled[arch] ? " (settled on silicon)" : "");
    std::cout << (marks.empty() ? "" : "   default:" + marks) << "\n";
  }
  std::cout << "  source  " << where(question.cites) << "\n";
  if (!question.is_decidable()) std::cout << "  no case can decide it: " << question.undecidable << "\n";
  if (!question.published.empty()) std::cout << "  published by others: " << question.published << "\n";
}

std::string describe_asked, word_kind, map_architecture = "sm_90";
bool describe_as_json = false, as_schema = false;

int describe_descriptor() {
  if (word_kind == "tensor_map") return describe_map(describe_asked, map_architecture, describe_as_json);
  const auto bits = parse_number(describe_asked);
  if (!bits) {
    std::cerr << "assay: '" << describe_asked
              << "' is not a word of at most 64 bits, such as 0x4000404000010080\n";
    return usage;
  }
  if (bits_of_word(word_kind) == 32 && *bits >> 32 != 0) {
    std::cerr << "assay: '" << describe_asked
              << "' has more than 32 bits; an instruction descriptor has 32\n";
    return usage;
  }
  // Sixteen digits, or eight, are what a register's value looks like in hexadecimal.
  if ((describe_asked.size() == 8 || describe_asked.size() == 16) && !describe_asked.starts_with("0x"))
    std::cerr << "assay: '" << describe_asked << "' is read as a decimal number; for hexadecimal write 0x"
              << describe_asked << "\n";
  if (const auto text = describe_word(*bits, word_kind, describe_as_json)) {
    if (describe_as_json)
      print_json(nlohmann::json::parse(*text));
    else
      std::cout << *text << (text->ends_with('\n') ? "" : "\n");
    return as_expected;
  }
  std::cerr << "assay: unknown descriptor '" << word_kind << "'; expected one of ";
  for (const std::string_view name : describable_words()) std::cerr << name << ", ";
  std::cerr << "tensor_map\n";
  return usage;
}

UnknownName no_such_property() {
  std::vector<std::string_view> names;
  for (const suites::Property* property : suites::all_properties()) names.push_back(property->name);
  return UnknownName("'" + describe_asked + "' is not the name of a property" +
                     did_you_mean(describe_asked, names));
}

int describe_schema() {
  const suites::Property* const property = suites::find_property(describe_asked);
  if (property == nullptr) throw no_such_property();
  std::cout << suites::case_file_schema(*property).dump(1) << "\n";
  return as_expected;
}

int describe() {
  if (!word_kind.empty()) return describe_descriptor();
  if (as_schema) return describe_schema();
  if (describe_as_json)
    if (const auto found = description(describe_asked)) return print_json(*found), as_expected;
  if (const auto rule = find_rule(describe_asked)) return describe_show(rules()[*rule]), as_expected;
  if (const auto question = find_question(describe_asked))
    return describe_show(questions()[*question]), as_expected;
  if (describe_property(describe_asked, std::cout)) return as_expected;
  std::vector<std::string_view> names;
  for (const Rule& rule : rules()) names.push_back(rule.id);
  for (const Question& question : questions()) names.push_back(question.id);
  for (const suites::Property* property : suites::all_properties()) names.push_back(property->name);
  if (describe_asked.find_first_not_of("0123456789abcdefABCDEFxX") == describe_asked.npos &&
      describe_asked.starts_with("0x"))
    throw UnknownName("'" + describe_asked +
                      "' is a number; --as smem shows the fields of a shared-memory descriptor, --as "
                      "idesc_f16 those of an instruction descriptor, --as tensor_map a tensor map");
  throw UnknownName("'" + describe_asked +
                    "' is not the name of a property, a rule such as TILE-R09 or an open question such as "
                    "TMA-AMB-04" +
                    did_you_mean(describe_asked, names));
}

const Registered describe_command{
    {.order = 30,
     .name = "describe",
     .help = "a property, a rule, an open question or a descriptor word",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.option(
                   "what", describe_asked,
                   "id or name; with --as a descriptor word or a tensor map (hexadecimal, base64, file or -)")
               .required();
           line.option("--as", word_kind,
                       "decode a word: smem, smem_sm90, idesc_<kind>, zero_column_mask or tensor_map");
           line.option("--arch", map_architecture, "architecture whose rules a tensor map is checked against")
               .offers(arch_names());
           line.flag("--schema", as_schema, "print the JSON Schema of a property's case files");
           line.flag("--json", describe_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = describe}};

std::vector<std::string> patterns;
bool list_as_json = false;

int run_list() {
  if (list_as_json) {
    nlohmann::json document = {{"format", "assay-list/1"}, {"properties", nlohmann::json::array()}};
    for (const suites::Property* property : suites::select_properties(patterns))
      document["properties"].push_back(
          {{"name", property->name},
           {"claim", property->claim},
           {"rules", suites::rules_exercised_by(*property, suites::most_listed)}});
    print_json(document);
    return as_expected;
  }
  for (const suites::Property* property : suites::select_properties(patterns))
    std::printf("%-48s %s\n", std::string(property->name).c_str(), std::string(property->claim).c_str());
  return as_expected;
}

const Registered list_command{
    {.order = 20,
     .name = "list",
     .help = "list properties and what each says",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.option("glob", patterns, "patterns for property names (default: all)");
           line.flag("--json", list_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = run_list}};

}  // namespace
}  // namespace assay::cli
