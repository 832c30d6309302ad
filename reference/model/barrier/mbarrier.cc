// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/mbarrier.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace assay::model {
namespace {

/// Width fields of the word hold counts with the sign changed (h200, MB-01).
struct WordField {
  int lsb, width;
  uint64_t put(int64_t count) const {
    return (static_cast<uint64_t>(-count) & ((uint64_t{1} << width) - 1)) << lsb;
  }
  /// From 0 on; for signed counts the caller says where they wrap.
  int64_t get(uint64_t word) const {
    const int64_t modulus = int64_t{1} << width;
    return (modulus - static_cast<int64_t>(word >> lsb & static_cast<uint64_t>(modulus - 1))) % modulus;
  }
};
constexpr WordField missing_field{43, 20}, bytes_field{21, 21}, count_field{1, 20};
constexpr uint64_t phase_bit = uint64_t{1} << 63, lowest_bit = 1;
constexpr int64_t most_expected = 1 << 20;  ///< sum of what is expected (h200, MB-06)

}  // namespace

std::optional<Mbarrier> Mbarrier::initialised(uint32_t count) {
  if ((count & most_arrivals) == 0) return std::nullopt;
  Mbarrier made;
  made.count_ = made.missing_ = count & most_arrivals;
  // Larger counts spoil the bits beside the two fields: with bit 20 of 2^20 - count the barrier begins in
  // phase 1, with a byte that came too early (h200, MB-05).
  if (((most_arrivals + 1 - count) >> 20 & 1) != 0) made.phase_ = 1, made.bytes_ = -1;
  return made;
}

Mbarrier Mbarrier::found(uint64_t word) {
  Mbarrier made;
  made.phase_ = word >> 63;
  made.missing_ = static_cast<uint32_t>(missing_field.get(word));
  made.count_ = static_cast<uint32_t>(count_field.get(word));
  const int64_t bytes = bytes_field.get(word);
  made.bytes_ = bytes > most_expected ? bytes - 2 * most_expected : bytes;
  made.beside_ = word & (guard_bit | lowest_bit);
  return made;
}

Mbarrier Mbarrier::of(const BarrierState& state) {
  Mbarrier made;
  made.phase_ = state.phase;
  made.count_ = state.count;
  made.missing_ = state.missing;
  made.bytes_ = state.bytes;
  return made;
}

void Mbarrier::settle() {
  if (missing_ != 0 || bytes_ != 0) return;
  ++phase_;
  missing_ = count_;
}

bool Mbarrier::arrive(uint32_t count, bool drops) {
  if (is_damaged()) return false;
  if (count > missing_) return false;
  missing_ -= count;
  if (drops) count_ -= count;
  settle();
  return true;
}

bool Mbarrier::expect(uint32_t bytes) {
  if (is_damaged() || bytes > most_bytes || bytes_ + bytes > most_expected) return false;
  bytes_ += bytes;
  settle();
  return true;
}

bool Mbarrier::complete(uint32_t bytes) {
  if (is_damaged() || bytes > most_bytes || bytes_ - bytes < -most_bytes) return false;
  bytes_ -= bytes;
  settle();
  return true;
}

bool Mbarrier::arrive_expecting(uint32_t bytes, bool drops) {
  // The phase is never over between the two: there is an arrival missing.
  return missing_ != 0 && expect(bytes) && arrive(1, drops);
}

uint64_t Mbarrier::word() const {
  return ((phase_ & 1) != 0 ? phase_bit : 0) | missing_field.put(missing_) | bytes_field.put(bytes_) |
         count_field.put(count_) | beside_;
}

uint64_t Mbarrier::token(bool no_complete) const {
  constexpr uint64_t upper_half = ~uint64_t{0} << 32;
  return (word() & upper_half) | (no_complete ? 1 : 0);
}

uint32_t pending_count_of(uint64_t token) {
  const auto pending = static_cast<uint32_t>(missing_field.get(token));
  return pending == 0 ? Mbarrier::most_arrivals + 1 : pending;
}

