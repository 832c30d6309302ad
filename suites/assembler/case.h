// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kernels/forms/assembler/spellings.h"
#include "reference/spec/arch.h"
#include "suites/run/family.h"

namespace assay::suites {

/// One spelling that an assembler is asked about, by the numbers of kernels/forms/assembler.
struct AssemblerCase {
  uint32_t table = 0;
  uint32_t number = 0;
  bool operator==(const AssemblerCase&) const = default;
};

/// {"family": ..., "choices": [...]}: texts, since numbers change when rows are added.
nlohmann::json to_json(const AssemblerCase&);
/// Throws std::runtime_error with one sentence.
nlohmann::json assembler_case_schema();
AssemblerCase assembler_case_from_json(const nlohmann::json&);

/// All cases of a property, "tcgen05_mma" for assembler.ptxas.tcgen05_mma, on an architecture: the spellings
/// of its tables that are worth asking there, those that are taken first. Made once.
const std::vector<AssemblerCase>& asked_by(std::string_view property, spec::Arch);

/// Case `index` under a seed: every spelling once before one comes again, one that is taken after one that is
/// refused as long as there are both.
AssemblerCase asked_at(std::string_view property, spec::Arch, uint64_t seed, uint64_t index);

/// The same cases, answered by ptxas and by the driver's compiler.
const Family& assembler_ptxas_family();
const Family& assembler_driver_family();

}  // namespace assay::suites
