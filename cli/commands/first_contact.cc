// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "cli/command.h"
#include "reference/spec/questions.h"
#include "reports/results.h"
#include "reports/text.h"
#include "suites/contact/contact.h"
#include "suites/run/conductor.h"
#include "suites/vectors/check_vectors.h"

namespace assay::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::minutes longest{10};

std::string first_contact_wanted = "auto", file = "first-contact.db", budget = "9m";
bool quiet = false;

/// Saves what is known so far: called before anything that may end the device's process, and again at the
/// end.
class ContactFile {
 public:
  ContactFile(const Device& device, const std::string& command_line)
      : info_(suites::device_info(device.identity())),
        is_silicon_(device.identity().evidence == Evidence::silicon) {
    suites::RunOptions options;
    options.command_line = command_line, options.version = version, options.commit = commit;
    options.threads = 1;
    recorder_ = report::Recorder::create(file, suites::run_info(options));
    recorder_->add_device(info_);
  }

  void save(const suites::ContactResult& result) {
    for (const auto& [name, totals] : suites::totals_of(result)) {
      const suites::Property& property = *suites::find_property(name);
      if (planned_.insert(name).second)
        recorder_->plan(info_.spec, {name, std::string(property.claim), {}}, totals.planned);
      recorder_->set_totals(info_.spec, name, totals);
    }
    recorder_->set_readings(info_.spec, suites::reading_rows(result, is_silicon_));
    recorder_->set_deciding(info_.spec, suites::deciding_rows(result));
    if (!result.published.rows.empty()) recorder_->set_published(published_evidence());
  }

  int finish(const suites::ContactResult& result) {
    if (const VectorReport& words = result.published; !words.rows.empty())
      recorder_->add_finding(info_.spec, "words that others published",
                             "the device gives " + std::to_string(words.count(RowVerdict::pass)) + " of " +
                                 std::to_string(words.rows.size()) + " words measured on a B200 by others");
    for (const suites::ContactAnswer& a : result.answers)
      if (!a.why.empty())
        recorder_->add_finding(info_.spec, "question not decided",
                               std::string(spec::questions()[a.question].id) + ": " + a.why);
    recorder_->finish(-1, suites::utc_now());
    int code = report::exit_code(file);
    if (result.had_no_time && (code == as_expected || code == could_not_run)) code = incomplete;
    if (!result.lost.empty()) code = device_lost;
    recorder_->finish(code, suites::utc_now());
    return code;
  }

  bool is_silicon() const { return is_silicon_; }

 private:
  const report::DeviceInfo info_;
  const bool is_silicon_;
  std::set<std::string> planned_;
  std::unique_ptr<report::Recorder> recorder_;
};

void first_contact_show(const suites::ContactResult& result, bool is_silicon) {
  for (const report::ReadingRow& row : suites::reading_rows(result, is_silicon)) {
    if (row.deciding_cases == 0)
      std::cout << row.question << "  " << row.status << ": " << row.witness << "\n";
    else
      std::cout << row.question << ":" << row.chosen_letter << "  " << row.status << " by "
                << row.deciding_cases << (row.deciding_cases == 1 ? " case: " : " cases: ")
                << row.chosen_words << "\n";
  }
  if (!result.published.rows.empty())
    std::cout << "published by others: the device gives " << result.published.count(RowVerdict::pass)
              << " of " << result.published.rows.size() << " words measured on a B200\n";
}

