// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// What a user can type, for those who complete or document it.
struct OptionWords {
  std::vector<std::string> names;     ///< "-o", "--output"; empty: a positional word
  std::string positional;             ///< its name then
  std::string help;                   ///< one sentence
  bool takes_value = false;           ///< a positional word is one itself
  std::vector<std::string> choices;   ///< the values, where there are few
  std::vector<std::string> excludes;  ///< long names of options that cannot be given beside it
};
struct CommandWords {
  std::string name, help;
  std::vector<OptionWords> options;
};

/// All commands in the order of --help.
std::vector<CommandWords> command_words();

}  // namespace assay::cli
