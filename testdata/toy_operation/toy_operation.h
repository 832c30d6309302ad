// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::suites {

/// Set by a test: the prediction is wrong, so that an honest device fails every case.
extern bool toy_predicts_wrongly;

}  // namespace assay::suites
