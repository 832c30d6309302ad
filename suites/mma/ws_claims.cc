// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/coverage.h"
#include "suites/mma/family.h"

namespace assay::suites {
namespace {

const Registered ws_layout({
    .name = "mma.ws.layout",
    .claim = "tcgen05.mma.ws reads A and B where their descriptors say, and folds D over groups of lanes",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_ws_layout>,
    .spaces = mma_layout_spaces<gen::ws_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered shift({
    .name = "mma.ws.column_shift",
    .claim = "with a column shift, column j of D takes column j + shift of B, and the mask stays with D",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_ws_shift>,
    .spaces = mma_layout_spaces<gen::ws_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

const Registered mask({
    .name = "mma.ws.zero_column_mask",
    .claim =
        "columns that a zero-column mask names act as zeros whatever B holds there, all others as they are",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_ws_mask>,
    .spaces = mma_layout_spaces<gen::ws_forms, false>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
