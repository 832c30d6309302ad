// SPDX-License-Identifier: Apache-2.0
#include "suites/contact/contact.h"

#include <algorithm>
#include <map>

#include "reference/spec/questions.h"
#include "suites/run/case_file.h"

namespace assay::suites {
namespace {

using Clock = std::chrono::steady_clock;

/// Rounds in which answers may change what is asked.
constexpr int most_rounds = 4;
/// Of cases that leave the process alone.
constexpr size_t cases_a_batch = 64;

bool is_answer(const RecordEnd& end) {
  return end.ended != Ended::not_run && end.ended != Ended::given_up && end.ended != Ended::cut_off &&
         end.ended != Ended::refused;
}

class Contact {
 public:
  Contact(Device& device, const ContactOptions& options)
      : device_(device),
        options_(options),
        arch_(*spec::parse_arch(device.identity().architecture)),
        defaults_(arch_),
        result_{spec::Readings(arch_), {}, {}, {}, false, {}},
        questions_(options.questions) {
    if (questions_.empty())
      for (size_t q = 0; q < spec::questions().size(); ++q)
        questions_.push_back(static_cast<spec::QuestionIndex>(q));
  }

  ContactResult run() {
    try {
      if (arch_ == spec::Arch::sm_100 && options_.questions.empty()) {
        tell("words that others measured");
        result_.published = check_vectors("published", published_b200_vectors(), &device_);
      }
      // What cases that end badly teach may ask for others, of either kind.
      int pass = 0;
      for (const bool badly : {false, true, false, true}) {
        const size_t before = result_.cases.size();
        for (int round = 0; round < most_rounds && ask(badly); ++round) answer_all();
        answer_all();
        if (options_.save && (pass++ < 2 || result_.cases.size() != before)) options_.save(result_);
      }
    } catch (const DeviceError& error) {
      result_.lost = error.what();
      answer_all();
      if (options_.save) options_.save(result_);
    }
    return std::move(result_);
  }

 private:
  void tell(const std::string& words) const {
    if (options_.progress) options_.progress(words);
  }

  bool is_decided(spec::QuestionIndex question) const {
    return std::any_of(result_.answers.begin(), result_.answers.end(), [&](const ContactAnswer& a) {
      return a.question == question && a.status == ContactAnswer::Status::decided;
    });
  }

  /// The cases that questions still want, of one kind; those that serve several once.
  std::vector<ContactCase> wanted(bool badly) {
    std::vector<ContactCase> list;
    for (const spec::QuestionIndex question : questions_) {
      if (is_decided(question)) continue;
      if (is_over()) break;
      for (DecidingCase& one : chosen_cases(question)) {
        if (one.may_end_badly != badly) continue;
        const auto is_same = [&](const ContactCase& c) {
          return c.asked.property == one.property && c.asked.index == one.index;
        };
        for (auto* known : {&list, &result_.cases}) {
          const auto at = std::find_if(known->begin(), known->end(), is_same);
          if (at == known->end()) continue;
          if (std::find(at->questions.begin(), at->questions.end(), question) == at->questions.end())
            at->questions.push_back(question);
          one.property = nullptr;
          break;
        }
        if (one.property != nullptr) list.push_back({std::move(one), {question}, {}, {}});
      }
    }
    std::stable_sort(list.begin(), list.end(), [](const ContactCase& a, const ContactCase& b) {
      return a.asked.property->name < b.asked.property->name;
    });
    return list;
  }

  /// By the defaults they are the same for every device.
  std::vector<DecidingCase> chosen_cases(spec::QuestionIndex question) const {
    for (size_t q = 0; q < spec::questions().size(); ++q)
      if (!result_.chosen.is_default(static_cast<spec::QuestionIndex>(q)))
        return deciding_cases(question, result_.chosen);
    static std::map<std::pair<spec::Arch, spec::QuestionIndex>, std::vector<DecidingCase>> known;
    const auto [at, is_new] = known.try_emplace({arch_, question});
    if (is_new) at->second = deciding_cases(question, result_.chosen);
    return at->second;
  }

  bool is_over() {
    if (Clock::now() >= options_.until) result_.had_no_time = true;
    return result_.had_no_time;
  }

  /// False where there was nothing left to ask.
  bool ask(bool badly) {
    std::vector<ContactCase> list = wanted(badly);
    if (list.empty()) return false;
    for (size_t begin = 0; begin < list.size();) {
      size_t end = begin + 1;
      while (!badly && end < list.size() && end - begin < cases_a_batch &&
             list[end].asked.property == list[begin].asked.property)
        ++end;
      if (is_over()) return false;
      tell(std::string(list[begin].asked.property->name));
      run_cases(std::span(list).subspan(begin, end - begin));
      begin = end;
    }
    std::vector<AnsweredCase> answered;
    for (const ContactCase& c : result_.cases)
      answered.push_back({&c.asked.property->family(), &c.asked.what, {c.end, c.output}});
    result_.chosen = best_fit(answered, result_.chosen);
    return true;
  }

