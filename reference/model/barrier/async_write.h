// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Instructions that write shared memory asynchronously and complete that many bytes of an mbarrier's phase
/// (ptx, cp.async.bulk; st.async; red.async).
namespace assay::model {

/// What such an instruction does to the words there.
enum class AsyncOp : uint32_t {
  bulk_copy,  ///< of words that grow by the value's high word
  store_b32,
  store_b64,
  store_v2_b32,
  store_v4_b32,  ///< the value's low, high, high and low word
  store_v2_b64,  ///< the value, and its words the other way round
  inc_u32,
  dec_u32,
  min_u32,
  min_s32,
  max_u32,
  max_s32,
  add_32,
  add_u64,
  and_b32,
  or_b32,
  xor_b32,
};
inline constexpr uint32_t async_ops = 17, async_words = 16;

/// What SequenceStep::amount says of bytes_arrive.
struct AsyncWrite {
  uint32_t bytes = 16;
  AsyncOp op = AsyncOp::bulk_copy;
  uint32_t seed = 0;  ///< of the value and of where it goes, below 65536
  /// Index of the first word that is written: of bits 2 and 3 of the seed.
  uint32_t first_word() const { return seed & 12; }
  uint32_t amount() const { return bytes | static_cast<uint32_t>(op) << 8 | seed << 16; }
};
/// Nothing where there is no such write: of bulk copies any multiple of 16 bytes that fits behind the first
/// word.
std::optional<AsyncWrite> async_write(uint32_t amount);
/// Of a write but a bulk copy.
uint32_t bytes_of(AsyncOp);
/// As PTX has it, without what is behind the name.
std::string_view name_of(AsyncOp);

/// All words after the write (none of 0 bytes), told as one number: each times a power of 31, the last
/// times 1.
uint32_t digest_after(const AsyncWrite&);

}  // namespace assay::model
