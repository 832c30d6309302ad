// SPDX-License-Identifier: Apache-2.0
#include "suites/run/verify.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "reports/results.h"
#include "reports/results_file.h"
#include "suites/run/bytes.h"
#include "suites/run/case_file.h"
#include "suites/run/property_run.h"
#include "suites/run/reading_set.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using report::Database;
using report::Statement;
using report::Verdict;

/// Sentences past this many say nothing new.
constexpr size_t most_sentences = 20;

/// One device of one run in the file.
struct OfDevice {
  int64_t id = 0;
  spec::Arch arch{};
  std::string spec;
  uint64_t seed = 0, shard = 1, shards = 1;
  std::vector<spec::Readings> readings;  ///< those the device implements, then the defaults
};

class Verifier {
 public:
  Verifier(const std::filesystem::path& file, uint64_t most_ranges)
      : db_(report::open_results(file)), most_ranges_(most_ranges) {}

  Verification verify() {
    const std::vector<OfDevice> all_devices = devices();
    for (const OfDevice& device : all_devices) {
      Statement all = report::properties_of_device(db_, device.id);
      while (all.step()) {
        const std::string name = all.text(1);
        const std::string where = name + " on " + device.spec;
        ++result_.properties;
        counts(all.integer(0), where, all.count(2), all.text(3));
        const Property* property = find_property(name);
        if (property == nullptr) {
          wrong(where + ": this program has no such property, so nothing of it can be recomputed");
          continue;
        }
        rows(device, *property, all.integer(0), where);
        ranges(device, *property, all.integer(0), where);
      }
    }
    check_ranges();
    return std::move(result_);
  }

 private:
  void wrong(const std::string& sentence) {
    if (result_.wrong.size() < most_sentences) result_.wrong.push_back(sentence);
  }

  std::vector<OfDevice> devices() {
    std::vector<OfDevice> found;
    Statement all = report::devices_of_runs(db_);
    while (all.step()) {
      const auto arch = spec::parse_arch(all.text(1));
      if (!arch) {
        wrong(all.text(2) + ": no rules are known for the architecture " + all.text(1));
        continue;
      }
      OfDevice device{
          all.integer(0), *arch,        all.text(2), std::strtoull(all.text(4).c_str(), nullptr, 10),
          all.count(5),   all.count(6), {}};
      ReadingSet readings(*arch);
      readings.restore(all.text(3));
      ReadingSnapshot view(*arch);
      readings.snapshot(view);
      device.readings = {view.chosen, view.defaults};
      found.push_back(std::move(device));
    }
    return found;
  }

  /// Verdicts, kinds of failures and ranges count the same cases.
  void counts(int64_t property, const std::string& where, uint64_t issued, const std::string& fingerprint) {
    std::map<std::string, uint64_t> by_verdict, by_kind;
    uint64_t sum = 0, conforming = 0, in_ranges = 0, bits = 0;
    Statement verdicts = report::verdict_counts_of(db_, property);
    while (verdicts.step()) {
      const auto verdict = report::parse_verdict(verdicts.text(0));
      sum += verdicts.count(1);
      if (verdict == Verdict::conforms || verdict == Verdict::adopted_reading)
        conforming += verdicts.count(1);
      else if (verdict && report::is_judged(*verdict))
        by_verdict[verdicts.text(0)] += verdicts.count(1);
    }
    if (sum != issued)
      wrong(where + ": the verdicts are " + std::to_string(sum) + ", but " + std::to_string(issued) +
            " cases were issued");
    // Cases that followed a reading are in the ranges; those that the run took back are failures too.
    uint64_t taken_back = 0;
    Statement kinds = report::failure_kinds_of(db_, property);
    while (kinds.step()) {
      const auto verdict = report::parse_verdict(kinds.text(0));
      if (!verdict || !report::is_judged(*verdict) || *verdict == Verdict::adopted_reading) continue;
      by_kind[kinds.text(0)] += kinds.count(1);
      if (kinds.text(2).find("|follows ") != std::string::npos) taken_back += kinds.count(1);
    }
    std::erase_if(by_verdict, [](const auto& entry) { return entry.second == 0; });
    if (by_verdict != by_kind)
      wrong(where + ": the failure signatures hold " + counted(by_kind) + ", the verdicts " +
            counted(by_verdict));
    Statement ranges = report::ranges_of(db_, property);
    while (ranges.step()) {
      in_ranges += ranges.count(2);
      bits += std::strtoull(ranges.text(3).c_str(), nullptr, 10);
    }
    if (in_ranges != conforming + taken_back)
      wrong(where + ": " + std::to_string(conforming) + " cases are recorded as passed, the ranges hold " +
            std::to_string(in_ranges));
    else if (conforming != 0 && bits != std::strtoull(fingerprint.c_str(), nullptr, 16))
      wrong(where + ": the fingerprints of the ranges do not add up to that of the property");
    Statement hidden = report::signatures_without_case(db_, property);
    while (hidden.step()) wrong(where + ": no case of " + hidden.text(0) + " is in the file");
  }

