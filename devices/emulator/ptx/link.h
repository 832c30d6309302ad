// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::emulator::ptx {

/// A PTX text that is linked with others, and what to call it in errors.
struct LinkInput {
  std::string name, text;
};

/// One text with what all of them define: what .extern declares in one is what another defines, names without
/// linkage stay a text's own, of .weak and .common definitions the first counts. Line information is kept of
/// the first text alone. Throws SyntaxError where a text is not PTX, a name is defined twice or targets
/// differ.
std::string link(const std::vector<LinkInput>& inputs);

}  // namespace assay::emulator::ptx
