// SPDX-License-Identifier: Apache-2.0
// What bulk copies and reductions did on an H200: vectors_bulk_copy.csv, vectors_bulk_reduce.csv.
#include <algorithm>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/bulk_copy/case.h"
#include "reference/model/reduction.h"
#include "reference/spec/questions.h"
#include "suites/run/family.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

using model::End;

constexpr std::string_view copy_header[] = {
    "id",          "case",    "size",       "src_offset", "dst_offset",        "barrier_offset", "expect_tx",
    "mask_or_aux", "outcome", "clean_cta0", "clean_cta1", "bytes_as_expected", "silicon_sm90"};
constexpr std::string_view reduce_header[] = {"id",  "destination", "op",     "type",
                                              "old", "operand",     "result", "silicon_sm90"};

/// Shared memory behind the operands' first byte that each CTA of the measured kernel had: 205,824 to
/// 207,871, by the rows at its edge.
constexpr uint32_t measured_window = 205824;
constexpr uint32_t measured_slot = 256 << 10;

/// The two CTAs of the measured cluster; the first issues.
struct CopyRow {
  BulkCase what;
  uint32_t expect_tx = 0;
  uint32_t armed = 0;   ///< a bit a CTA: those whose barrier is armed and looked at
  uint32_t copies = 1;  ///< issued one after the other, all into one barrier
  std::string_view property;
};

struct CopyKind {
  std::string_view name;
  BulkOp op;
  uint32_t target_rank;
  uint32_t armed;
  bool unmapped;
  std::string_view property;
  bool names_own_barrier = false;  ///< the operand is the issuer's
};
constexpr std::string_view from_global = "bulk.copy.global_to_shared",
                           to_global = "bulk.copy.shared_to_global", to_shared = "bulk.copy.shared_to_shared";
constexpr CopyKind copy_kinds[] = {
    {"g2s cta", BulkOp::load_cta, 0, 1, false, from_global},
    {"g2s cluster", BulkOp::load_cluster, 0, 1, false, from_global},
    {"g2s to peer", BulkOp::load_cluster, 1, 2, false, from_global},
    {"g2s multicast", BulkOp::multicast, 0, 3, false, from_global},
    // Its destination was not looked at: of no bytes too, no CTA is clean.
    {"g2s unmapped", BulkOp::load_cta, 0, 0, true, from_global},
    {"g2s many without expect", BulkOp::load_cta, 0, 0, false, from_global},
    {"s2g", BulkOp::store, 0, 0, false, to_global},
    {"s2g unmapped", BulkOp::store, 0, 0, true, to_global},
    {"s2s to peer", BulkOp::peer, 1, 2, false, to_shared},
    {"s2s to peer / barrier of issuer", BulkOp::peer, 1, 2, false, to_shared, true},
    {"s2s self", BulkOp::peer, 0, 1, false, to_shared},
    {"prefetch", BulkOp::prefetch, 0, 0, false, "bulk.copy.prefetch"},
    {"red s2g add.u32", BulkOp::reduce_global, 0, 0, false, "bulk.reduce.global"},
    {"red s2s add.u32", BulkOp::reduce_cluster, 1, 2, false, "bulk.reduce.shared"},
};

BulkReductionIndex index_of(const spec::Reduction& what) {
  const spec::BulkReduction* row = spec::find_bulk_reduction(what);
  if (row == nullptr) throw RowError{"there is no reduction " + reduction_name(what)};
  return static_cast<BulkReductionIndex>(row - spec::bulk_reductions.data());
}