  static std::string counted(const std::map<std::string, uint64_t>& counts) {
    std::string text;
    for (const auto& [verdict, count] : counts)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + verdict;
    return text.empty() ? "none" : text;
  }

  /// Each failing case is made again and predicted again; its observed bytes must differ from the prediction.
  void rows(const OfDevice& device, const Property& property, int64_t id, const std::string& where) {
    Statement all = report::cases_of(db_, id);
    while (all.step()) {
      const std::string name = where + ", case " + all.text(0) + (all.text(11).empty() ? "" : " (shrunk)");
      ++result_.rows;
      Case c;
      try {
        CaseFile read = parse_case(all.text(3), name);
        if (read.property != &property) throw std::runtime_error(name + " is a case of another property");
        c = std::move(read.what);
      } catch (const std::exception& error) {
        wrong(error.what());
        continue;
      }
      if (hash_128(all.text(3)) != all.text(2) || canonical_json(property, c) != all.text(3)) {
        wrong(name + ": its id is not that of its data");
        continue;
      }
      if (all.text(11).empty() && all.integer(12) == 0) {
        Case made;
        property.generate(device.seed, property.name, all.count(0), device.arch, made);
        if (canonical_json(property, made) != all.text(3)) {
          wrong(name + ": seed " + std::to_string(device.seed) + " makes another case");
          continue;
        }
      }
      const std::string why = judged_again(device, property, c, all);
      if (!why.empty()) wrong(name + ": " + why);
    }
  }

  /// What is wrong with a row's verdict, or nothing.
  std::string judged_again(const OfDevice& device, const Property& property, const Case& c,
                           const Statement& row) {
    const Family& family = property.family();
    const auto verdict = report::parse_verdict(row.text(1));
    const std::string expected_end = row.text(4), observed_end = row.text(5);
    const bool may_be_excused = verdict == Verdict::waived || verdict == Verdict::flaky;
    const Verdict by_end = observed_end == "hung"                ? Verdict::hung
                           : observed_end.starts_with("crashed") ? Verdict::crashed
                                                                 : Verdict::violates;
    if (!may_be_excused && verdict != by_end)
      return "the verdict is " + row.text(1) + ", but it ended as " + observed_end;
    std::string why;
    for (spec::Readings readings : device.readings) {
      readings.forget_consulted();
      Expected expected;
      family.predict(c, readings, scratch_, expected);
      why = disagreement(family, c, expected, row);
      if (why.empty()) return {};
    }
    return why;
  }

