// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "kernels/forms/expand.h"

/// expand_forms IN TARGET PTX OUT: the PTX of a kernel, spelled for a target. What stands outside of its
/// forms needs PTX version PTX, 86 for 8.6. A file that has this text already stays as it is: what is made of
/// it need not be made again.
int main(int argc, char** argv) {
  using namespace assay::forms;
  if (argc != 5) {
    std::fprintf(stderr, "usage: expand_forms IN TARGET PTX OUT\n");
    return 64;
  }
  const auto arch = assay::spec::parse_arch(argv[2]);
  if (!arch || assay::spec::row_of(*arch).target != argv[2]) {
    std::fprintf(stderr, "expand_forms: unknown target '%s'\n", argv[2]);
    return 64;
  }
  const auto contents = [](const char* path) -> std::optional<std::string> {
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    if (!in) return std::nullopt;
    return text;
  };
  const std::optional<std::string> text = contents(argv[1]);
  if (!text) {
    std::fprintf(stderr, "expand_forms: cannot read '%s'\n", argv[1]);
    return 1;
  }
  try {
    const std::string expanded =
        expand_ptx(*text, target_of(*arch), static_cast<uint8_t>(std::atoi(argv[3])));
    if (contents(argv[4]) == expanded) return 0;
    std::ofstream out(argv[4], std::ios::binary);
    out << expanded;
    if (out.flush()) return 0;
    std::fprintf(stderr, "expand_forms: cannot write '%s'\n", argv[4]);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "expand_forms: %s: %s\n", argv[1], wrong.what());
  }
  return 1;
}
