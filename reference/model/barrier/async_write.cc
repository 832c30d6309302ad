// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/async_write.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace assay::model {
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