  void run_cases(std::span<ContactCase> cases) {
    const Property& property = *cases[0].asked.property;
    const Family& family = property.family();
    if (device_.declines(family.name())) return;
    size_t first = 0;
    while (first < cases.size()) {
      Batch& batch = device_.acquire();
      batch.family = family.name();
      std::vector<uint64_t> offsets;
      uint64_t used = 0;
      for (size_t i = first; i < cases.size(); ++i) {
        const Case& c = cases[i].asked.what;
        if ((offsets.size() + 1) * family.record_bytes() > batch.records.size() ||
            family.batch_key(c) != family.batch_key(cases[first].asked.what))
          break;
        const auto offset = place_output(family, c, used, batch.output.size());
        if (!offset) break;
        family.write_record(c, *offset, defaults_,
                            batch.records.data() + offsets.size() * family.record_bytes());
        used = *offset + family.output_bytes(c);
        offsets.push_back(*offset);
      }
      batch.count = static_cast<uint32_t>(offsets.size());
      try {
        if (!offsets.empty()) {
          device_.submit(batch);
          device_.wait(batch);
        }
      } catch (const std::invalid_argument&) {  // the device cannot even be asked
        device_.release(batch);
        return;
      } catch (...) {
        device_.release(batch);
        throw;
      }
      for (size_t k = 0; k < offsets.size(); ++k) {
        ContactCase& c = cases[first + k];
        c.end = batch.ends[k];
        const auto output = batch.output.subspan(offsets[k], family.output_bytes(c.asked.what));
        if (!is_answer(c.end)) continue;
        c.output.assign(output.begin(), output.end());
        result_.cases.push_back(std::move(c));
      }
      device_.release(batch);
      first += std::max<size_t>(1, offsets.size());
    }
  }

  void answer_all() {
    result_.answers.clear();
    for (const spec::QuestionIndex question : questions_) result_.answers.push_back(answer(question));
  }

  /// Which readings the cases of a question exclude, and how often.
  ContactAnswer answer(spec::QuestionIndex question) const {
    const spec::Question& row = spec::questions()[question];
    ContactAnswer made{question, result_.chosen.chosen(question), ContactAnswer::Status::open, {}, {}};
    std::map<char, size_t> excluded;
    for (int r = 0; r < row.reading_count(); ++r)
      if (row.readings[r].letter != made.letter && !says_anything(row.readings[r]))
        excluded[row.readings[r].letter] = 0;
    bool any = false;
    const bool has_rival = !excluded.empty();
    for (size_t i = 0; i < result_.cases.size(); ++i) {
      const ContactCase& c = result_.cases[i];
      if (std::find(c.questions.begin(), c.questions.end(), question) == c.questions.end()) continue;
      any = true;
      const Family& family = c.asked.property->family();
      const Observation seen{c.end, c.output};
      if (!fits_readings(family, c.asked.what, seen, result_.chosen)) {
        made.status = ContactAnswer::Status::contradicted;
        made.why = std::string(c.asked.property->name) + "@1#" + std::to_string(c.asked.index) +
                   " fits none of its readings";
        return made;
      }
      bool tells = !has_rival;  // the other reading allows anything: no device could contradict it
      for (auto& [letter, times] : excluded)
        if (!fits_readings(family, c.asked.what, seen, with(result_.chosen, question, letter)))
          ++times, tells = true;
      if (tells) made.deciding.push_back(i);
    }
    if (auto why = never_decided(question, arch_)) {
      made.why = *why;
      return made;
    }
    if (made.deciding.empty()) {
      const DecidingPlace& where = deciding_place(row.id);
      made.why = any                   ? "its cases fit all of its readings"
                 : result_.had_no_time ? "the time limit was reached before it was asked"
                                       : "none of the first " + std::to_string(where.cases) + " cases of " +
                                             std::string(where.property) + " distinguishes its readings on " +
                                             std::string(spec::name(arch_));
      return made;
    }
    made.status = ContactAnswer::Status::decided;
    for (const auto& [letter, times] : excluded)
      if (times < ReadingSet::least_support) {
        made.status = ContactAnswer::Status::thin;
        made.why += (made.why.empty() ? "" : "; ") + std::to_string(times) +
                    (times == 1 ? " case speaks" : " cases speak") + " against reading " + letter;
      }
    return made;
  }

  Device& device_;
  const ContactOptions& options_;
  const spec::Arch arch_;
  const spec::Readings defaults_;
  ContactResult result_;
  std::vector<spec::QuestionIndex> questions_;
};

}  // namespace

ContactResult first_contact(Device& device, const ContactOptions& options) {
  return Contact(device, options).run();
}

}  // namespace assay::suites
