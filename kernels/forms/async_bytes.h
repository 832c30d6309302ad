#pragma once

#include <cstdint>
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

/// PTX ISA, cp.async.bulk; st.async; red.async. <to>: the address of the words, <of>: the state space of both
/// addresses, left out where they are generic; r1 and r2: the low and the high word of the value, w2: these
/// the other way round.
struct AsyncRow {
  AsyncKind kind;
  std::string_view name, text;
};
inline constexpr AsyncRow async_rows[] = {
    {AsyncKind::bulk_copy, "cp.async.bulk",
     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$parity], [$limit], $amount, "
     "[<address>]"},
    {AsyncKind::store_4, "st.async.b32", "st.async<weak><of><told>.b32 [<to>], r1, [<address>]"},
    {AsyncKind::store_4, "st.async.u32", "st.async<weak><of><told>.u32 [<to>], r1, [<address>]"},
    {AsyncKind::store_4, "st.async.s32", "st.async<weak><of><told>.s32 [<to>], r1, [<address>]"},
    {AsyncKind::store_8, "st.async.b64", "st.async<weak><of><told>.b64 [<to>], $kept, [<address>]"},
    {AsyncKind::store_8, "st.async.u64", "st.async<weak><of><told>.u64 [<to>], $kept, [<address>]"},
    {AsyncKind::store_8, "st.async.s64", "st.async<weak><of><told>.s64 [<to>], $kept, [<address>]"},
    {AsyncKind::store_4_4, "st.async.v2.b32",
     "st.async<weak><of><told>.v2.b32 [<to>], {r1, r2}, [<address>]"},
    {AsyncKind::store_4_4, "st.async.v2.s32",
     "st.async<weak><of><told>.v2.s32 [<to>], {r1, r2}, [<address>]"},
    {AsyncKind::store_4_4_4_4, "st.async.v4.b32",
     "st.async<weak><of><told>.v4.b32 [<to>], {r1, r2, r2, r1}, [<address>]"},
    {AsyncKind::store_4_4_4_4, "st.async.v4.u32",
     "st.async<weak><of><told>.v4.u32 [<to>], {r1, r2, r2, r1}, [<address>]"},
    {AsyncKind::store_8_8, "st.async.v2.b64",
     "st.async<weak><of><told>.v2.b64 [<to>], {$kept, w2}, [<address>]"},
    {AsyncKind::store_8_8, "st.async.v2.u64",
     "st.async<weak><of><told>.v2.u64 [<to>], {$kept, w2}, [<address>]"},
    {AsyncKind::inc, "red.async.inc.u32", "red.async<relaxed><of><told>.inc.u32 [<to>], r1, [<address>]"},
    {AsyncKind::dec, "red.async.dec.u32", "red.async<relaxed><of><told>.dec.u32 [<to>], r1, [<address>]"},
    {AsyncKind::min_u32, "red.async.min.u32", "red.async<relaxed><of><told>.min.u32 [<to>], r1, [<address>]"},
    {AsyncKind::min_s32, "red.async.min.s32", "red.async<relaxed><of><told>.min.s32 [<to>], r1, [<address>]"},
    {AsyncKind::max_u32, "red.async.max.u32", "red.async<relaxed><of><told>.max.u32 [<to>], r1, [<address>]"},
    {AsyncKind::max_s32, "red.async.max.s32", "red.async<relaxed><of><told>.max.s32 [<to>], r1, [<address>]"},
    {AsyncKind::add_4, "red.async.add.u32", "red.async<relaxed><of><told>.add.u32 [<to>], r1, [<address>]"},
    {AsyncKind::add_4, "red.async.add.s32", "red.async<relaxed><of><told>.add.s32 [<to>], r1, [<address>]"},
    {AsyncKind::add_8, "red.async.add.u64",
     "red.async<relaxed><of><told>.add.u64 [<to>], $kept, [<address>]"},
    {AsyncKind::bit_and, "red.async.and.b32", "red.async<relaxed><of><told>.and.b32 [<to>], r1, [<address>]"},
    {AsyncKind::bit_or, "red.async.or.b32", "red.async<relaxed><of><told>.or.b32 [<to>], r1, [<address>]"},
    {AsyncKind::bit_xor, "red.async.xor.b32", "red.async<relaxed><of><told>.xor.b32 [<to>], r1, [<address>]"},
};

constexpr bool is_bulk_copy(const AsyncRow& row) {
  return row.kind == AsyncKind::bulk_copy;
}

/// Null: `name` is no slot of these texts.
constexpr const char* async_slot(std::string_view name, bool is_generic, bool is_short) {
  if (name == "to") return is_generic ? "w1" : "$parity";
  if (name == "of") return is_generic ? "" : ".shared::cluster";
  if (name == "told") return ".mbarrier::complete_tx::bytes";
  if (name == "weak") return is_short ? "" : ".weak";
  if (name == "relaxed") return ".relaxed.cluster";
  return nullptr;
}

}  // namespace assay::forms
