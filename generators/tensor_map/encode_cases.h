// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/tensor_copy/tiled_cases.h"

/// Calls of the tiled encoder.
namespace assay::gen {

/// A call that every rule allows. Entries at index >= rank hold anything; extents and strides use their whole
/// range.
void make_legal_encode(Random& random, spec::Arch arch, EncodeTiledCase& c);

/// Legal calls, calls with one or several damaged arguments, null pointers and odd map pointers, in turn by
/// index.
void make_encode(const CaseId& id, EncodeTiledCase& c);

/// A legal call, and an address to replace that of its map: three in four legal, else off by a few bytes, 0,
/// or too high.
void make_replace_address(const CaseId& id, EncodeTiledCase& c);

/// Ranks far out of range, which end the calling process on some drivers.
void make_encode_crash(const CaseId& id, EncodeTiledCase& c);

}  // namespace assay::gen
