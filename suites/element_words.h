#pragma once

#include "reference/model/element_steps.h"
#include "suites/family.h"

namespace assay::suites {

/// A wrong element of D: its value and code, those expected and how far apart they are; then what the
/// instructions multiplied, each term as it was aligned, the sum and what became of it. Of long sums the
/// terms that matter most, of many instructions the last.
Diagnosis element_words(const model::ElementSteps&, uint64_t expected, uint64_t observed);

/// The word, or half of a word, of an output that a byte lies in, of elements of so many bytes.
uint64_t element_in(std::span<const uint8_t> output, uint64_t byte, uint32_t element_bytes);

}  // namespace assay::suites
