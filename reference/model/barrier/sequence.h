// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "reference/model/barrier/sequence_case.h"
#include "reference/model/end.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// Words of output: 64 of barriers, 24 times 128 of tensor memory (kernels/params/sequence.h).
uint32_t output_words(SequenceMachine machine);

/// How the program ends, what it leaves in its output, and in `defined` which bits of it are known on the
/// architecture. Undefined where a step is not allowed in the state that those before it leave, or a field is
/// out of range: nothing is predicted then, nor where an altered rule leads to such a step, nor of the output
/// of a launch that fails.
End predict_sequence(const SequenceCase&, const spec::Readings&, std::span<uint32_t> output,
                     std::span<uint32_t> defined);

/// Rules that say what the steps of the program do.
spec::RuleSet exercised_sequence_rules(const SequenceCase&);

/// How far a program may go: the number of steps before the first that is not allowed. No step is behind one
/// that ends the launch.
uint32_t legal_steps(const SequenceCase&);

/// "arrive barrier 1, 2" and the like.
std::string step_words(SequenceMachine machine, const SequenceStep&);

nlohmann::json to_json(const SequenceCase&);
nlohmann::json sequence_schema();
/// Throws std::runtime_error with one sentence: a field that is missing or out of range, or a step that is
/// not allowed where it stands.
SequenceCase sequence_case_from_json(const nlohmann::json&);

}  // namespace assay::model
