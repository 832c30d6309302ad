// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/whole_file.h"
#include "suites/contact/contact.h"

namespace assay::cli {
namespace {

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
