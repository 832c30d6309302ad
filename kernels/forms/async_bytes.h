// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Instructions that write to shared memory behind the thread's back and tell an mbarrier how many bytes
/// came.
namespace assay::forms {

/// What an instruction does to the words there: params::async_kind.
enum class AsyncKind : uint8_t {
  bulk_copy,  ///< any multiple of 16 bytes
  store_4,
  store_8,
  store_4_4,
  store_4_4_4_4,
  store_8_8,
  inc,
  dec,
  min_u32,
  min_s32,
  max_u32,
  max_s32,
  add_4,
  add_8,
  bit_and,
  bit_or,
  bit_xor,
};
inline constexpr uint32_t async_kinds = 17;

/// PTX ISA, cp.async.bulk; st.async; red.async. r1 and r2: the low and the high word of the value $kept, w2:
/// these the other way round.
struct AsyncRow {
  AsyncKind kind;
  std::string_view form;   ///< what stands last in the instruction's name; of the bulk copy all of it
  std::string_view value;  ///< the operand
};
inline constexpr AsyncRow async_rows[] = {
    {AsyncKind::bulk_copy, "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", ""},
    {AsyncKind::store_4, ".b32", "r1"},
    {AsyncKind::store_4, ".u32", "r1"},
    {AsyncKind::store_4, ".s32", "r1"},
    {AsyncKind::store_8, ".b64", "$kept"},
    {AsyncKind::store_8, ".u64", "$kept"},
    {AsyncKind::store_8, ".s64", "$kept"},
    {AsyncKind::store_4_4, ".v2.b32", "{r1, r2}"},
    {AsyncKind::store_4_4, ".v2.s32", "{r1, r2}"},
    {AsyncKind::store_4_4_4_4, ".v4.b32", "{r1, r2, r2, r1}"},
    {AsyncKind::store_4_4_4_4, ".v4.u32", "{r1, r2, r2, r1}"},
    {AsyncKind::store_8_8, ".v2.b64", "{$kept, w2}"},
    {AsyncKind::store_8_8, ".v2.u64", "{$kept, w2}"},
    {AsyncKind::inc, ".inc.u32", "r1"},
    {AsyncKind::dec, ".dec.u32", "r1"},
    {AsyncKind::min_u32, ".min.u32", "r1"},
    {AsyncKind::min_s32, ".min.s32", "r1"},
    {AsyncKind::max_u32, ".max.u32", "r1"},
    {AsyncKind::max_s32, ".max.s32", "r1"},
    {AsyncKind::add_4, ".add.u32", "r1"},
    {AsyncKind::add_4, ".add.s32", "r1"},
    {AsyncKind::add_8, ".add.u64", "$kept"},
    {AsyncKind::bit_and, ".and.b32", "r1"},
    {AsyncKind::bit_or, ".or.b32", "r1"},
    {AsyncKind::bit_xor, ".xor.b32", "r1"},
};

constexpr bool is_bulk_copy(const AsyncRow& row) {
  return row.kind == AsyncKind::bulk_copy;
}
constexpr bool is_store(const AsyncRow& row) {
  return !is_bulk_copy(row) && row.kind < AsyncKind::inc;
}

/// The instruction. Without a state space both addresses are generic, that of the words in w1; `is_short`: a
/// store without .weak.
inline std::string async_text(const AsyncRow& row, bool is_generic, bool is_short) {
  if (is_bulk_copy(row)) return std::string(row.form) + " [$parity], [$limit], $amount, [<address>]";
  const char* const name = !is_store(row) ? "red.async.relaxed.cluster"
                           : is_short     ? "st.async"
                                          : "st.async.weak";
  return name + std::string(is_generic ? "" : ".shared::cluster") + ".mbarrier::complete_tx::bytes" +
         std::string(row.form) + (is_generic ? " [w1], " : " [$parity], ") + std::string(row.value) +
         ", [<address>]";
}

}  // namespace assay::forms
