// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "devices/device.h"
#include "devices/emulator/gpu.h"
#include "fuzz/target.h"
#include "generators/random.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"

namespace assay::fuzz {

/// Cases as inputs of a fixed size: a byte for the architecture, then every member in the order of their
/// table (reference/model/case_field.h), little-endian. Short inputs stand for zeros.
template <typename Case>
struct CaseInput {
  spec::Arch arch = spec::Arch::sm_90;
  Case what;
};
CaseInput<TensorCopyCase> read_tiled_case(std::span<const uint8_t> input);
CaseInput<EncodeTiledCase> read_encode_case(std::span<const uint8_t> input);
CaseInput<EncodeIm2colCase> read_encode_im2col_case(std::span<const uint8_t> input);
Bytes to_bytes(const CaseInput<TensorCopyCase>&);
Bytes to_bytes(const CaseInput<EncodeTiledCase>&);
Bytes to_bytes(const CaseInput<EncodeIm2colCase>&);

/// Changes one argument of a map, whatever the rules say of it: to an end or a neighbour of its range,
/// another argument's value, a multiple, anything.
void mutate_map(TensorMapArgs& map, gen::Random& random);
void mutate_map(Im2colMapArgs& map, gen::Random& random);

/// Writes a mutant over an engine's buffer; its size, or `size` when it does not fit.
size_t put_bytes(const Bytes& made, uint8_t* data, size_t size, size_t max_size);

/// A case file that `assay replay` takes.
std::string case_file_text(std::string_view property, const TensorCopyCase&);
std::string case_file_text(std::string_view property, const EncodeTiledCase&);
std::string case_file_text(std::string_view property, const EncodeIm2colCase&);

/// The tensor memory that every case refers to: rig::arena_bytes, as the probes have it.
std::span<const std::byte> arena();

/// What became of a tiled copy.
struct CopyOutcome {
  RecordEnd end;
  std::vector<std::byte> output;  ///< the window of a load, the slot of a store
};

/// Runs a case with one CTA on the emulated driver's encoder and the emulated TMA engine alone, as the probe
/// kernel would: no PTX, no barriers. `armed`: bytes that the barrier of a load expects.
CopyOutcome run_on_engine(const TensorCopyCase& c, const emulator::Settings& settings, uint32_t armed);

}  // namespace assay::fuzz
