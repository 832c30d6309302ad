#include <iostream>
#include <string>

#include "cli/command.h"
#include "cli/describe_property.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

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

void show(const Rule& rule) {
  std::cout << rule.id << "  " << rule.words << "\n  source        " << where(rule.cites)
            << "\n  architectures " << architectures(rule.applies) << "\n";
  if (!rule.question.empty()) std::cout << "  open question " << rule.question << "\n";
  const std::string properties = properties_of_rule(rule.id);
  std::cout << "  exercised by  " << (properties.empty() ? "no property" : properties) << "\n";
}

void show(const Question& question) {
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
}

std::string asked;

int describe() {
  if (const auto rule = find_rule(asked)) return show(rules()[*rule]), as_expected;
  if (const auto question = find_question(asked)) return show(questions()[*question]), as_expected;
  if (describe_property(asked, std::cout)) return as_expected;
  std::cerr << "assay: '" << asked
            << "' is no rule (V-23, TILE-R09), open question (TMA-AMB-04, X-04) or property; "
            << "`assay list` names the properties\n";
  return usage;
}

const Registered command{{.order = 30,
                          .declare =
                              [](CLI::App& app) {
                                CLI::App* sub =
                                    app.add_subcommand("describe", "a property, a rule or an open question");
                                sub->add_option("what", asked, "id or name")->required();
                                return sub;
                              },
                          .run = describe}};

}  // namespace
}  // namespace assay::cli
