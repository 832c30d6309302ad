// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace assay::suites {

/// The host's copy of the arena that the devices hold: made on first use, never changed.
std::span<const std::byte> arena();

}  // namespace assay::suites
