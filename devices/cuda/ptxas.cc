// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/ptxas.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "kernels/forms/assembler/spellings.h"
#include "kernels/params/assembler.h"

extern char** environ;

namespace assay::cuda {
namespace {

/// A version that no assembler has yet is asked too, one run each.
constexpr uint8_t newest_ptx_asked = 99;

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// A folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "assay-ptxas-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Which spelling of a module a line belongs to, and what ptxas has against which lines.
class Module {
 public:
  Module(forms::Targets target, uint8_t ptx, std::span<const AskedSpelling> spellings,
         std::span<const size_t> which)
      : text_(forms::module_head(target, ptx)) {
    for (const size_t i : which) {
      first_lines_.push_back(line_after(text_));
      text_ += forms::spellings(spellings[i].table).entry(spellings[i].number, "form_" + std::to_string(i));
    }
  }
  const std::string& text() const { return text_; }
  /// Positions in `which` that an answer's errors lie in: "ptxas FILE, line 12; error   : ...".
  std::vector<size_t> named(const std::string& answer) const {
    std::vector<size_t> positions;
    constexpr std::string_view mark = ", line ";
    for (size_t from = 0; from < answer.size();) {
      const size_t end = std::min(answer.find('\n', from), answer.size());
      const std::string line = answer.substr(from, end - from);
      from = end + 1;
      const size_t at = line.find(mark);
      if (at == line.npos || (line.find("; error") == line.npos && line.find("; fatal") == line.npos))
        continue;
      // Lines of what it makes of an instruction are not lines of the module.
      if (line.find("<builtin>") < at) continue;
      const auto number = std::strtoul(line.c_str() + at + mark.size(), nullptr, 10);
      const auto after = std::upper_bound(first_lines_.begin(), first_lines_.end(), number);
      if (after == first_lines_.begin()) continue;
      positions.push_back(static_cast<size_t>(after - first_lines_.begin()) - 1);
    }
    return positions;
  }

 private:
  static size_t line_after(const std::string& text) {
    return 1 + static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  std::string text_;
  std::vector<size_t> first_lines_;
};

/// Of spellings whose modules declare one version.
void assemble(const std::string& ptxas, forms::Targets target, uint8_t ptx,
              std::span<const AskedSpelling> spellings, std::vector<size_t> which,
              std::vector<Taken>& taken) {
  while (!which.empty()) {
    const Module module(target, ptx, spellings, which);
    const PtxasAnswer answer = run_ptxas(ptxas, target, module.text());
    if (answer.exit_code == 0) {
      for (const size_t i : which) taken[i] = Taken::taken;
      return;
    }
    const std::vector<size_t> named = module.named(answer.text);
    if (named.empty()) {
      if (which.size() == 1) return;
      const auto middle = which.begin() + static_cast<std::ptrdiff_t>(which.size() / 2);
      assemble(ptxas, target, ptx, spellings, {which.begin(), middle}, taken);
      assemble(ptxas, target, ptx, spellings, {middle, which.end()}, taken);
      return;
    }
    for (const size_t position : named) which[position] = spellings.size();
    std::erase(which, spellings.size());
  }
}

}  // namespace

std::vector<std::string> find_ptxas() {
  if (const char* named = std::getenv("ASSAY_PTXAS")) {
    std::vector<std::string> all;
    std::istringstream list(named);
    for (std::string one; std::getline(list, one, ',');)
      if (!one.empty()) all.push_back(one);
    return all;
  }
  std::vector<std::filesystem::path> folders;
  if (const char* path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const size_t end = std::min(rest.find(':'), rest.size());
      if (end != 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(name)) folders.push_back(std::filesystem::path(home) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::filesystem::path& folder : folders)
    if (is_program(folder / "ptxas")) return {(folder / "ptxas").string()};
  return {};
}

PtxasAnswer run_ptxas(const std::string& ptxas, forms::Targets target, const std::string& module) {
  const TemporaryFolder folder;
  const std::string source = folder.file("forms.ptx"), said = folder.file("said.txt");
  std::ofstream(source, std::ios::binary) << module;
  const std::string arch = "-arch=" + std::string(forms::name_of(target)),
                    object = folder.file("forms.cubin");
  std::vector<std::string> words{ptxas, "-O0", arch, source, "-o", object};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, ptxas.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    throw std::runtime_error("'" + ptxas + "' could not be run to its end");
  return {WEXITSTATUS(status), contents(said)};
}

uint8_t newest_ptx(const std::string& ptxas, forms::Targets target) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, forms::Targets>, uint8_t> known;
  const std::scoped_lock lock(mutex);
  if (const auto found = known.find({ptxas, target}); found != known.end()) return found->second;
  for (uint8_t ptx = newest_ptx_asked; ptx >= spec::first_ptx; --ptx) {
    const std::string plain = forms::module_head(target, ptx) + ".visible .entry nothing()\n{\nret;\n}\n";
    if (run_ptxas(ptxas, target, plain).exit_code == 0) return known[{ptxas, target}] = ptx;
  }
  return known[{ptxas, target}] = 0;
}

std::optional<std::string> ptxas_declines(const std::vector<std::string>& all, forms::Targets target) {
  if (all.empty()) return "there is no ptxas: set ASSAY_PTXAS, or add the CUDA Toolkit to PATH";
  for (const std::string& ptxas : all) try {
      newest_ptx(ptxas, target);
    } catch (const std::runtime_error& wrong) {
      return wrong.what();
    }
  return std::nullopt;
}

uint32_t combined(const std::vector<Taken>& said) {
  uint32_t who = 0;
  bool is_refused = false;
  for (size_t i = 0; i < said.size(); ++i) {
    who |= uint32_t{said[i] == Taken::taken} << i;
    is_refused |= said[i] == Taken::refused;
  }
  if (who == 0) return is_refused ? 0 : params::not_assembled;
  return is_refused ? params::assemblers_disagree + (who << 8) : 1;
}

std::vector<Taken> assembled_by(const std::string& ptxas, forms::Targets target,
                                std::span<const AskedSpelling> spellings) {
  std::vector<Taken> taken(spellings.size(), Taken::not_asked);
  std::map<uint8_t, std::vector<size_t>> by_version;
  const uint8_t newest = newest_ptx(ptxas, target);
  for (size_t i = 0; i < spellings.size(); ++i) {
    const uint8_t ptx = forms::spellings(spellings[i].table).ptx(spellings[i].number, target);
    if (ptx > newest) continue;
    taken[i] = Taken::refused;
    by_version[ptx].push_back(i);
  }
  for (auto& [ptx, which] : by_version) assemble(ptxas, target, ptx, spellings, std::move(which), taken);
  return taken;
}

}  // namespace assay::cuda
