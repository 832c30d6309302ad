// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/fragments.h"
#include "reference/model/mma/bends.h"
#include "reference/spec/rules.h"

/// Where mma.sync has its block scales, and bends of that: which lane, which byte, of which block.
namespace assay::model {
namespace {

using spec::rule;
using WantedScale = RegisterScaleWanted;
using Place = RegisterScale;

bool is_a(const WantedScale& w) {
  return w.is_a;
}
bool is_b(const WantedScale& w) {
  return !w.is_a;
}

/// The place of another scale than the one that is wanted.
template <bool (*whose)(const WantedScale&), void (*change)(WantedScale&)>
Place of_another(const WantedScale& wanted, Place right) {
  if (!whose(wanted)) return right;
  WantedScale other = wanted;
  change(other);
  return register_scale(other);
}
template <uint32_t kept>
void thread_bits(WantedScale& w) {
  w.thread_id &= kept;
}
template <uint32_t flip>
void other_thread(WantedScale& w) {
  w.thread_id ^= flip;
}
template <uint32_t flip>
void other_line(WantedScale& w) {
  w.line ^= flip;
}
void no_byte(WantedScale& w) {
  w.byte_id = 0;
}
template <bool (*whose)(const WantedScale&), uint32_t step>
Place other_byte(const WantedScale& wanted, Place right) {
  return whose(wanted) ? Place{right.thread, (right.byte + step) % 4} : right;
}
void in_reverse(WantedScale& w) {
  w.number = w.count - 1 - w.number;
}
void all_first(WantedScale& w) {
  w.number = 0;
}
void last_as_first(WantedScale& w) {
  if (w.number + 1 == w.count) w.number = 0;
}
template <bool (*whose)(const WantedScale&)>
Place of_dense_blocks(const WantedScale& wanted, Place right) {
  if (!wanted.is_sparse || !whose(wanted)) return right;
  return {right.thread, (wanted.byte_id + 2 * wanted.number) % 4};
}
template <bool (*whose)(const WantedScale&), bool of_sparse, void (*change)(WantedScale&)>
Place of_block(const WantedScale& wanted, Place right) {
  return wanted.is_sparse == of_sparse ? of_another<whose, change>(wanted, right) : right;
}

constexpr Bend scale_row(spec::RuleIndex rule, std::string_view words,
                         Place (*place)(const WantedScale&, Place)) {
  return {.rule = rule, .words = words, .mma = {.register_scale = place}};
}

constexpr Bend register_scale_rows[] = {
    scale_row(rule("KIND-R03"), "thread-id-a were ignored", of_another<is_a, thread_bits<0>>),
    scale_row(rule("KIND-R03"), "the pairs of lanes of A were swapped", of_another<is_a, other_thread<1>>),
    scale_row(rule("KIND-R03"), "rows g and g + 8 were swapped", of_another<is_a, other_line<8>>),
    scale_row(rule("KIND-R03"), "rows of A had the scales of their neighbours",
              of_another<is_a, other_line<1>>),
    scale_row(rule("KIND-R04"), "thread-id-b were ignored", of_another<is_b, thread_bits<0>>),
    scale_row(rule("KIND-R04"), "the low bit of thread-id-b were ignored", of_another<is_b, thread_bits<2>>),
    scale_row(rule("KIND-R04"), "the high bit of thread-id-b were ignored", of_another<is_b, thread_bits<1>>),
    scale_row(rule("KIND-R04"), "columns of B had the scales of their neighbours",
              of_another<is_b, other_line<1>>),
    scale_row(rule("KIND-R05"), "byte-id-a were ignored", of_another<is_a, no_byte>),
    scale_row(rule("KIND-R05"), "byte-id-b were ignored", of_another<is_b, no_byte>),
    scale_row(rule("KIND-R06"), "scales of A were those one byte on", other_byte<is_a, 1>),
    scale_row(rule("KIND-R06"), "scales of A were those one byte before", other_byte<is_a, 3>),
    scale_row(rule("KIND-R06"), "scales of B were those one byte on", other_byte<is_b, 1>),
    scale_row(rule("KIND-R06"), "scales of B were those one byte before", other_byte<is_b, 3>),
    scale_row(rule("KIND-R06"), "scales of A were in reverse order", of_block<is_a, false, in_reverse>),
    scale_row(rule("KIND-R06"), "scales of B were in reverse order", of_block<is_b, false, in_reverse>),
    scale_row(rule("KIND-R06"), "the first scale of A were that of all blocks",
              of_block<is_a, false, all_first>),
    scale_row(rule("KIND-R06"), "the first scale of B were that of all blocks",
              of_block<is_b, false, all_first>),
    scale_row(rule("KIND-R06"), "the last block had the first scale",
              [](const WantedScale& wanted, Place right) {
                return wanted.is_sparse ? right
                                        : of_another<is_a, last_as_first>(
                                              wanted, of_another<is_b, last_as_first>(wanted, right));
              }),
    scale_row(rule("KIND-R07"), "a scale of A counted for as many elements as in a dense row",
              of_dense_blocks<is_a>),
    scale_row(rule("KIND-R07"), "a scale of B counted for as many elements as in a dense row",
              of_dense_blocks<is_b>),
    scale_row(rule("KIND-R07"), "scales of a sparse A were in reverse order",
              of_block<is_a, true, in_reverse>),
    scale_row(rule("KIND-R07"), "scales of B were in reverse order", of_block<is_b, true, in_reverse>),
    {.rule = rule("KIND-R08"),
     .words = "pairs were kept of elements of 4 bits in bytes",
     .mma = {.keeps_pairs_of_bytes = true}},
    {.rule = rule("KIND-R09"),
     .words = "the kept products were summed in four parts, each rounded",
     .mma = {.arithmetic = [](const numerics::Types& t,
                              numerics::Arithmetic& a) { a.fused_terms = t.k / 4; }}},
};

}  // namespace

RegisterScale register_scale(const RegisterScaleWanted& w) {
  return {w.is_a ? layout::scale_thread_of_row(w.line, w.thread_id)
                 : layout::scale_lane_of_column(w.line, w.thread_id),
          w.byte_id + w.number};
}

std::span<const Bend> register_scale_bends() {
  return register_scale_rows;
}

}  // namespace assay::model
