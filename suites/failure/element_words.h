// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "reference/model/mma/element_steps.h"
#include "suites/failure/failure.h"
#include "suites/run/family.h"

namespace assay::suites {

/// The element of D that a byte of an output belongs to, or nothing.
using ElementAt = std::function<std::optional<model::ElementSteps>(uint64_t byte)>;

/// A wrong element of D: its value and code, those expected and how far apart they are; then what the
/// instructions multiplied, each term as it was aligned, the sum and what became of it, and which other adder
/// gives what was observed, in this and the next wrong elements. Of long sums the terms that matter most, of
/// many instructions the last. Nothing for a byte that belongs to none.
Diagnosis diagnose_element(const ElementAt&, uint32_t element_bytes, const ExpectedOutput& expected,
                           std::span<const uint8_t> observed, uint64_t byte);

/// The word, or half of a word, of an output that a byte lies in, of elements of so many bytes.
uint64_t element_in(std::span<const uint8_t> output, uint64_t byte, uint32_t element_bytes);

/// Writes into the row where the wrong elements of an output lie on the device, a picture of the output as a
/// matrix, the format of its elements, and a line of `detail` with the places. Nothing for a case whose bytes
/// were not judged.
void show_wrong_elements(const Family&, const Outcome&, report::CaseRow&);

}  // namespace assay::suites
