// SPDX-License-Identifier: Apache-2.0
#include "cli/check/findings.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "devices/cuda/emulator_notes.h"
#include "devices/cuda/opened_device.h"
#include "devices/device.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

/// Failures of kernels, by the kinds of the emulator's diagnostics.
constexpr std::pair<std::string_view, std::string_view> failures[] = {
    {"illegal_address", "an address outside of what the access may touch"},
    {"misaligned_address", "an address that is no multiple of what the access needs"},
    {"illegal_instruction", "an operand or a descriptor of an instruction is not legal"},
    {"other_target", "the device lacks an instruction that others have"},
    {"launch_failed", "the kernel trapped"},
    {"uninitialised_read", "memory that was never written is read"},
    {"assert_failed", "an assertion of the program failed"},
    {"deadlock", "no thread can make progress"},
    {"instruction_limit", "the launch has used up the instructions that it may execute"},
    {"driver", "a call of the API has an argument that is not legal"},
};

constexpr std::string_view data_race = "data-race";

std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return name;
  std::string made = text;
  std::free(text);
  return made;
}

/// Names of kernels stand in quotes.
std::string with_names(const std::string& text) {
  std::string made;
  size_t at = 0;
  for (size_t begin; (begin = text.find("'_Z", at)) != text.npos;) {
    const size_t end = std::min(text.find('\'', begin + 1), text.size());
    made += text.substr(at, begin + 1 - at) + demangled(text.substr(begin + 1, end - begin - 1));
    at = end;
  }
  return made + text.substr(at);
}

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

class Reader {
 public:
  Reader(Findings& findings, const std::vector<Clause>& clauses, const std::string& schedule)
      : findings_(findings), clauses_(clauses), schedule_(schedule) {}

  void read(const nlohmann::json& line) {
    if (line.contains("clause")) return add(line, line.value("clause", ""), sentence_of(line), "");
    const std::string kind = line.value("kind", "");
    if (kind == "begin") findings_.has_begun = true;
    if (kind == "timeline") keep(read_timeline(line));
    if (kind == "explored")
      findings_.explored.push_back({demangled(line.value("kernel", "")), line.value("launch", uint64_t{0}),
                                    line.value("orders", uint64_t{0}), line.value("others", uint64_t{0}),
                                    line.value("why_not_all", ""), line.value("other_bytes", ""),
                                    line.value("other_schedule", ""), line.value("result", uint64_t{0})});
    if (kind == "synchronises") {
      const std::string kernel = line.value("kernel", "");
      findings_.synchronisations.push_back({kernel, place_in(line, demangled(kernel))});
    }
    if (kind == "asked") ask(line.value("kernel", ""));
    // Of a process that was ended there is no last line.
    const auto launches = line.value("launches", uint64_t{0});
    if (kind == "launches") findings_.launches_seen = std::max(findings_.launches_seen, launches);
    if (kind == "end") findings_.launches_ended = std::max(findings_.launches_ended, ended_ += launches);
    if (kind == "large") {
      findings_.large_launch = demangled(line.value("kernel", ""));
      findings_.large_instructions = line.value("message", "");
    }
    for (const auto& [name, sentence] : failures)
      if (kind == name) {
        const bool is_call = kind == "driver";
        return add(line, is_call ? "api-error" : dashed(kind), std::string(sentence), message_of(line));
      }
    if (kind == "unsupported" || kind == "absent" || kind == "unknown_instruction" || kind == "syntax" ||
        kind == "unsupported_target")
      refuse(line);
  }

  /// Of a kernel in which this schedule showed nothing new an earlier one has left its own timeline.
  void end() {
    const auto& found = findings_.findings;
    for (Timeline& timeline : timelines_)
      if (std::any_of(found.begin(), found.end(), [&](const Finding& one) {
            return !one.is_warning && one.schedule == schedule_ && one.places[0].kernel == timeline.kernel;
          }))
        findings_.timelines.push_back(std::move(timeline));
  }

 private:
  /// Of a deadlock also what each barrier still waits for.
  static std::string message_of(const nlohmann::json& line) {
    constexpr size_t most_barriers = 12;
    std::string message = line.value("message", "");
    for (const std::string& barrier : cuda::barriers_in_words(line, nullptr, most_barriers))
      message += "\n" + barrier;
    return message;
  }

  std::string sentence_of(const nlohmann::json& line) const {
    const Clause* const clause = clause_of(line.value("clause", ""));
    return clause == nullptr ? "" : clause->sentence;
  }

  const Clause* clause_of(const std::string& id) const {
    const auto found =
        std::find_if(clauses_.begin(), clauses_.end(), [&](const Clause& one) { return one.id == id; });
    return found == clauses_.end() ? nullptr : &*found;
  }

