#include <bit>

#include "devices/emulator/fault.h"

/// Bulk copies that are not of tensors, and reductions of both kinds.
namespace assay::faults::bulk {
namespace {

using namespace emulator;

/// What an honest device makes of an element, as another reduction.
uint64_t as(const ReductionQuery& q, Reduction other) {
  return reduced(other, q.old, q.operand);
}
uint64_t right(const ReductionQuery& q) {
  return reduced(q.reduction, q.old, q.operand);
}

const Fault rows[] = {
    {"bulk_barrier_of_the_address", "A copy to a peer signals the barrier in the CTA that its address names.",
     "BULK-R05", &Steps::bulk_signalled, [](uint32_t, uint32_t named) -> uint32_t { return named; }},
    {"bulk_load_to_peer_stays", "A bulk load to another CTA of the cluster goes to the CTA that issues it.",
     "BULK-R01", &Steps::load_rank,
     [](uint32_t named, uint32_t issuer, bool is_tensor) { return is_tensor ? named : issuer; }},
    {"bulk_multicast_signals_16_short", "A bulk multicast signals sixteen bytes too few.", "BULK-R04",
     &Steps::bulk_signal,
     [](const BulkQuery& q) -> uint32_t { return q.is_multicast ? q.moved - 16 : q.moved; }},
    {"bulk_reduction_signals_nothing", "A reduction of shared memory signals no bytes.", "BULK-R02",
     &Steps::bulk_signal, [](const BulkQuery& q) -> uint32_t { return q.is_reduction ? 0 : q.moved; }},
    {"bulk_signals_the_operand", "The barrier is told the size as the operand has it, not what was moved.",
     "BULK-R02", &Steps::bulk_signal, [](const BulkQuery& q) -> uint32_t { return q.size & 0xfffff; }},
    {"bulk_size_of_16_bits", "Of sizes of 64 KiB and more the bits above 65,535 are lost.", "BULK-R06",
     &Steps::bulk_bytes, [](uint32_t size) -> uint32_t { return size & 0xfff0; }},
    {"bulk_size_of_21_bits", "Bit 20 of the size counts.", "BULK-R06", &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t { return size & 0x1ffff0; }},
    {"bulk_last_of_long_copies_lost", "A copy of 8 KiB and more leaves out its last 16 bytes.", "BULK-R06",
     &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t {
       const uint32_t right = size & 0xffff0;
       return right >= 8192 ? right - 16 : right;
     }},
    {"bulk_page_and_16_is_a_page", "A copy 16 bytes longer than a multiple of 4 KiB loses these 16.",
     "BULK-R06", &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t {
       const uint32_t right = size & 0xffff0;
       return right > 4096 && right % 4096 == 16 ? right - 16 : right;
     }},
    {"bulk_size_rounded_up", "A size that is not a multiple of 16 is rounded up.", "BULK-R06",
     &Steps::bulk_bytes, [](uint32_t size) -> uint32_t { return (size + 15) & 0xffff0; }},
    {"reduce_bf16_truncates", "Sums of bf16 are rounded towards zero.", "BULK-R14", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       if (q.reduction.type != ReduceType::bf16 || q.reduction.op != ReduceOp::add) return right(q);
       const float sum = std::bit_cast<float>(static_cast<uint32_t>(q.old << 16)) +
                         std::bit_cast<float>(static_cast<uint32_t>(q.operand << 16));
       return sum != sum ? 0x7fff : std::bit_cast<uint32_t>(sum) >> 16;
     }},
    {"reduce_dec_wraps_at_zero_alone", "dec takes 1 off an element that is above its operand.", "BULK-R13",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.op == ReduceOp::dec && q.old > q.operand ? q.old - 1 : right(q);
     }},
    {"reduce_f16_min_keeps_nan", "min of f16 lets a NaN win over a number.", "BULK-R17", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const bool is_min = q.reduction.type == ReduceType::f16 && q.reduction.op == ReduceOp::min;
       const bool has_nan = (q.old & 0x7fff) > 0x7c00 || (q.operand & 0x7fff) > 0x7c00;
       return is_min && has_nan ? 0x7fff : right(q);
     }},
    {"reduce_f32_flushes", "add.f32 takes subnormals for zero.", "BULK-R15", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.type == ReduceType::f32 ? as(q, {ReduceOp::add, ReduceType::f32_ftz}) : right(q);
     }},
    {"reduce_f64_quiets_nan", "A NaN operand of add.f64 comes back with its quiet bit set.", "BULK-R16",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const uint64_t sum = right(q);
       const bool is_nan = (sum & 0x7fffffffffffffff) > 0x7ff0000000000000;
       return q.reduction.type == ReduceType::f64 && is_nan ? sum | 1ull << 51 : sum;
     }},
    {"reduce_ftz_map_keeps_subnormals", "add through a flush-to-zero map keeps subnormals.", "TILE-R57",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.type == ReduceType::f32_ftz ? as(q, {ReduceOp::add, ReduceType::f32}) : right(q);
     }},
    {"reduce_bf16_zeros_are_equal", "min and max of bf16 leave a zero whose sign is the other one.",
     "BULK-R17", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const bool picks = q.reduction.type == ReduceType::bf16 && q.reduction.op != ReduceOp::add;
       return picks && ((q.old | q.operand) & 0x7fff) == 0 ? q.old : right(q);
     }},
    {"reduce_f64_nan_of_memory", "Of two NaN that add.f64 adds that of memory comes back.", "BULK-R16",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const auto is_nan = [](uint64_t bits) { return (bits << 1 >> 1) > 0x7ff0000000000000; };
       return q.reduction.type == ReduceType::f64 && is_nan(q.old) && is_nan(q.operand) ? q.old : right(q);
     }},
    {"reduce_inc_wraps_late", "inc counts an element that equals its operand on.", "BULK-R13", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.op == ReduceOp::inc && q.old == q.operand ? (q.old + 1) & 0xffffffff : right(q);
     }},
    {"reduce_max_s64_unsigned", "max of s64 compares as u64 does.", "BULK-R13", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.type == ReduceType::s64 && q.reduction.op == ReduceOp::max
                  ? as(q, {ReduceOp::max, ReduceType::u64})
                  : right(q);
     }},
    {"reduce_tensor_f32_stores", "A reduction of a tensor that adds f32 leaves what it adds.", "TILE-R56",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.is_tensor && q.reduction.type == ReduceType::f32 ? q.operand : right(q);
     }},
    {"reduce_u64_loses_carry", "add.u64 of a bulk reduction adds halves that do not carry.", "BULK-R13",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       if (q.is_tensor || q.reduction.type != ReduceType::u64 || q.reduction.op != ReduceOp::add)
         return right(q);
       return ((q.old >> 32) + (q.operand >> 32)) << 32 | ((q.old + q.operand) & 0xffffffff);
     }},
    {"tensor_reduction_of_any_type", "A reduction that its type lacks is not refused.", "TILE-R55",
     &Steps::rule, [](std::string_view id, bool holds) -> bool { return id == "AMB-24" || holds; }},
    {"rare_reduction_lost",
     "One element in 10,000 is not reduced.",
     "BULK-R18",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       uint64_t hash = (q.old * 0x9e3779b97f4a7c15 ^ q.operand) * 0xbf58476d1ce4e5b9;
       hash ^= hash >> 31;
       return hash % 10000 == 0 ? q.old : right(q);
     },
     {.rare = true}},
};

}  // namespace
}  // namespace assay::faults::bulk
