// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/program_case.h"
#include "suites/run/family.h"
#include "suites/run/field_coverage.h"

namespace assay::suites {

/// The arguments of an im2col map as named fields, in the driver's order.
std::vector<std::pair<std::string, std::string>> im2col_map_fields(const Im2colMapArgs&);
/// " f16 rank 4 corners -1 -1, -1 -1 channels 64 pixels 32": what matters most of it, for one line.
std::string im2col_map_brief(const Im2colMapArgs&);

/// The im2col map of TensorCopyCase and EncodeIm2colCase.
std::span<const Descriptor> im2col_map_descriptors();

/// The field of an im2col map that a bit of its 128 bytes belongs to; the name alone of several of one name.
std::string im2col_field_of_bit(const Im2colMapArgs&, size_t bit);

const Family& map_program_family();

std::vector<std::pair<std::string, std::string>> map_program_fields(const MapProgramCase&);

/// "box_dim" for a wrong bit of that field after some step, "beside the map", "window of a load".
std::string place_in_map_program(const MapProgramCase&, uint64_t byte, uint8_t wrong);

/// Which step left which field wrong, or which load moved other bytes.
Diagnosis diagnose_map_program(const MapProgramCase&, const ExpectedOutput&,
                               std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
