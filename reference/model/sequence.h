#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "reference/model/sequence_case.h"
#include "reference/spec/arch.h"

namespace assay::model {

/// Words of output: 64 of barriers, 24 times 128 of tensor memory (kernels/params/sequence.h).
uint32_t output_words(SequenceMachine machine);

/// What the program leaves in its output, and in `defined` which bits of it are known on the architecture.
/// False where a step is not allowed in the state that those before it leave, or a field is out of range:
/// nothing is predicted then.
bool predict_sequence(const SequenceCase&, spec::Arch, std::span<uint32_t> output,
                      std::span<uint32_t> defined);

/// How far a program may go: the number of steps before the first that is not allowed.
uint32_t legal_steps(const SequenceCase&);

/// "arrive barrier 1, 2" and the like.
std::string step_words(SequenceMachine machine, const SequenceStep&);

nlohmann::json to_json(const SequenceCase&);
/// Throws std::runtime_error with one sentence: a field that is missing or out of range, or a step that is
/// not allowed where it stands.
SequenceCase sequence_case_from_json(const nlohmann::json&);

}  // namespace assay::model
