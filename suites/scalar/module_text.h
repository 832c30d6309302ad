// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "suites/scalar/program.h"

namespace assay::gen::scalar {

std::string module_text(const Module& module, std::string_view target);

}  // namespace assay::gen::scalar
