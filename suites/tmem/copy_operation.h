// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Copies from shared into tensor memory, and shifts within it.
const Family& tmem_copy_family();

/// The matrix descriptors of its cases.
std::span<const Descriptor> tmem_copy_descriptors();

}  // namespace assay::suites
