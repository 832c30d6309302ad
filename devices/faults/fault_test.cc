// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "devices/emulator/driver/settings.h"
#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/fault.h"
#include "devices/emulator/tma/copy_rig_test.h"

namespace assay::faults {
namespace {

using namespace emulator;

/// A hand-made operation: how it is set up, on which target.
struct Operation {
  const char* name;
  Target target;
  std::function<void(CopyRig&)> set_up;
  std::function<void(CopyRig&)> after_encoding = [](CopyRig&) {};
};

/// What an operation has beside its tensor and its box.
struct Options {
  uint32_t fill = 0, interleave = 0, swizzle = 0, l2_promotion = 0;
  uint64_t address = CopyRig::tensor_address;
  std::vector<uint32_t> traversal{};  ///< empty: 1 in each dimension
};
/// A box of a tensor of `type` at a coordinate.
auto box(uint32_t type, std::vector<uint64_t> dim, std::vector<uint64_t> stride,
         std::vector<uint32_t> extents, std::vector<int32_t> coord, Options with = {}) {
  return [=](CopyRig& rig) {
    rig.data_type = type, rig.rank = static_cast<uint32_t>(dim.size());
    rig.traversal = with.traversal;
    rig.traversal.resize(dim.size(), 1);
    rig.dim = dim, rig.stride = stride, rig.box = extents, rig.coord = coord;
    rig.fill = with.fill, rig.interleave = with.interleave, rig.swizzle = with.swizzle;
    rig.l2_promotion = with.l2_promotion, rig.address = with.address;
  };
}

/// An f16 matrix of 64 x 64 with rows of 128 bytes, of which a box is loaded.
auto matrix(uint32_t swizzle, uint32_t columns, std::vector<int32_t> coord, uint32_t shared_address = 0x400) {
  return [=](CopyRig& rig) {
    box(6, {64, 64}, {128}, {columns, 16}, coord, {.swizzle = swizzle})(rig);
    rig.shared_address = shared_address;
  };
}
auto five_dimensions(std::vector<int32_t> start) {
  return box(0, {32, 4, 4, 4, 2}, {32, 128, 512, 2048}, {32, 2, 2, 2, 2}, start);
}
/// One row of a tensor of so many that 16 bits do not count them.
auto far_row(int32_t row) {
  return box(0, {64, 1 << 17}, {64}, {64, 1}, {0, row});
}
auto store_of(std::function<void(CopyRig&)> set_up) {
  return [=](CopyRig& rig) {
    set_up(rig);
    rig.kind = TensorCopyKind::store;
  };
}

const Target hopper = Target::sm_90, blackwell = Target::sm_100, blackwell_ultra = Target::sm_103;

const std::vector<Operation>& operations() {
  static const std::vector<Operation> made{
      {"plain", hopper, matrix(0, 64, {0, 0})},
      {"right and bottom edge", hopper, matrix(0, 64, {32, 56})},
      {"left and top edge", hopper, matrix(0, 64, {-32, -8})},
      {"far outside", hopper, matrix(0, 64, {0, 0x10000})},
      {"swizzle 32B", hopper, matrix(1, 16, {0, 0})},
      {"swizzle 64B", hopper, matrix(2, 32, {0, 0})},
      {"swizzle 128B", hopper, matrix(3, 64, {0, 0})},
      {"swizzle 128B, phase 3", hopper, matrix(3, 64, {0, 0}, 0x580)},
      {"narrow box, swizzle 128B", hopper, matrix(3, 16, {0, 0})},
      {"narrow box, swizzle 64B", hopper, matrix(2, 8, {0, 0})},
      {"swizzle 128B, 32B atoms", blackwell, matrix(4, 64, {0, 0})},
      {"swizzle 128B, 32B atoms, 8B flip", blackwell, matrix(5, 64, {0, 0})},
      {"swizzle 128B, 64B atoms", blackwell, matrix(6, 64, {0, 0})},
      {"swizzle 96B", blackwell_ultra, matrix(0, 48, {0, 0}),
       [](CopyRig& rig) { rig.map[0x0a] |= std::byte{0x40}; }},
      {"NaN fill", hopper, box(6, {64, 64}, {128}, {64, 16}, {32, 0}, {.fill = 1})},
      {"NaN fill of f64", hopper, box(8, {32}, {}, {64}, {0}, {.fill = 1})},
      {"zero fill of bytes", hopper, box(0, {100}, {}, {128}, {0})},
      {"a row past the end", hopper, box(0, {100, 4}, {256}, {16, 1}, {96, 1})},
      {"three dimensions", hopper, box(0, {64, 8, 6}, {4112, 64}, {64, 4, 4}, {0, 6, 4})},
      {"four dimensions", hopper, box(0, {32, 4, 4, 4}, {32, 128, 512}, {32, 2, 2, 3}, {0, 1, 1, 2})},
      {"five dimensions", hopper,
       box(0, {32, 4, 4, 4, 2}, {32, 128, 512, 2048}, {32, 2, 2, 2, 2}, {0, 0, 0, 0, 0})},
      {"beyond 1 MiB", hopper, box(0, {64, 20}, {65536}, {64, 4}, {0, 15})},
      {"across index 2^16", hopper, box(0, {1 << 17}, {}, {64}, {65504})},
      {"extent of 2^16 + 1", hopper, box(0, {64, 65537}, {64}, {64, 4}, {0, 0})},
      {"address replaced by 8", hopper, matrix(0, 64, {0, 0}),
       [](CopyRig& rig) { (void)replace_address(rig.map.data(), 8, rig.settings); }},
      {"traversal strides", hopper, box(0, {64, 32}, {64}, {64, 8}, {0, 1}, {.traversal = {2, 3}})},
      {"interleave 16B", hopper,
       box(1, {64, 16, 8}, {4096, 65536}, {24, 4, 3}, {0, 2, 1}, {.interleave = 1})},
      {"interleave 16B, traversal of slices", hopper,
       box(1, {64, 16, 8}, {4096, 65536}, {8, 1, 3}, {0, 2, 1}, {.interleave = 1, .traversal = {2, 1, 1}})},
      {"tf32", hopper, box(11, {256}, {}, {64}, {0})},
      {"b4x16_p64", blackwell, box(14, {128, 4}, {64}, {128, 2}, {0, 0})},
      {"b6p2x16 store", blackwell, store_of(box(15, {128, 4}, {96}, {128, 2}, {0, 0}))},
      {"b6p2x16 store of half a box", blackwell_ultra, store_of(box(15, {128, 4}, {96}, {128, 2}, {64, 0})),
       [](CopyRig& rig) { spec::put(rig.map, spec::tensor_map::box_dim[0], 64); }},
      {"store", hopper, store_of(matrix(0, 64, {0, 0}))},
      {"store over the bottom edge", hopper, store_of(matrix(0, 64, {0, 60}))},
      {"store with a tail of one byte", hopper, store_of(box(0, {17, 3}, {80}, {64, 4}, {0, 0}))},
      {"store with a tail of one word", hopper, store_of(box(2, {9, 3}, {80}, {16, 4}, {0, 0}))},
      {"start not on 16 bytes", hopper, matrix(0, 64, {1, 0})},
      {"shared operand on 64 bytes", hopper, matrix(0, 64, {0, 0}, 0x440)},
      {"instruction of another rank", hopper, matrix(0, 64, {0, 0}),
       [](CopyRig& rig) {
         rig.rank = 3, rig.coord = {0, 0, 0};
       }},
      {"store at a negative coordinate", hopper, store_of(matrix(0, 64, {0, -1}))},
      {"store that starts below dimension 0", hopper, store_of(five_dimensions({-16, 0, 0, 0, 0}))},
      {"store that starts below dimension 2", hopper, store_of(five_dimensions({0, 0, -1, 0, 0}))},
      {"store that starts below dimension 3", hopper, store_of(five_dimensions({0, 0, 0, -1, 0}))},
      {"store that starts below dimension 4", hopper, store_of(five_dimensions({0, 0, 0, 0, -1}))},
      {"row 32,767", hopper, far_row(0x7fff)},
      {"row 32,768", hopper, far_row(0x8000)},
      {"row 65,535", hopper, far_row(0xffff)},
      {"row -32,768", hopper, far_row(-0x8000)},
      {"row -32,769", hopper, far_row(-0x8001)},
      {"address replaced by a high one", hopper, matrix(0, 64, {0, 0}),
       [](CopyRig& rig) { (void)replace_address(rig.map.data(), 0x1ff000000000000, rig.settings); }},
      {"dimension above 2^31", hopper, box(0, {64, (uint64_t{1} << 31) + 1}, {64}, {64, 4}, {0, 0})},
      // encoder calls
      {"box of 8 bytes", hopper, matrix(0, 4, {0, 0})},
      {"stride of 8", hopper, box(6, {64, 64}, {136}, {64, 4}, {0, 0})},
      {"box wider than the swizzle", hopper, matrix(1, 64, {0, 0})},
      {"NaN fill of bytes", hopper, box(0, {64}, {}, {64}, {0}, {.fill = 1})},
      {"box of 256 KiB", hopper, box(2, {1024, 1024}, {4096}, {256, 256}, {0, 0})},
      {"box of 257 rows", hopper, box(0, {64, 64}, {64}, {16, 257}, {0, 0})},
      {"extent of 0", hopper, box(0, {64, 0}, {64}, {16, 4}, {0, 0})},
      {"address on 8 bytes", hopper, box(0, {64}, {}, {64}, {0}, {.address = CopyRig::tensor_address + 8})},
      {"L2 promotion", hopper, box(6, {64, 64}, {128}, {64, 16}, {0, 0}, {.l2_promotion = 2})},
      {"stride of 64 GiB", hopper, box(0, {64, 2}, {uint64_t{3} << 36}, {64, 1}, {0, 0})},
      {"traversal stride of 8", hopper, box(0, {64, 32}, {64}, {64, 16}, {0, 1}, {.traversal = {1, 8}})},
      {"interleave 32B", hopper,
       box(1, {64, 16, 8}, {4096, 65536}, {8, 2, 3}, {0, 2, -1}, {.interleave = 2})},
      {"interleave 16B, swizzle 128B", hopper,
       box(1, {64, 16, 8}, {4096, 65536}, {8, 1, 3}, {0, 2, 1}, {.interleave = 1, .swizzle = 3})},
      {"interleave of a matrix", hopper, box(1, {64, 16}, {4096}, {8, 2}, {0, 2}, {.interleave = 1})},
      {"NaN fill of bf16", hopper, box(9, {64}, {}, {64}, {32}, {.fill = 1})},
      {"box of 256 rows", hopper, box(0, {64, 256}, {64}, {16, 256}, {0, 0})},
      {"stride of 0", hopper, box(0, {64, 4}, {0}, {64, 4}, {0, 0})},
      {"stride of 512 GiB", hopper, box(0, {64, 2}, {uint64_t{1} << 39}, {64, 1}, {0, 1})},
      {"stride of 1 TiB", hopper, box(0, {64, 2}, {uint64_t{1} << 40}, {64, 1}, {0, 0})},
      {"extent of 2^32", hopper, box(0, {64, uint64_t{1} << 32}, {64}, {64, 4}, {0, 0})},
      {"traversal stride of 9", hopper, box(0, {64, 32}, {64}, {64, 16}, {0, 1}, {.traversal = {1, 9}})},
      {"traversal stride of 8 in dimension 4", hopper,
       box(0, {32, 4, 4, 4, 9}, {32, 128, 512, 2048}, {32, 2, 2, 2, 8}, {0, 0, 0, 0, 0},
           {.traversal = {1, 1, 1, 1, 8}})},
      {"address with bit 56", hopper, box(0, {64}, {}, {64}, {0}, {.address = uint64_t{1} << 56})},
  };
  return made;
}

/// Everything that an operation leaves behind, as text.
std::string outcome(const Operation& operation, const std::string& fault) {
  CopyRig rig;
  rig.settings.target = operation.target;
  rig.settings.fault = fault;
  operation.set_up(rig);
  uint64_t bytes = 256;  // what the tensor spans, padding included
  for (size_t d = 0; d < rig.dim.size(); ++d)
    bytes += rig.dim[d] * (d == 0 ? (rig.interleave != 0 ? 16 : 8) : rig.stride[d - 1]);
  rig.global_bytes.resize(std::min<uint64_t>(bytes, 2 << 20));
  rig.shared.resize(64 << 10);
  for (size_t i = 0; i < rig.global_bytes.size(); ++i)
    rig.global_bytes[i] = static_cast<std::byte>(i * 2654435761u >> 24);
  // Words in which each rounding differs: ties, an odd neighbour, a subnormal tie, NaN with a payload.
  const uint32_t words[] = {0x3f801000, 0x3f803000, 0x00001000, 0x00003000,
                            0x7f800001, 0xffc12345, 0xbf803000};
  if (rig.data_type == 11) std::memcpy(rig.global_bytes.data(), words, sizeof words);
  for (size_t i = 0; i < rig.shared.size() && rig.kind == TensorCopyKind::store; ++i)
    rig.shared[i] = static_cast<std::byte>(i * 40503u >> 8);
  std::string text = rig.encode();
  operation.after_encoding(rig);
  text.append(reinterpret_cast<const char*>(rig.map.data()), rig.map.size());
  if (!text.empty() && text[0] != '\0' && rig.map == TensorMapBytes{}) return text;
  const TensorCopyPlan plan = rig.plan();
  text += plan.fault ? plan.fault->message : std::to_string(plan.transaction_bytes);
  if (const auto wrong = rig.run()) return text + wrong->message;
  const auto& moved = rig.kind == TensorCopyKind::store ? rig.global_bytes : rig.shared;
  text.append(reinterpret_cast<const char*>(moved.data()), moved.size());
  return text;
}

std::vector<std::string> outcomes(const std::string& fault) {
  std::vector<std::string> made;
  for (const Operation& operation : operations()) made.push_back(outcome(operation, fault));
  return made;
}

/// One of a step that only a suite reaches often enough.
bool is_rare_fault(const Fault& fault) {
  return fault.notes.rare;
}
/// Faults of completion show in a cluster (devices/emulator/driver/tma_driver_test.cc); here their step is
/// enough.
bool changes_completion(const Fault& fault) {
  const Steps& steps = fault.steps();
  if (steps.barrier != honest_steps.barrier || steps.barrier_waited != honest_steps.barrier_waited ||
      steps.barrier_rank != honest_steps.barrier_rank ||
      steps.arrives_without_copies != honest_steps.arrives_without_copies)
    return true;
  if (steps.groups_left != honest_steps.groups_left || steps.group_done != honest_steps.group_done ||
      !steps.awaits_tensor_reads || !steps.keeps_open_group)
    return true;
  if (steps.load_rank != honest_steps.load_rank || steps.reduces_late != honest_steps.reduces_late ||
      steps.reads_targets_early || !steps.answers_each_lane)
    return true;
  for (uint32_t mask = 1; mask < 0x200; ++mask)
    if (steps.data_ranks(mask, 1) != mask || steps.signal_ranks(mask, 1) != mask) return true;
  return steps.signals_before_data;
}

/// What steps of bulk copies and reductions answer to hand-made queries; no tensor copy asks them.
std::vector<uint64_t> bulk_answers(const Steps& steps) {
  std::vector<uint64_t> made;
  for (const uint32_t size : {16u, 17u, 31u, 65552u, (1u << 20) + 32}) made.push_back(steps.bulk_bytes(size));
  for (const BulkQuery& query : {BulkQuery{31, 16, false, false}, BulkQuery{32, 32, true, false},
                                 BulkQuery{32, 32, false, true}, BulkQuery{32, 32, false, false}})
    made.push_back(steps.bulk_signal(query));
  made.push_back(steps.bulk_signalled(2, 2));
  made.push_back(steps.bulk_signalled(2, 1));
  const ReductionQuery elements[] = {
      {{ReduceOp::add, ReduceType::bf16},
       0x3f80,
       0x3bc0,
       0,
       false},  // 1 + 3/512: three quarters of the last place
      {{ReduceOp::add, ReduceType::f32}, 1, 1, 0, false},
      {{ReduceOp::add, ReduceType::f32_ftz}, 1, 1, 0, true},
      {{ReduceOp::add, ReduceType::f32}, 0x3f800000, 0x3f800000, 0, true},
      {{ReduceOp::add, ReduceType::f64}, 0, 0x7ff0000000000001, 0, false},
      {{ReduceOp::add, ReduceType::f64}, 0x7ff8000000000002, 0x7ff8000000000001, 0, false},
      {{ReduceOp::max, ReduceType::bf16}, 0x8000, 0, 0, false},
      {{ReduceOp::max, ReduceType::bf16}, 0, 0x8000, 0, false},
      {{ReduceOp::add, ReduceType::u64}, 0xffffffff, 1, 0, false},
      {{ReduceOp::min, ReduceType::f16}, 0x7c01, 0x3c00, 0, false},
      {{ReduceOp::max, ReduceType::s64}, ~uint64_t{0}, 1, 0, false},
      {{ReduceOp::inc, ReduceType::u32}, 7, 7, 0, false},
      {{ReduceOp::dec, ReduceType::u32}, 9, 7, 0, false},
      {{ReduceOp::bit_and, ReduceType::b32}, 12, 10, 0, false},
  };
  for (const ReductionQuery& element : elements) made.push_back(steps.reduce(element));
  made.push_back(steps.rule("AMB-24", false) ? 1 : 0);
  return made;
}
bool is_of_bulk(const Fault& fault) {
  const Steps& steps = fault.steps();
  return steps.bulk_bytes != honest_steps.bulk_bytes || steps.bulk_signal != honest_steps.bulk_signal ||
         steps.bulk_signalled != honest_steps.bulk_signalled || steps.reduce != honest_steps.reduce ||
         steps.rule("AMB-24", false);
}

TEST(Faults, EachOfBulkCopiesChangesAHandMadeQueryAndNotAllOfThem) {
  const auto honest = bulk_answers(honest_steps);
  for (const Fault* fault : all_faults()) {
    if (!is_of_bulk(*fault) || is_rare_fault(*fault)) continue;
    const auto wrong = bulk_answers(fault->steps());
    size_t changed = 0;
    for (size_t i = 0; i < honest.size(); ++i) changed += honest[i] != wrong[i];
    EXPECT_GT(changed, 0u) << fault->name << " changes nothing";
    EXPECT_LT(changed, 4u) << fault->name << " changes much";
  }
}

/// What becomes of clusters that are cancelled: of a pair among others, and of a request when none is left.
std::vector<std::array<uint32_t, 5>> cancellations(const Steps& steps) {
  std::vector<std::array<uint32_t, 5>> made;
  for (const bool is_cancelled : {true, false}) {
    Cancellation one{.requester = {2, 0, 0}, .cluster_shape = {2, 3, 1}, .is_cancelled = is_cancelled};
    if (is_cancelled) one.cancelled = {6, 3, 0};
    steps.cancelled(one);
    made.push_back(
        {one.is_cancelled, one.cancelled[0], one.cancelled[1], one.cancelled[2], one.starts_anyway});
  }
  return made;
}
bool is_of_cancelling(const Fault& fault) {
  return fault.steps().cancelled != honest_steps.cancelled;
}

TEST(Faults, EachOfCancellingChangesWhatBecomesOfACluster) {
  const auto honest = cancellations(honest_steps);
  EXPECT_EQ(honest[0], (std::array<uint32_t, 5>{1, 6, 3, 0, 0}));
  std::set<std::vector<std::array<uint32_t, 5>>> seen{honest};
  for (const Fault* fault : all_faults()) {
    if (is_of_cancelling(*fault)) {
      EXPECT_TRUE(seen.insert(cancellations(fault->steps())).second) << fault->name;
    }
  }
  EXPECT_GE(seen.size(), 6u);
}

TEST(Faults, EachChangesAHandMadeOperationAndNotAllOfThem) {
  const auto honest = outcomes("");
  for (const Fault* fault : all_faults()) {
    if (fault->seam != Fault::Seam::tma || is_rare_fault(*fault) || changes_completion(*fault) ||
        is_of_bulk(*fault) || is_of_cancelling(*fault))
      continue;
    // None of the operations here is of these modes, none rewrites a map, no phase of several arrivals ends
    // with bytes: the suites meet their faults.
    constexpr std::string_view others[] = {"im2col_",    "gather4_",      "scatter4_",
                                           "cta_group_", "tensor_lanes_", "barrier_ended_by_bytes_"};
    if (std::any_of(std::begin(others), std::end(others),
                    [&](std::string_view mode) { return fault->name.find(mode) != std::string_view::npos; }))
      continue;
    if (fault->clause.starts_with("REPL-")) continue;
    // The maps of refused calls are not looked at here.
    if (fault->name == "encoder_refused_map_keeps_book_keeping") continue;
    if (!fault->notes.unobservable.empty()) continue;
    const auto wrong = outcomes(std::string(fault->name));
    size_t changed = 0;
    for (size_t i = 0; i < honest.size(); ++i) changed += honest[i] != wrong[i];
    EXPECT_GT(changed, 0u) << fault->name << " changes nothing";
    EXPECT_LT(changed, honest.size()) << fault->name << " changes everything";
  }
}

// A fault of one element type that hits another's is a second copy of that one's.
TEST(Faults, AWrongFillIsOfTheTypeThatItNames) {
  const auto changed_by = [](const std::string& fault) {
    std::set<std::string> changed;
    for (const Operation& operation : operations())
      if (outcome(operation, "") != outcome(operation, fault)) changed.insert(operation.name);
    return changed;
  };
  EXPECT_EQ(changed_by("fill_one_type_only"), std::set<std::string>{"NaN fill of bf16"});
  EXPECT_EQ(changed_by("fill_nan_zero_for_f64"), std::set<std::string>{"NaN fill of f64"});
}

TEST(Faults, RareOnesAreRare) {
  for (const std::string_view name : {"rare_bytes_from_neighbour", "rare_piece_lost"}) {
    const Fault* fault = find_fault(name);
    ASSERT_NE(fault, nullptr);
    CopyRig rig;
    box(0, {1 << 20}, {}, {32}, {0})(rig);
    ASSERT_EQ(rig.encode(), "");
    const int copies = 60000;
    int changed = 0;
    for (int i = 0; i < copies; ++i) {
      rig.coord[0] = 16 * i;
      rig.settings.fault = "";
      const TensorCopyPlan honest = rig.plan();
      rig.settings.fault = fault->name;
      const TensorCopyPlan wrong = rig.plan();
      const bool same = honest.pieces.size() == wrong.pieces.size() &&
                        honest.pieces.front().shared_address == wrong.pieces.front().shared_address;
      changed += !same;
    }
    EXPECT_GT(changed, 0) << fault->name;
    EXPECT_LT(changed, copies / 1000) << fault->name;
  }
}

TEST(Faults, AreManyNamedAndExplained) {
  std::set<std::string_view> names;
  for (const Fault* fault : all_faults()) {
    EXPECT_TRUE(names.insert(fault->name).second) << fault->name << " is there twice";
    EXPECT_EQ(find_fault(fault->name), fault);
    EXPECT_TRUE(fault->wrong.ends_with('.')) << fault->name;
    EXPECT_FALSE(fault->clause.empty()) << fault->name;
  }
  EXPECT_GE(names.size(), 25u);
}

TEST(Faults, AnUnknownNameIsRefusedWithTheListOfNames) {
  EXPECT_EQ(find_fault("no_such_fault"), nullptr);
  const std::string sentence = check_fault("no_such_fault");
  EXPECT_NE(sentence.find("'no_such_fault'"), std::string::npos);
  for (const Fault* fault : all_faults()) EXPECT_NE(sentence.find(fault->name), std::string::npos);
}

}  // namespace
}  // namespace assay::faults