  std::string disagreement(const Family& family, const Case& c, const Expected& expected,
                           const Statement& row) {
    if (words(expected.end) != row.text(4))
      return "the reference expects '" + words(expected.end) + "', the file says '" + row.text(4) + "'";
    const auto was = row.blob(6), saw = row.blob(7), defined = row.blob(8);
    // Without bytes the ends alone differ, or the note that ends the signature says what was harmed.
    if (saw.empty()) {
      const std::string signature = row.text(13);
      const bool has_note = std::count(signature.begin(), signature.end(), '|') >= 3;
      return row.text(4) == row.text(5) && !has_note
                 ? "the row records nothing that differs from the prediction"
                 : "";
    }
    const ExpectedOutput again = family.expected_output(c, expected);
    const uint64_t from = row.count(9);
    if (was.size() != saw.size() || defined.size() != saw.size() || from > again.bytes.size() ||
        saw.size() > again.bytes.size() - from)
      return "its bytes lie outside the output";
    const auto at = static_cast<std::ptrdiff_t>(from);
    if (!std::equal(defined.begin(), defined.end(), again.defined.begin() + at))
      return "the reference defines other bits than the file says";
    bool differs = false;
    for (size_t i = 0; i < saw.size(); ++i) {
      if (((was[i] ^ again.bytes[from + i]) & defined[i]) != 0)
        return "the reference expects other bytes than the file says, from byte " + std::to_string(from + i);
      differs |= ((saw[i] ^ was[i]) & defined[i]) != 0;
    }
    if (differs != (row.count(10) != 0))
      return differs ? "bytes differ, but the file records no difference"
                     : "the observed bytes are as expected: the case conforms";
    return {};
  }

  /// Ranges in which every case conformed are predicted again, the first and the last ones: later, all at
  /// once.
  void ranges(const OfDevice& device, const Property& property, int64_t id, const std::string& where) {
    std::deque<RangeCheck> whole;
    IndexSet done;
    Statement totals = report::done_of(db_, id);
    while (totals.step())
      for (const auto& [first, end] : report::parse_ranges(totals.text(0))) done.add(first, end);
    Statement all = report::ranges_of(db_, id);
    while (all.step()) {
      const report::RangeRow range{all.count(0), all.count(1), all.count(2),
                                   std::strtoull(all.text(3).c_str(), nullptr, 10)};
      std::vector<Positions> positions = positions_of(slice_of(device, property), done, range);
      uint64_t count = 0;
      for (const auto& [first, end] : positions) count += end - first;
      if (count == range.conforming && range.size <= largest_range)
        whole.emplace_back(device, property, range, std::move(positions), where);
      else
        ++result_.ranges_left;
    }
    for (size_t k = 0; k < whole.size(); ++k) {
      const bool chosen = k < (most_ranges_ + 1) / 2 || k + most_ranges_ / 2 >= whole.size();
      if (chosen)
        checks_.push_back(std::move(whole[k]));
      else
        ++result_.ranges_left;
    }
  }

  static Slice slice_of(const OfDevice& device, const Property& property) {
    return Slice{device.shard - 1, device.shards}.of(property);
  }

  /// Half-open, of the device's shard.
  using Positions = std::pair<uint64_t, uint64_t>;

  /// Those of a range whose cases have a verdict.
  static std::vector<Positions> positions_of(const Slice& slice, const IndexSet& done,
                                             const report::RangeRow& range) {
    std::vector<Positions> positions;
    const uint64_t end = slice.positions_below(range.first + range.size);
    uint64_t at = slice.positions_below(range.first);
    while (at < end) {
      const uint64_t until = std::min(end, done.next_outside(at));
      if (until != at) positions.emplace_back(at, until);
      at = done.next_inside(until, end);
    }
    return positions;
  }

  /// A range of a device's cases, and what came of predicting them.
  struct RangeCheck {
    RangeCheck(const OfDevice& device, const Property& property, const report::RangeRow& range,
               std::vector<Positions> positions, std::string where)
        : device(&device),
          property(&property),
          range(range),
          positions(std::move(positions)),
          where(std::move(where)) {}
    const OfDevice* device;
    const Property* property;
    report::RangeRow range;
    std::vector<Positions> positions;
    std::string where;
    uint64_t sum = 0;
    bool is_predictable = true;
    bool has_same_sum() const { return sum == range.fingerprint; }
  };
  /// What one thread predicts of a range before it takes another piece.
  struct Piece {
    RangeCheck* check;
    Positions positions;
  };

