// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "suites/run/case_file.h"

namespace assay::suites {

/// "TMA-AMB-04:B,X-05:A", and back. Throws std::runtime_error with one sentence for a question or letter that
/// does not exist.
std::string readings_text(const Assignment&);
Assignment parse_readings(std::string_view text);

/// Generated cases that share a batch, as their indexes: "64-127", "3-59/8" where only every eighth is among
/// them. Throws std::runtime_error with one sentence for anything else.
std::string batch_text(const Neighbours&);
Neighbours parse_batch(std::string_view text);

/// Says which of them the case is. Throws std::runtime_error with one sentence when it is none.
void place(Neighbours&, uint64_t seed, uint64_t index);
/// Throws std::runtime_error with one sentence for a number of copies that no batch holds.
uint32_t checked_copies(uint64_t copies);

/// What a replay line says of them: " --readings ... --batch ... --copies ...", or nothing for a case that is
/// alone and judged by the defaults.
std::string options_text(const Surroundings&);

/// Runs the case among its surroundings: its outcome there, of copies that of the first that fails. Throws as
/// CaseRunner::run.
Outcome run_among(CaseRunner&, const Property&, const Case&, const Surroundings&, spec::Arch);

}  // namespace assay::suites