namespace {

using Words = std::span<uint32_t>;
using Value = std::array<uint32_t, 2>;  ///< the low word first

/// From a signed word to one that is ordered alike among unsigned ones.
uint32_t ordered(uint32_t word) {
  return word ^ 0x80000000u;
}

void copy(Words to, Value v) {
  for (size_t i = 0; i < to.size(); ++i) to[i] = v[0] + static_cast<uint32_t>(i) * v[1];
}
template <size_t... words>
void store(Words to, Value v) {
  size_t i = 0;
  ((to[i++] = v[words]), ...);
}
/// ptx, atom: of inc and dec.
void inc(Words to, Value v) {
  to[0] = to[0] >= v[0] ? 0 : to[0] + 1;
}
void dec(Words to, Value v) {
  to[0] = to[0] == 0 || to[0] > v[0] ? v[0] : to[0] - 1;
}
void min_u32(Words to, Value v) {
  to[0] = std::min(to[0], v[0]);
}
void min_s32(Words to, Value v) {
  to[0] = ordered(std::min(ordered(to[0]), ordered(v[0])));
}
void max_u32(Words to, Value v) {
  to[0] = std::max(to[0], v[0]);
}
void max_s32(Words to, Value v) {
  to[0] = ordered(std::max(ordered(to[0]), ordered(v[0])));
}
void add_32(Words to, Value v) {
  to[0] += v[0];
}
void add_u64(Words to, Value v) {
  const uint32_t sum = to[0] + v[0];
  to[1] += v[1] + (sum < v[0] ? 1 : 0);
  to[0] = sum;
}
void and_b32(Words to, Value v) {
  to[0] &= v[0];
}
void or_b32(Words to, Value v) {
  to[0] |= v[0];
}
void xor_b32(Words to, Value v) {
  to[0] ^= v[0];
}

struct Effect {
  AsyncOp op;
  std::string_view name;
  uint32_t bytes;  ///< 0: a multiple of 16
  void (*apply)(Words, Value);
};
constexpr Effect effects[] = {
    {AsyncOp::bulk_copy, "cp.async.bulk", 0, copy},
    {AsyncOp::store_b32, "st.async.b32", 4, store<0>},
    {AsyncOp::store_b64, "st.async.b64", 8, store<0, 1>},
    {AsyncOp::store_v2_b32, "st.async.v2.b32", 8, store<0, 1>},
    {AsyncOp::store_v4_b32, "st.async.v4.b32", 16, store<0, 1, 1, 0>},
    {AsyncOp::store_v2_b64, "st.async.v2.b64", 16, store<0, 1, 1, 0>},
    {AsyncOp::inc_u32, "red.async.inc.u32", 4, inc},
    {AsyncOp::dec_u32, "red.async.dec.u32", 4, dec},
    {AsyncOp::min_u32, "red.async.min.u32", 4, min_u32},
    {AsyncOp::min_s32, "red.async.min.s32", 4, min_s32},
    {AsyncOp::max_u32, "red.async.max.u32", 4, max_u32},
    {AsyncOp::max_s32, "red.async.max.s32", 4, max_s32},
    {AsyncOp::add_32, "red.async.add.u32", 4, add_32},
    {AsyncOp::add_u64, "red.async.add.u64", 8, add_u64},
    {AsyncOp::and_b32, "red.async.and.b32", 4, and_b32},
    {AsyncOp::or_b32, "red.async.or.b32", 4, or_b32},
    {AsyncOp::xor_b32, "red.async.xor.b32", 4, xor_b32},
};
static_assert(std::size(effects) == async_ops);
const Effect& effect_of(AsyncOp op) {
  return effects[static_cast<size_t>(op)];
}

}  // namespace

std::optional<AsyncWrite> async_write(uint32_t amount) {
  const uint32_t op = amount >> 8 & 0xff;
  if (op >= async_ops) return std::nullopt;
  const AsyncWrite w{amount & 0xff, static_cast<AsyncOp>(op), amount >> 16};
  const bool is_copy = w.op == AsyncOp::bulk_copy;
  const bool fits = is_copy ? w.bytes != 0 && w.bytes % 16 == 0 && w.bytes / 4 <= async_words - w.first_word()
                            : w.bytes == bytes_of(w.op);
  return fits ? std::optional(w) : std::nullopt;
}

uint32_t bytes_of(AsyncOp op) {
  return effect_of(op).bytes;
}
std::string_view name_of(AsyncOp op) {
  return effect_of(op).name;
}

uint32_t digest_after(const AsyncWrite& w) {
  std::array<uint32_t, async_words> words;
  for (uint32_t i = 0; i < async_words; ++i) words[i] = 0x90000007u + 0x11111111u * i;
  const uint64_t value = (2 * uint64_t{w.seed} + 1) * 0x9e3779b97f4a7c15u;
  if (w.bytes != 0)
    effect_of(w.op).apply(std::span(words).subspan(w.first_word(), w.bytes / 4),
                          {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
  return std::accumulate(words.begin(), words.end(), 0u,
                         [](uint32_t digest, uint32_t word) { return 31 * digest + word; });
}

}  // namespace assay::model