  /// By what the device implements; those that come out otherwise, by the defaults too.
  void check_ranges() {
    for (size_t which = 0; which < 2; ++which) {
      std::vector<Piece> pieces;
      for (RangeCheck& check : checks_) {
        if (which != 0 && (check.has_same_sum() || !adopted(*check.device))) continue;
        check.sum = 0;
        for (const auto& [first, end] : check.positions)
          for (uint64_t at = first; at < end; at += piece_cases)
            pieces.push_back({&check, {at, std::min(end, at + piece_cases)}});
      }
      predict_all(pieces, which);
      result_.pieces += pieces.size();
    }
    for (const RangeCheck& check : checks_) {
      const report::RangeRow& range = check.range;
      if (check.has_same_sum()) {
        ++result_.ranges;
        result_.cases += range.conforming;
      } else if (!check.is_predictable || adopted(*check.device)) {
        // A reading that was adopted within the range predicts only a part of it.
        ++result_.ranges_left;
      } else {
        wrong(check.where + ": cases " + std::to_string(range.first) + " to " +
              std::to_string(range.first + range.size - 1) +
              " are said to conform, but their fingerprint is not that of the predicted bytes");
      }
    }
  }

  void predict_all(const std::vector<Piece>& pieces, size_t which) {
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
      try {
        Scratch scratch;
        for (size_t k = next++; k < pieces.size(); k = next++) {
          bool is_predictable = true;
          const uint64_t sum = predict_piece(pieces[k], which, scratch, is_predictable);
          const std::lock_guard lock(mutex);
          pieces[k].check->sum += sum;
          pieces[k].check->is_predictable &= is_predictable;
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    const size_t most = std::min<size_t>(std::thread::hardware_concurrency(), pieces.size());
    for (size_t t = 1; t < most; ++t) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

  /// The fingerprints of its cases as predicted, summed.
  static uint64_t predict_piece(const Piece& piece, size_t which, Scratch& scratch, bool& is_predictable) {
    const OfDevice& device = *piece.check->device;
    const Property& property = *piece.check->property;
    const Family& family = property.family();
    const Slice slice = slice_of(device, property);
    const spec::Readings readings = device.readings[which];  // it notes what it is asked
    uint64_t sum = 0;
    Case c;
    for (uint64_t at = piece.positions.first; at < piece.positions.second; ++at) {
      const uint64_t index = slice.index(at);
      property.generate(device.seed, property.name, index, device.arch, c);
      Expected expected;
      family.predict(c, readings, scratch, expected);
      // How these end is the device's choice, and with it what was hashed.
      is_predictable &= !expected.may_crash && expected.end != model::End::undefined;
      sum += conforming_fingerprint(family, c, expected, index);
    }
    return sum;
  }

  static uint64_t conforming_fingerprint(const Family& family, const Case& c, const Expected& expected,
                                         uint64_t index) {
    const uint64_t seed = fingerprint_seed(index, static_cast<int>(expected.end));
    if (!expected.judges_bytes) return fingerprint({}, {}, seed);
    if (expected.bytes.size() == family.output_bytes(c))
      return defined_bits(family, c, expected, expected.bytes, seed).fingerprint;
    const ExpectedOutput whole = family.expected_output(c, expected);
    return defined_bits(family, c, expected, std::as_bytes(std::span(whole.bytes)), seed).fingerprint;
  }

  static bool adopted(const OfDevice& device) {
    for (size_t q = 0; q < spec::questions().size(); ++q) {
      const auto question = static_cast<spec::QuestionIndex>(q);
      if (device.readings[0].chosen(question) != device.readings[1].chosen(question)) return true;
    }
    return false;
  }

  /// A range of a very long run would take longer than the report is worth.
  static constexpr uint64_t largest_range = 1 << 16;
  static constexpr uint64_t piece_cases = 256;

  Database db_;
  const uint64_t most_ranges_;
  Scratch scratch_;
  std::deque<RangeCheck> checks_;
  Verification result_;
};

}  // namespace

Verification verify_results(const std::filesystem::path& database, uint64_t most_ranges) {
  return Verifier(database, most_ranges).verify();
}

}  // namespace assay::suites
