// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace assay::model {

/// The read-only bytes in global memory that loads read and that windows and slots are filled from,
/// rig::arena_bytes of them, made on first use. Three quarters are a mix of their place; before
/// rig::arena_floats lies a strip of borders of integers from rig::arena_integers on; behind it are words of
/// floats of every class. Equal to what the devices hold: a test of suites/ compares them, since this side
/// may not include the kernels' headers.
std::span<const std::byte> arena();

}  // namespace assay::model