CopyRow read_copy(const CsvRow& row) {
  const auto number = [&](std::string_view column) {
    return parse_number<uint32_t>(column, cell(bulk_copy_format, row, column));
  };
  const std::string& name = cell(bulk_copy_format, row, "case");
  const auto* kind = std::find_if(std::begin(copy_kinds), std::end(copy_kinds),
                                  [&](const CopyKind& k) { return k.name == name; });
  if (kind == std::end(copy_kinds)) throw RowError{"'" + name + "' is not a bulk copy of these rows"};
  CopyRow copy;
  copy.property = kind->property;
  copy.armed = kind->armed;
  copy.expect_tx = number("expect_tx");
  const uint32_t aux = number("mask_or_aux");
  if (name == "g2s many without expect") copy.copies = aux;
  BulkCase& c = copy.what;
  c.op = kind->op;
  c.target_rank = kind->target_rank;
  c.size = number("size");
  c.source_offset = number("src_offset");
  c.target_offset = number("dst_offset");
  c.barrier_shift = number("barrier_offset");
  c.unmapped = kind->unmapped || (c.op == BulkOp::prefetch && aux != 0);
  // Copies from global memory to a peer were told the barrier of the issuer.
  c.names_own_barrier = kind->names_own_barrier || (name == "g2s to peer" && aux != 0);
  c.cluster_size = 2;
  if (c.op == BulkOp::multicast) c.cta_mask = narrow<uint16_t>("mask_or_aux", int64_t{aux});
  if (is_reduction(c.op)) c.reduction = index_of({spec::ReduceOp::add, spec::ReduceType::u32});
  c.window_bytes = measured_window;
  if (writes_global(c.op)) c.slot_bytes = measured_slot;
  return copy;
}

std::string_view code_of(End end) {
  switch (end) {
    case End::misaligned_address:
      return "MIS";
    case End::illegal_address:
    case End::undefined:  // behind what the measured kernel had
      return "ADR";
    case End::illegal_instruction:
      return "ILL";
    default:
      return "ok";
  }
}

/// What the barriers make of a row: the launch fails, or each is clean or not.
struct Barriers {
  bool fails = false;
  bool is_clean[2] = {};
};
Barriers barriers_of(const CopyRow& copy) {
  Barriers result;
  const uint32_t bytes = suites::moved_bytes(copy.what.size), receivers = receivers_of(copy.what);
  for (uint32_t rank = 0; rank < 2; ++rank) {
    auto barrier = *model::Mbarrier::initialised(1);
    const bool is_armed = (copy.armed >> rank & 1) != 0;
    bool good = !is_armed || barrier.arrive_expecting(copy.expect_tx, false);
    if (receivers >> rank & 1)
      for (uint32_t i = 0; good && i < copy.copies; ++i) good = barrier.complete(bytes);
    result.fails |= !good;
    result.is_clean[rank] = good && is_armed && barrier.is_over(0) && barrier.bytes() == 0;
  }
  // A mask names a CTA that the cluster does not have.
  result.fails |= bytes != 0 && receivers >> 2 != 0;
  return result;
}

void check_copy(const CsvRow& row, RowResult& result) {
  result.kind = "bulk copy";
  const CopyRow copy = read_copy(row);
  const auto text = [&](std::string_view column) { return cell(bulk_copy_format, row, column); };
  const Barriers barriers = barriers_of(copy);
  BulkCase c = copy.what;
  c.cta_mask &= 3;
  std::vector<std::byte> slot(c.slot_bytes), windows(2 * c.window_bytes);
  const End end =
      suites::predict_bulk(c, spec::Readings(spec::Arch::sm_90), {suites::arena(), slot, windows}).end;
  const std::string outcome(barriers.fails ? "LF" : code_of(end));
  const bool is_good = outcome == "ok";
  Differences differences;
  differences.compare("outcome", text("outcome"), outcome);
  differences.compare("clean_cta0", text("clean_cta0"), is_good && barriers.is_clean[0] ? "1" : "0");
  differences.compare("clean_cta1", text("clean_cta1"), is_good && barriers.is_clean[1] ? "1" : "0");
  differences.compare(
      "bytes_as_expected", text("bytes_as_expected"),
      is_good ? "effective size " + std::to_string(suites::moved_bytes(copy.what.size)) : "-");
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

/// Not those whose barriers no record can be about: they fail the launch, or count many copies.
std::optional<RowCase> copy_as_case(const CsvRow& row) {
  CopyRow copy = read_copy(row);
  BulkCase& c = copy.what;
  if (copy.copies != 1 || cell(bulk_copy_format, row, "outcome") == "LF") return std::nullopt;
  if (signals(c.op)) c.transaction_delta = static_cast<int32_t>(copy.expect_tx - suites::moved_bytes(c.size));
  if (c.op == BulkOp::multicast && c.cta_mask == 0) c.transaction_delta = 0;
  // So far out that no allocation of the probes reaches it.
  constexpr uint64_t beyond = 228 << 10;
  if (cell(bulk_copy_format, row, "outcome") == "ADR" && c.target_offset > 1 << 17) c.target_offset = beyond;
  if (const std::string wrong = what_is_wrong(c); !wrong.empty()) return std::nullopt;
  return RowCase{copy.property, c};
}

struct ReduceRow {
  bool to_shared = false;
  spec::Reduction what;
  uint64_t old = 0, operand = 0;
};

template <typename Names>
size_t position(const Names& names, std::string_view name, std::string_view what) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  throw RowError{"'" + std::string(name) + "' is not a " + std::string(what) + " of a reduction"};
}

