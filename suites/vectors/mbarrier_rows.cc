// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "reference/model/barrier/mbarrier.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

using model::Mbarrier;

constexpr std::string_view mbarrier_header[] = {"id", "name", "steps", "outcome", "results", "silicon_sm90"};

/// "verb", "verb(amount)", "verb->t3", "verb(amount)->t3"; the amount may be a token, "t3".
struct ScriptStep {
  std::string_view verb;
  std::optional<uint32_t> amount;
  uint64_t word = 0;  ///< the amount in 64 bits
  size_t token = 0;   ///< in the amount or behind the arrow
};

constexpr size_t tokens = 8;

size_t token_number(std::string_view text) {
  if (text.size() != 2 || text[0] != 't' || text[1] < '0' || text[1] >= static_cast<char>('0' + tokens))
    throw RowError{"'" + std::string(text) + "' is not a token: t0 to t7"};
  return static_cast<size_t>(text[1] - '0');
}

ScriptStep read_step(std::string_view text) {
  const std::string_view whole = text;
  ScriptStep step;
  if (const size_t arrow = text.find("->"); arrow != std::string_view::npos) {
    step.token = token_number(text.substr(arrow + 2));
    text = text.substr(0, arrow);
  }
  if (const size_t open = text.find('('); open != std::string_view::npos) {
    if (text.back() != ')') throw RowError{"'" + std::string(whole) + "' is not a step"};
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    text = text.substr(0, open);
    if (inside.starts_with('t')) {
      step.token = token_number(inside);
    } else {
      step.word = parse_number<uint64_t>("steps", inside);
      step.amount = static_cast<uint32_t>(step.word);
    }
  }
  step.verb = text;
  return step;
}

/// Eight bytes of shared memory with what mbarrier operations make of them on Hopper.
class Cell {
 public:
  /// What the step answers; nothing: the launch fails.
  std::optional<uint64_t> take(const ScriptStep& step) {
    const std::string_view verb = step.verb;
    if (verb == "init") {
      live_ = Mbarrier::initialised(amount(step));
      return live_ ? std::optional<uint64_t>(0) : std::nullopt;
    }
    if (verb == "inval" || verb == "state") {
      memory_ = object().word();
      live_.reset();
      return verb == "state" ? memory_ : 0;
    }
    if (verb == "generic_load" || verb == "generic_atom_read") return memory_;
    if (verb == "generic_exch") return std::exchange(memory_, step.word);
    if (verb == "generic_store" || verb == "remote_generic_store") return memory_ = step.word, 0;
    if (verb == "pending_count") return model::pending_count_of(tokens_[step.token]);
    if (verb == "test_wait.parity") return tested(amount(step));
    if (verb == "test_wait") return tested(tokens_[step.token] >> 63);
    if (verb == "expect_tx") return answer(object().expect(amount(step)));
    if (verb == "complete_tx") return answer(object().complete(amount(step)));
    // One arrival more is awaited and comes at once (H200: MB-12).
    if (verb == "cp.async.mbarrier.arrive") return answer(object().arrive(0, false));
    if (verb == "remote.arrive") {
      // A failure in the other CTA was not seen by the one that caused it.
      object().arrive(1, false);
      return 0;
    }
    if (verb.starts_with("arrive")) return arrive(step);
    throw RowError{"'" + std::string(verb) + "' is not an operation of these scripts"};
  }

 private:
  static uint32_t amount(const ScriptStep& step) {
    if (!step.amount) throw RowError{std::string(step.verb) + " has no number"};
    return *step.amount;
  }
  static std::optional<uint64_t> answer(bool is_good) {
    return is_good ? std::optional<uint64_t>(0) : std::nullopt;
  }
  Mbarrier& object() {
    if (!live_) live_ = Mbarrier::found(memory_);
    return *live_;
  }
  std::optional<uint64_t> tested(uint64_t parity) {
    return object().is_damaged() ? std::nullopt : std::optional<uint64_t>(object().is_over(parity));
  }
  std::optional<uint64_t> arrive(const ScriptStep& step) {
    std::string_view how = step.verb.substr(6);
    const bool drops = how.starts_with("_drop");
    if (drops) how.remove_prefix(5);
    const uint64_t token = object().token(how == ".noComplete");
    bool is_good;
    if (how == ".expect_tx")
      is_good = object().arrive_expecting(amount(step), drops);
    else if (how.empty() && !step.amount)
      is_good = object().arrive(1, drops);
    else if (how == ".count" || how == ".noComplete")
      is_good = object().arrive(amount(step), drops);
    else
      throw RowError{"'" + std::string(step.verb) + "' is not an operation of these scripts"};
    if (!is_good) return std::nullopt;
    return tokens_[step.token] = token;
  }

  uint64_t memory_ = 0;
  std::optional<Mbarrier> live_;
  std::array<uint64_t, tokens> tokens_{};
};

/// The steps are joined by " ; ".
std::vector<ScriptStep> read_steps(std::string_view text) {
  constexpr std::string_view between = " ; ";
  std::vector<ScriptStep> steps;
  while (!text.empty()) {
    const size_t at = text.find(between);
    steps.push_back(read_step(text.substr(0, at)));
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + between.size());
  }
  return steps;
}

void check_mbarrier(const CsvRow& row, RowResult& result) {
  const auto text = [&](std::string_view column) -> const std::string& {
    return cell(mbarrier_format, row, column);
  };
  result.kind = "mbarrier script";
  const std::string& outcome = text("outcome");
  if (outcome != "ok" && outcome != "LF") throw RowError{"outcome '" + outcome + "' is neither ok nor LF"};
  const std::vector<ScriptStep> steps = read_steps(text("steps"));
  std::vector<std::string> answers;
  Cell memory;
  bool fails = false;
  for (const ScriptStep& step : steps) {
    const std::optional<uint64_t> answer = memory.take(step);
    fails |= !answer;
    if (fails) break;
    answers.push_back(hex_code(*answer));
  }
  Differences differences;
  differences.compare("outcome", outcome, fails ? "LF" : "ok");
  if (!fails && outcome == "ok") {
    const std::vector<std::string> measured = split(text("results"), ' ');
    if (measured.size() != steps.size())
      throw RowError{std::to_string(steps.size()) + " steps have " + std::to_string(measured.size()) +
                     " results"};
    for (size_t i = 0; i < steps.size(); ++i)
      differences.compare("step " + std::to_string(i) + ", " + std::string(steps[i].verb), measured[i],
                          answers[i]);
  }
  result.settle(differences.text());
}

}  // namespace

const FileFormat mbarrier_format{mbarrier_header, check_mbarrier};

}  // namespace assay::vectors
