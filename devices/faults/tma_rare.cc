#include "devices/emulator/fault.h"
#include "devices/faults/rare.h"

/// Tensor copies that are wrong for few cases.
namespace assay::faults::tma_rare {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"rare_bytes_from_neighbour",
     "One copy in 10,000 takes its first piece from the next 16 bytes of shared memory.",
     "L-01",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (is_rare(request) && !plan.pieces.empty()) plan.pieces.front().shared_address ^= 16;
     },
     {.rare = true}},
    {"rare_on_one_multiprocessor",
     "Copies that multiprocessor 3 asks for lose the second of their pieces.",
     "L-01",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.sm == 3 && plan.pieces.size() > 1) plan.pieces.erase(plan.pieces.begin() + 1);
     },
     {.rare = true}},
    {"rare_piece_filled",
     "One piece of 16 bytes in 10,000 arrives as fill.",
     "L-01",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.kind != TensorCopyKind::load) return;
       for (TensorCopyPiece& piece : plan.pieces) {
         // From where in the tensor and to where: never from the address of the allocation, which differs.
         uint64_t hash =
             (piece.global_address - plan.base_address) * 0x9e3779b97f4a7c15 + piece.shared_address;
         hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
         if (!piece.is_fill && (hash ^ hash >> 32) % 10000 == 0) piece.is_fill = true;
       }
     },
     {.rare = true}},
    {"rare_piece_lost",
     "One copy in 10,000 does not move its last piece.",
     "L-01",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (is_rare(request) && !plan.pieces.empty()) plan.pieces.pop_back();
     },
     {.rare = true}},
    {"rare_store_of_one_value",
     "A store writes nothing for the pieces of a copy to coordinate 0 of dimension 4.",
     "L-01",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.kind == TensorCopyKind::store && request.rank == 5 && request.coord[4] == 0 &&
           plan.pieces.size() == 1)
         plan.pieces.clear();
     },
     {.rare = true}},
};

}  // namespace
}  // namespace assay::faults::tma_rare
