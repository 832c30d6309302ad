// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_map/program_case.h"
#include "suites/run/family.h"

namespace assay::suites {

const Family& map_program_family();

std::vector<std::pair<std::string, std::string>> map_program_fields(const MapProgramCase&);

/// "box_dim" for a wrong bit of that field after some step, "beside the map", "window of a load".
std::string place_in_map_program(const MapProgramCase&, uint64_t byte, uint8_t wrong);

/// Which step left which field wrong, or which load moved other bytes.
Diagnosis diagnose_map_program(const MapProgramCase&, const ExpectedOutput&,
                               std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
