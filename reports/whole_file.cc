// SPDX-License-Identifier: Apache-2.0
#include "reports/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay::report {
namespace {

/// Removes the temporary file unless it was renamed.
struct TemporaryFile {
  std::string path;
  int descriptor = -1;
  ~TemporaryFile() {
    if (descriptor >= 0) close(descriptor);
    if (!path.empty()) unlink(path.c_str());
  }
};

}  // namespace

void write_whole_file(const std::filesystem::path& file, std::string_view content) {
  const auto fail = [&](const char* what) {
    throw std::runtime_error("cannot " + std::string(what) + " " + file.string() + ": " +
                             std::strerror(errno));
  };
  const auto write_to = [&](int descriptor) {
    while (!content.empty()) {
      const ssize_t written = write(descriptor, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write");
      content.remove_prefix(static_cast<size_t>(written));
    }
  };
  TemporaryFile temporary;
  // A pipe or /dev/null is written to, never replaced by a file, as root could.
  std::error_code none;
  if (const auto kind = std::filesystem::status(file, none).type();
      kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::fifo) {
    temporary.descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (temporary.descriptor < 0) fail("open");
    return write_to(temporary.descriptor);
  }
  std::string pattern = file.string() + ".XXXXXX";
  temporary.descriptor = mkostemp(pattern.data(), O_CLOEXEC);
  if (temporary.descriptor < 0) fail("create a temporary file beside");
  temporary.path = pattern;
  write_to(temporary.descriptor);
  // mkostemp makes the file private; a report is for whoever may read the folder.
  if (fchmod(temporary.descriptor, 0644) != 0) fail("set the mode of");
  if (fsync(temporary.descriptor) != 0) fail("flush");
  if (rename(pattern.c_str(), file.c_str()) != 0) fail("rename a temporary file to");
  temporary.path.clear();

  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  if (const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); descriptor >= 0) {
    fsync(descriptor);  // file systems that cannot flush a folder say EINVAL; the rename itself has happened
    close(descriptor);
  }
}

std::string read_whole_file(const std::filesystem::path& file) {
  // Opening a folder succeeds; reading it throws without its name.
  if (std::filesystem::is_directory(file))
    throw std::runtime_error("cannot read " + file.string() + ": it is a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string() + ": " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace assay::report
