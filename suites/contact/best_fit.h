// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "suites/run/judge.h"

namespace assay::suites {

/// A case that a device answered.
struct AnsweredCase {
  const Family* family = nullptr;
  const Case* what = nullptr;
  Observation seen;
};

/// The letters that fit most of the cases, found from `start` on: of the changes of one letter, and where
/// none helps of two at once, the one by which most more cases fit is taken, until all fit or nothing helps.
/// A reading that allows anything is taken only where no other letter explains a case.
spec::Readings best_fit(std::span<const AnsweredCase> cases, spec::Readings start);

/// Whether the device did with the case what these readings say.
bool fits_readings(const Family&, const Case&, const Observation&, const spec::Readings&);

}  // namespace assay::suites
