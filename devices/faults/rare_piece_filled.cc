#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void finish(TensorCopyPlan& plan, const TensorCopyRequest& request) {
  if (request.kind != TensorCopyKind::load) return;
  for (TensorCopyPiece& piece : plan.pieces) {
    // From where in the tensor and to where: never from the address of the allocation, which differs.
    uint64_t hash = (piece.global_address - plan.base_address) * 0x9e3779b97f4a7c15 + piece.shared_address;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
    if (!piece.is_fill && (hash ^ hash >> 32) % 10000 == 0) piece.is_fill = true;
  }
}

const Fault fault("rare_piece_filled", "One piece of 16 bytes in 10,000 arrives as fill.", "L-01",
                  [](Steps& steps) { steps.finish = finish; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
