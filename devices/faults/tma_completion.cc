#include "devices/emulator/fault.h"

/// Tensor copies: who receives data, who is signalled, and with how many bytes.
namespace assay::faults::tma_completion {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"load_to_peer_stays", "A tensor load to another CTA of the cluster goes to the CTA that issues it.",
     "TILE-R38", &Steps::load_rank,
     [](uint32_t named, uint32_t issuer, bool is_tensor) { return is_tensor ? issuer : named; }},
    {"multicast_issuer_always",
     "The CTA that issues a multicast gets the data though the mask leaves it out.", "K-01",
     &Steps::data_ranks, [](uint32_t mask, uint32_t issuer) -> uint32_t { return mask | 1u << issuer; }},
    {"multicast_reaches_neighbour",
     "Multicast reaches the rank after the highest of the mask too, if that is even.", "K-01",
     &Steps::data_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t {
       const uint32_t next = (mask << 1) & ~mask;
       return mask | (next & 0x55);
     }},
    {"multicast_signals_issuer_only", "Multicast signals the barrier of the issuing CTA alone.", "K-01",
     &Steps::signal_ranks, [](uint32_t mask, uint32_t issuer) -> uint32_t { return mask & (1u << issuer); }},
    {"multicast_data_of_8_bits", "Multicast gives no data to CTAs from rank 8 on.", "K-01",
     &Steps::data_ranks, [](uint32_t mask, uint32_t) -> uint32_t { return mask & 0xff; }},
    {"multicast_signals_of_8_bits", "Multicast signals no CTA from rank 8 on.", "K-01", &Steps::signal_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t { return mask & 0xff; }},
    {"multicast_skips_highest", "Multicast leaves out the highest rank of the mask.", "K-01",
     &Steps::data_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t {
       uint32_t kept = 0;
       for (uint32_t rest = mask; (rest & (rest - 1)) != 0; rest &= rest - 1) kept |= rest & -rest;
       return kept;
     }},
    {"prefetch_dropped",
     "A prefetch of a tensor fetches nothing.",
     "K-06",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.kind == TensorCopyKind::prefetch) plan.pieces.clear();
     },
     {.unobservable = "A prefetch brings lines into L2 and changes no memory that a program can read; "
                      "whether it was done shows in time alone, which no property measures."}},
    {"signal_before_data",
     "The barrier is signalled before the data has arrived.",
     "PTX, async proxy: complete_tx",
     &Steps::signals_before_data,
     true,
     {.device = "sm_90a,schedule=lazy"}},
    {"tx_16_long", "Sixteen bytes too many are counted.", "L-04", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) + 16;
     }},
    {"tx_16_short", "Sixteen bytes too few are counted.", "L-04", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) - 16;
     }},
    {"tx_box_of_256_short", "The transaction count is 16 short when a box extent is 256.", "TILE-R19",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& query) -> uint32_t {
       const uint32_t right = honest_steps.transaction_bytes(shape, query);
       for (const uint32_t extent : shape.box)
         if (extent == 256) return right - 16;
       return right;
     }},
    {"tx_counts_gaps_of_128b", "The gaps between narrow rows are counted with 128B swizzle.", "W-02",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return shape.span == 128 ? q.image_bytes : honest_steps.transaction_bytes(shape, q);
     }},
    {"tx_counts_padding_of_4bit",
     "The padding of b4x16_p64 is counted.",
     "TMA-AMB-33",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return shape.type_code == 12 ? q.padded_bytes : honest_steps.transaction_bytes(shape, q);
     },
     {.device = "sm_100a"}},
    {"tx_none_when_outside", "A box wholly outside the tensor is not counted.", "L-04",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return q.in_bounds_bytes == 0 ? 0 : honest_steps.transaction_bytes(shape, q);
     }},
};

}  // namespace
}  // namespace assay::faults::tma_completion
