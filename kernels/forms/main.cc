// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <iterator>

#include "kernels/forms/expand.h"

/// expand_forms IN TARGET OUT: the PTX of a kernel, spelled for a target.
int main(int argc, char** argv) {
  using namespace assay::forms;
  if (argc != 4) {
    std::fprintf(stderr, "usage: expand_forms IN TARGET OUT\n");
    return 64;
  }
  const auto arch = assay::spec::parse_arch(argv[2]);
  if (!arch || assay::spec::row_of(*arch).target != argv[2]) {
    std::fprintf(stderr, "expand_forms: unknown target '%s'\n", argv[2]);
    return 64;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in) {
    std::fprintf(stderr, "expand_forms: cannot read '%s'\n", argv[1]);
    return 1;
  }
  try {
    const std::string expanded = expand_ptx(text, target_of(*arch));
    std::ofstream out(argv[3], std::ios::binary);
    out << expanded;
    if (out.flush()) return 0;
    std::fprintf(stderr, "expand_forms: cannot write '%s'\n", argv[3]);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "expand_forms: %s: %s\n", argv[1], wrong.what());
  }
  return 1;
}