  static Place place_in(const nlohmann::json& line, const std::string& kernel) {
    Place place;
    place.kernel = kernel;
    place.line = line.value("line", 0u);
    place.text = line.value("text", "");
    place.file = line.value("file", "");
    place.source_line = line.value("source_line", 0u);
    place.inlined_file = line.value("inlined_file", "");
    place.inlined_line = line.value("inlined_line", 0u);
    for (const auto& call : line.value("called_from", nlohmann::json::array())) {
      Place& from = place.called_from.emplace_back();
      from.file = call.at(0);
      from.source_line = call.at(1);
    }
    place.thread = line.value("thread", "");
    place.why = with_names(line.value("why", ""));
    place.count = line.value("count", uint64_t{1});
    return place;
  }

  void add(const nlohmann::json& line, const std::string& clause, const std::string& sentence,
           const std::string& message) {
    Place place = place_in(line, demangled(line.value("kernel", "")));
    const bool is_race = line.value("race", false), is_warning = is_of_warning(clause);
    const std::string said = message.empty() ? line.value("message", "") : "";
    if (is_race || is_warning) place.what = said;
    if (line.contains("other")) {
      Place& other = place.other.emplace_back(place_in(line.at("other"), place.kernel));
      other.what = is_race ? "the other access"
                           : "the " + (is_warning ? line.at("other").value("what", "copy") : said);
    }
    if (is_race && is_known_reversed(clause, place)) return;
    Finding& finding = find(clause, place, message, sentence);
    if (finding.places.empty()) finding.schedule = line.value("schedule", schedule_);
    for (Place& known : finding.places)
      if (known.line == place.line && known.source_line == place.source_line) {
        const bool is_next = !message.empty() && finding.schedule == schedule_ && !line.contains("schedule");
        known.count = is_next ? known.count + 1 : std::max(known.count, place.count);
        return;
      }
    // The first place of a failure is the one that its order leads to.
    const auto after = std::find_if(finding.places.begin(), finding.places.end(), [&](const Place& known) {
      return message.empty() && known.line > place.line;
    });
    finding.places.insert(after, std::move(place));
  }

  /// Another schedule may have met the two accesses the other way round.
  bool is_known_reversed(const std::string& clause, const Place& place) const {
    return std::any_of(findings_.findings.begin(), findings_.findings.end(), [&](const Finding& known) {
      const Place& first = known.places[0];
      return known.clause == clause && first.kernel == place.kernel && !first.other.empty() &&
             first.line == place.other[0].line && first.other[0].line == place.line &&
             first.line != place.line;
    });
  }

  /// Under another schedule an address or who waits may differ.
  bool is_same_elsewhere(const Finding& known, const std::string& clause, const Place& place) const {
    const Place& first = known.places[0];
    return known.schedule != schedule_ && !known.message.empty() && known.clause == clause &&
           first.kernel == place.kernel && (first.line == place.line || clause == "deadlock");
  }

  bool is_of_warning(const std::string& clause) const {
    const Clause* const row = clause_of(clause);
    return row != nullptr && row->is_warning;
  }

  /// Code that a compiler has repeated is one place of the source.
  static bool is_same_place(const Finding& known, const Place& place) {
    const Place& first = known.places[0];
    return first.line == place.line || (known.is_warning && !place.file.empty() && first.file == place.file &&
                                        first.source_line == place.source_line);
  }

  /// Of races that no clause explains, and of warnings, each place is one.
  Finding& find(const std::string& clause, const Place& place, const std::string& message,
                const std::string& sentence) {
    for (Finding& known : findings_.findings) {
      const Place& first = known.places[0];
      if (known.clause == clause && first.kernel == place.kernel &&
          (known.says_itself ? is_same_place(known, place) : known.message == message))
        return known;
    }
    for (Finding& known : findings_.findings)
      if (!message.empty() && is_same_elsewhere(known, clause, place)) return known;
    const bool is_warning = is_of_warning(clause);
    findings_.findings.push_back(
        {clause, sentence, message, {}, false, is_warning, is_warning || clause == data_race, schedule_});
    return findings_.findings.back();
  }

  void keep(Timeline timeline) {
    timeline.kernel = demangled(timeline.kernel);
    timeline.schedule = schedule_;
    timelines_.push_back(std::move(timeline));
  }

  void ask(const std::string& name) {
    auto& all = findings_.asked;
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }

  void refuse(const nlohmann::json& line) {
    Unsupported one{demangled(line.value("kernel", "")), line.value("message", ""), line.value("line", 0u),
                    line.value("text", "")};
    auto& all = findings_.unsupported;
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
  }

