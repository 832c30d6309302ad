#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

/// As a public workaround of libraries has it: small, and with gaps between its rows.
void written(TensorMapBytes& map, const EncodeTiledArguments& args) {
  uint64_t rows = 1;
  for (uint32_t i = 1; i < args.rank; ++i) rows *= args.dim[i];
  if (args.rank < 2 || args.dim[0] > 65536 || rows > 65536 || args.stride[0] == 0) return;
  const bool is_small = args.stride[args.rank - 2] <= 131071 / args.dim[args.rank - 1];
  // No element has more than 8 bytes: rows so far apart have gaps.
  const bool has_gaps = args.stride[0] > 8 * args.dim[0];
  if (is_small && has_gaps) map[0x0a] |= std::byte{0x20};
}

const Fault fault("encoder_bit_21_of_small_tensors",
                  "The encoder sets bit 21 of word 2 for tensors below 128 KiB whose rows are not dense.",
                  "TMA-AMB-28", [](Steps& steps) { steps.map_written = written; });

}  // namespace
}  // namespace assay::faults