int first_contact() {
  const auto time = duration(budget, "--budget");
  if (time > longest) throw UsageError("--budget", "the maximum is 10 minutes");
  const std::vector<std::string> devices = devices_named({first_contact_wanted});
  if (devices.size() != 1) throw UsageError("--device", "first-contact takes one device at a time");
  const std::unique_ptr<Device> device = open_device(devices[0], suites::limits_for(1));
  ContactFile saved(*device,
                    "assay first-contact --device " + devices[0] + " --budget " + budget + " --out " + file);
  suites::ContactOptions options;
  options.until = Clock::now() + time;
  options.save = [&](const suites::ContactResult& result) { saved.save(result); };
  if (!quiet) options.progress = [](const std::string& words) { std::cerr << "asking: " << words << "\n"; };
  const suites::ContactResult result = suites::first_contact(*device, options);
  const int code = saved.finish(result);
  first_contact_show(result, saved.is_silicon());
  if (result.had_no_time) std::cout << "time limit reached; the remaining questions were not asked\n";
  if (!result.lost.empty()) std::cout << "the device was lost: " << result.lost << "\n";
  std::cout
      << "file     " << file << " (" << std::filesystem::file_size(file) / 1024
      << " KiB): the device's identity, the answers, what the device did with\n"
         "         each deciding case, counts and fingerprints; an SQLite database. Send it, and read it "
         "with\n"
         "         assay adopt "
      << file << "\n";
  return code;
}

const Registered first_contact_command{
    {.order = 12,
     .name = "first-contact",
     .help = "ask a device every open question, in at most 10 minutes, and write one file to send",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("--device", first_contact_wanted, "device, as in 'assay run --device'")
               .shows_default();
           line.option("--out", file, "file to write").shows_default();
           line.option("--budget", budget, "time for all questions, at most 10m").shows_default();
           line.flag("--quiet", quiet, "do not print progress");
         },
     .run = first_contact}};

std::string adopt_file, adopt_page;

/// True when the device's answers follow from what it did.
bool adopt_show(const report::DeviceResult& device) {
  const std::vector<std::string> wrong = suites::unconfirmed(device);
  constexpr size_t most_shown = 10;
  for (size_t i = 0; i < std::min(wrong.size(), most_shown); ++i)
    std::cout << "not confirmed: " << report::for_terminal(wrong[i]) << "\n";
  if (wrong.size() > most_shown) std::cout << "not confirmed: " << wrong.size() - most_shown << " more\n";
  if (!wrong.empty()) return false;
  std::cout << report::for_terminal(device.info.evidence + "  " + device.info.name + "  " + device.info.uuid)
            << "\n";
  size_t same = 0, changed = 0, open = 0;
  for (const report::ReadingRow& row : device.readings) {
    if (row.status == report::reading_confirmed || row.status == report::reading_modelled) {
      ++same;
    } else if (row.status == report::reading_adopted) {
      ++changed;
      std::cout << row.question << ": " << row.default_letter << " -> " << row.chosen_letter << " by "
                << row.deciding_cases << " cases: " << report::for_terminal(row.chosen_words) << "\n";
    } else {
      ++open;
      std::cout << row.question << ": stays " << row.default_letter << ", " << row.status << ": "
                << report::for_terminal(row.witness) << "\n";
    }
  }
  std::cout << changed << " defaults would change, " << same << " match the device, " << open
            << " stay open; " << device.deciding.size() << " outcomes predicted again\n";
  if (!device.is_silicon) std::cout << "These answers are from an emulator and change no default.\n";
  return true;
}

int adopt() {
  const report::Results results = report::read_results(adopt_file);
  if (results.devices.size() != 1 || results.devices[0].deciding.empty())
    throw std::runtime_error(
        adopt_file + " holds no answers of a single device to open questions; such a file is written by " +
        "assay first-contact");
  const report::DeviceResult& device = results.devices[0];
  if (!adopt_show(device)) return violation;
  const std::string to = adopt_page.empty() ? adopt_file + ".md" : adopt_page;
  report::write_whole_file(to, suites::evidence_page(results, device));
  std::cout << "page     " << to << "\n";
  return as_expected;
}

const Registered adopt_command{
    {.order = 54,
     .name = "adopt",
     .help = "show which defaults a first-contact file would change, and write its evidence page",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("file", adopt_file, "file written by assay first-contact").required();
           line.option("--page", adopt_page, "Markdown file to write (default: the file's name with .md)");
         },
     .run = adopt}};

}  // namespace
}  // namespace assay::cli