  Findings& findings_;
  const std::vector<Clause>& clauses_;
  const std::string& schedule_;
  std::vector<Timeline> timelines_;
  uint64_t ended_ = 0;  ///< launches of this run's processes
};

/// What is wrong with the first of two accesses comes before what is wrong with the second.
void put_causes_first(std::vector<Finding>& findings) {
  const auto is_about_first_of = [](const Finding& cause, const Finding& of) {
    const Place &place = cause.places[0], &other = of.places[0];
    if (other.other.empty() || place.kernel != other.kernel || place.line != other.other[0].line)
      return false;
    return place.line != other.line && (place.other.empty() || place.other[0].line != other.line);
  };
  for (size_t i = 0; i < findings.size(); ++i)
    for (size_t j = i + 1, moved = 0; j < findings.size() && moved == 0; ++j) {
      if (!is_about_first_of(findings[j], findings[i])) continue;
      const auto at = findings.begin() + static_cast<ptrdiff_t>(i);
      std::rotate(at, findings.begin() + static_cast<ptrdiff_t>(j),
                  findings.begin() + static_cast<ptrdiff_t>(j) + 1);
      moved = 1;
    }
}

}  // namespace

uint64_t Finding::count() const {
  uint64_t sum = 0;
  for (const Place& place : places) sum += place.count;
  return sum;
}

void add_report(Findings& findings, std::string_view lines, const std::vector<Clause>& clauses,
                const std::string& schedule) {
  // Causes before what comes of them: calls, the memory model in the order of its table, failures of kernels;
  // warnings come last.
  const auto rank = [&](const Finding& finding) {
    if (finding.clause == "api-error") return ptrdiff_t{-1};
    if (finding.is_warning) return std::ssize(clauses) + 1;
    return std::find_if(clauses.begin(), clauses.end(),
                        [&](const Clause& one) { return one.id == finding.clause; }) -
           clauses.begin();
  };
  Reader reader(findings, clauses, schedule);
  std::istringstream stream{std::string(lines)};
  for (std::string text; std::getline(stream, text);) {
    const nlohmann::json line = nlohmann::json::parse(report::well_formed(text), nullptr, false);
    if (line.is_object()) reader.read(line);
  }
  std::stable_sort(findings.findings.begin(), findings.findings.end(),
                   [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  put_causes_first(findings.findings);
  reader.end();
}

std::string short_name(const std::string& kernel) {
  constexpr size_t most = 60;
  std::string name = kernel;
  if (name.starts_with("void ")) name.erase(0, 5);
  // The parameters: from the parenthesis that closes at the end.
  if (name.ends_with(')')) {
    int depth = 0;
    for (size_t i = name.size(); i-- > 0;) {
      depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
      if (depth == 0) {
        if (i > 0) name.erase(i);
        break;
      }
    }
  }
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

namespace {

std::string library() {
  return cuda::driver_library(cuda::parse_device_spec("emulator"));
}

template <typename Function>
Function function_of(const char* name) {
  void* handle = dlopen(library().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw DeviceError("the emulator cannot be loaded: " + std::string(dlerror()));
  void* function = dlsym(handle, name);
  if (function == nullptr) throw DeviceError(library() + " has no " + name);
  return reinterpret_cast<Function>(function);
}

template <typename Ask>
std::string text_of(Ask ask) {
  const int needed = -ask(nullptr, 0);
  if (needed <= 1) return {};
  std::string text(static_cast<size_t>(needed), '\0');
  ask(text.data(), text.size());
  text.pop_back();
  return text;
}

}  // namespace

std::string emulated_libraries() {
  const auto folder = std::filesystem::absolute(library()).parent_path();
  for (const char* name : {"libassay_emulator.so", "libassay_cudart.so"})
    if (std::error_code ignored; !std::filesystem::exists(folder / name, ignored))
      throw DeviceError("'" + (folder / name).string() +
                        "' does not exist; build assay_emulator and assay_cudart");
  return folder.string();
}

std::vector<Clause> emulator_clauses() {
  const auto describe = function_of<int (*)(char*, size_t)>("assay_emulator_describe_clauses");
  std::vector<Clause> clauses;
  std::istringstream lines(text_of(describe));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = nlohmann::json::parse(line, nullptr, false);
    if (row.is_object())
      clauses.push_back({row.at("id"), row.at("sentence"), row.at("source"), row.at("section"),
                         row.value("warning", false)});
  }
  return clauses;
}

std::string refusals_of(const std::string& ptx, const std::string& settings) {
  setenv("ASSAY_EMULATOR", settings.c_str(), 1);
  const auto list = function_of<int (*)(const char*, char*, size_t)>("assay_emulator_list_refusals");
  return text_of([&](char* buffer, size_t size) { return list(ptx.c_str(), buffer, size); });
}

}  // namespace assay::cli::check
