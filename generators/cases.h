// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "generators/tensor_map/encode_cases.h"
#include "generators/tensor_map/encode_probes.h"

/// The case makers as RapidCheck generators: a value and its shrink tree. `keep` holds the tree to cases of
/// one kind; empty: everything simpler is offered.
namespace assay::gen {

template <typename Case, typename Keep>
rc::Gen<Case> as_gen(void (*make)(const CaseId&, Case&), spec::Arch arch, Keep keep) {
  return [=](const rc::Random& random, int) {
    rc::Random source = random;
    Case c;
    // An index far behind the directed list: RapidCheck draws, it does not enumerate.
    make(CaseId{source.next(), "rapidcheck", (uint64_t{1} << 32) + source.next() % (uint64_t{1} << 32), arch},
         c);
    return shrink_tree(c, keep);
  };
}

inline rc::Gen<TensorCopyCase> tiled_loads(spec::Arch arch, KeepCopy keep = {}) {
  return as_gen(make_tiled_load, arch, keep);
}
inline rc::Gen<TensorCopyCase> tiled_stores(spec::Arch arch, KeepCopy keep = {}) {
  return as_gen(make_tiled_store, arch, keep);
}
inline rc::Gen<EncodeTiledCase> encode_calls(spec::Arch arch, KeepEncode keep = {}) {
  return as_gen(make_encode, arch, keep);
}
inline rc::Gen<EncodeTiledCase> encode_boundaries(spec::Arch arch, KeepEncode keep = {}) {
  return as_gen(make_encode_boundary, arch, keep);
}

}  // namespace assay::gen
