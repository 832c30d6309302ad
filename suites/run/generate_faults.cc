// SPDX-License-Identifier: Apache-2.0
#include "suites/run/generate_faults.h"

namespace assay::suites {

bool ends_by_default(const Family& family, const Case& c, spec::Arch arch, model::End end) {
  thread_local Scratch scratch;
  Expected expected;
  family.predict(c, spec::Readings(arch), scratch, expected);
  return expected.end == end && !expected.may_crash;
}

}  // namespace assay::suites