/// By the names of PTX or of a map's types.
spec::ReduceType type_named(std::string_view name) {
  if (name == "tf32") name = "f32";
  if (name == "tf32.ftz") name = "f32.ftz";
  for (size_t i = 0; i < spec::reduce_types.size(); ++i)
    if (spec::reduce_types[i].name == name) return static_cast<spec::ReduceType>(i);
  throw RowError{"'" + std::string(name) + "' is not a type of an element of a reduction"};
}

uint64_t hex_number(std::string_view column, const CsvRow& row) {
  return parse_number<uint64_t>(column, "0x" + cell(bulk_reduce_format, row, column));
}

ReduceRow read_reduce(const CsvRow& row) {
  ReduceRow reduce;
  const std::string& destination = cell(bulk_reduce_format, row, "destination");
  if (destination != "global" && destination != "shared::cluster")
    throw RowError{"destination '" + destination + "' is neither global nor shared::cluster"};
  reduce.to_shared = destination == "shared::cluster";
  std::string_view op = cell(bulk_reduce_format, row, "op");
  if (op.ends_with(".noftz")) op.remove_suffix(6);
  reduce.what = {static_cast<spec::ReduceOp>(position(spec::reduce_op_names, op, "operation")),
                 type_named(cell(bulk_reduce_format, row, "type"))};
  const spec::BulkReduction* form = spec::find_bulk_reduction(reduce.what);
  if (form == nullptr || (reduce.to_shared && !form->to_shared))
    throw RowError{"there is no reduction " + reduction_name(reduce.what) + " of " + destination};
  reduce.old = hex_number("old", row);
  reduce.operand = hex_number("operand", row);
  return reduce;
}

void check_reduce(const CsvRow& row, RowResult& result) {
  result.kind = "bulk reduction";
  const ReduceRow reduce = read_reduce(row);
  const uint32_t bytes = spec::bytes_of(reduce.what.type);
  Differences differences;
  differences.compare("result", hex_code(hex_number("result", row), 2 * bytes),
                      hex_code(model::reduced(reduce.what, reduce.old, reduce.operand), 2 * bytes));
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

std::optional<RowCase> reduce_as_case(const CsvRow& row) {
  const ReduceRow reduce = read_reduce(row);
  BulkCase c;
  c.op = reduce.to_shared ? BulkOp::reduce_cluster : BulkOp::reduce_global;
  c.reduction = index_of(reduce.what);
  c.size = 32;
  c.source_offset = c.target_offset = 16;
  c.window_bytes = 64;
  c.is_known = true;
  c.known_old = reduce.old;
  c.known_operand = reduce.operand;
  if (reduce.to_shared)
    c.cluster_size = 2, c.target_rank = 1;
  else
    c.slot_bytes = 64;
  return RowCase{reduce.to_shared ? "bulk.reduce.shared" : "bulk.reduce.global", c};
}

}  // namespace

/// One element of a reduction of a tensor: op, type, gmem, smem and the result.
void check_reduction(const VectorRow& row, Differences& differences) {
  const spec::Reduction what{
      static_cast<spec::ReduceOp>(position(spec::reduce_op_names, row.params.text("op"), "operation")),
      type_named(row.params.text("type"))};
  const uint32_t bytes = spec::bytes_of(what.type);
  differences.compare(
      "result", hex_code(row.expected.number<uint64_t>("result"), 2 * bytes),
      hex_code(model::reduced(what, row.params.number<uint64_t>("gmem"), row.params.number<uint64_t>("smem")),
               2 * bytes));
}

const FileFormat bulk_copy_format{"bulk copies", copy_header, check_copy, copy_as_case};
const FileFormat bulk_reduce_format{"bulk reductions", reduce_header, check_reduce, reduce_as_case};

}  // namespace assay::vectors
