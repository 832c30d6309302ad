// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "kernels/forms/async_bytes.h"
#include "kernels/forms/families.h"
#include "kernels/forms/records.h"

/// mbarrier instructions (PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier), and
/// those of kernels/forms/async_bytes.h, each in all spellings that mean the same to a program of one warp at
/// a time.
namespace assay::forms {
namespace {

using params::BarrierCommand;
using enum params::BarrierCommand;

/// What may stand behind the name of an instruction.
enum class Orders : uint8_t { none, counts, arrives, arrives_remotely, releases, waits };

struct Row {
  std::string_view name;
  BarrierCommand command;
  bool is_remote;
  Orders orders;
  std::string_view before, after;     ///< of the address in brackets
  std::string_view short_after = {};  ///< of an instruction that may leave its last operand out
  std::string_view behind = {};       ///< instructions that follow
};
constexpr std::string_view says_whether = " selp.b64 $answer, 1, 0, p0;";
constexpr Row rows[] = {
    {"init", init, false, Orders::none, "", ", $amount"},
    {"inval", invalidate, false, Orders::none, "", ""},
    {"inval", read_word, false, Orders::none, "", "", {}, " ld<space>.b64 $answer, [<address>];"},
    {"expect_tx", expect_tx, false, Orders::counts, "", ", $amount"},
    {"complete_tx", complete_tx, false, Orders::counts, "", ", $amount"},
    {"arrive", arrive, false, Orders::arrives, "$answer, ", ", $amount", ""},
    {"arrive_drop", arrive_drop, false, Orders::arrives, "$answer, ", ", $amount", ""},
    {"arrive.expect_tx", arrive_expect_tx, false, Orders::arrives, "$answer, ", ", $amount"},
    {"arrive_drop.expect_tx", arrive_drop_expect_tx, false, Orders::arrives, "$answer, ", ", $amount"},
    {"arrive.noComplete", arrive_no_complete, false, Orders::releases, "$answer, ", ", $amount"},
    {"arrive_drop.noComplete", arrive_drop_no_complete, false, Orders::releases, "$answer, ", ", $amount"},
    {"test_wait.parity", test_parity, false, Orders::waits, "p0, ", ", $parity", {}, says_whether},
    {"test_wait", test_state, false, Orders::waits, "p0, ", ", $kept", {}, says_whether},
    {"try_wait.parity", try_parity, false, Orders::waits, "p0, ", ", $parity, $limit", ", $parity",
     says_whether},
    {"try_wait", try_state, false, Orders::waits, "p0, ", ", $kept, $limit", ", $kept", says_whether},
    {"arrive", copies_arrive, false, Orders::none, "", ""},
    {"arrive.noinc", copies_arrive_noinc, false, Orders::none, "", ""},
    {"expect_tx", expect_tx, true, Orders::counts, "", ", $amount"},
    {"complete_tx", complete_tx, true, Orders::counts, "", ", $amount"},
    {"arrive", arrive, true, Orders::arrives_remotely, "_, ", ", $amount", ""},
    {"arrive_drop", arrive_drop, true, Orders::arrives_remotely, "_, ", ", $amount", ""},
    {"arrive.expect_tx", arrive_expect_tx, true, Orders::arrives_remotely, "_, ", ", $amount"},
    {"arrive_drop.expect_tx", arrive_drop_expect_tx, true, Orders::arrives_remotely, "_, ", ", $amount"},
    {"pending_count", pending_count, false, Orders::none, "", ""},
};
constexpr uint32_t plain_rows = std::size(rows);
/// By the number of the row, those of async_rows behind the others.
constexpr auto instructions = [] {
  std::array<Choice, plain_rows + std::size(async_rows)> made{};
  for (uint32_t i = 0; i < made.size(); ++i)
    made[i] = {i < plain_rows ? rows[i].name : async_rows[i - plain_rows].form, i};
  return made;
}();

enum class Order : uint32_t {
  none,
  release_cta,
  release_cluster,
  relaxed_cta,
  relaxed_cluster,
  acquire_cta,
  acquire_cluster
};
constexpr Choice orders[] = {{"", 0},
                             {".release.cta", 1},
                             {".release.cluster", 2},
                             {".relaxed.cta", 3},
                             {".relaxed.cluster", 4},
                             {".acquire.cta", 5},
                             {".acquire.cluster", 6}};
/// How the address is written: with a state space, the old word for it, as a generic one, and with offsets.
enum class Address : uint32_t { plain, shared, below, above, generic, generic_below };
constexpr Choice addresses[] = {{"$bar", 0},    {"$bar", 1}, {"r0+-24", 2},
                                {"r0+4096", 3}, {"w0", 4},   {"w0+-8", 5}};
/// Under a predicate beside another that is not executed; without the last operand; with a number for a
/// count, bytes or a parity.
enum class Variant : uint32_t { plain, predicated, short_one, written_0, written_1, written_4096 };
constexpr Choice variants[] = {{"", 0}, {"@p1 ", 1}, {"", 2}, {"", 3}, {"", 4}, {"", 5}};
/// By the variant, from written_0 on.
struct Number {
  std::string_view text;
  uint32_t value;
};
constexpr Number written[] = {{"0", 0}, {"1", 1}, {"4096", 4096}};
constexpr uint32_t first_written = static_cast<uint32_t>(Variant::written_0);
constexpr Axis axes[] = {
    {"instruction", instructions}, {"order", orders}, {"address", addresses}, {"variant", variants}};

const Row& row_of(Picks picks) {
  return rows[picks[0]->value];
}
/// Null: of the other rows.
const AsyncRow* async_row_of(Picks picks) {
  const uint32_t row = picks[0]->value;
  return row < plain_rows ? nullptr : &async_rows[row - plain_rows];
}
Address address_of(Picks picks) {
  return static_cast<Address>(picks[2]->value);
}
bool is_generic(Picks picks) {
  return address_of(picks) >= Address::generic;
}

bool has_order(Orders orders, Order order) {
  using enum Order;
  switch (orders) {
    case Orders::none:
      return order == none;
    case Orders::counts:
      return order == none || order == relaxed_cta || order == relaxed_cluster;
    case Orders::arrives:
      return order < acquire_cta;
    case Orders::arrives_remotely:
      return order == none || order == release_cluster || order == relaxed_cluster;
    case Orders::releases:
      return order == none || order == release_cta;
    case Orders::waits:
      return order == none || order >= relaxed_cta;
  }
  return false;
}

/// Null where the variant writes none.
const Number* number_of(Picks picks) {
  const uint32_t variant = picks[3]->value;
  return variant < first_written ? nullptr : &written[variant - first_written];
}
/// The operand that a number may stand for.
std::string_view counted_operand(const Row& row) {
  for (const std::string_view operand : {"$amount", "$parity"})
    if (row.after.find(operand) != row.after.npos) return operand;
  return {};
}
/// An arrival that promises not to complete the phase answers a state that was measured with registers alone.
bool may_be_written(const Row& row, Order order, const Number& number) {
  const std::string_view operand = counted_operand(row);
  if (operand.empty() || order != Order::none || row.orders == Orders::releases) return false;
  const bool is_bytes = row.after == ", $amount" && row.name.find("_tx") != row.name.npos;
  return operand == "$parity" ? number.value < 2 : is_bytes || number.value != 0;
}

/// Without a state space all addresses are generic, which a bulk copy cannot have.
bool async_exists(const AsyncRow& row, Address address, Variant variant) {
  if (address == Address::shared || (is_bulk_copy(row) && address >= Address::generic)) return false;
  if (variant == Variant::short_one) return is_store(row);
  return variant == Variant::plain || (variant == Variant::predicated && address == Address::plain);
}

bool exists(Picks picks) {
  const auto variant = static_cast<Variant>(picks[3]->value);
  const auto address = address_of(picks);
  if (const AsyncRow* async = async_row_of(picks); async != nullptr)
    return picks[1]->value == 0 && async_exists(*async, address, variant);
  const Row& row = row_of(picks);
  if (row.command == pending_count) return picks[1]->value + picks[2]->value + picks[3]->value == 0;
  // The old word is one of the CTA's own memory; the load behind read_word has it already.
  if (!has_order(row.orders, static_cast<Order>(picks[1]->value)) ||
      (address == Address::shared && (row.is_remote || row.command == read_word)))
    return false;
  if (variant == Variant::plain) return true;
  if (const Number* number = number_of(picks); number != nullptr)
    return address == Address::plain && may_be_written(row, static_cast<Order>(picks[1]->value), *number);
  if (address != Address::plain && address != Address::generic) return false;
  return variant == Variant::predicated || row.short_after.data() != nullptr;
}

/// What is in front of the instruction: its address, and what is not executed.
std::string prepared(Picks picks) {
  std::string text;
  if (is_generic(picks)) text = "cvt.u64.u32 w0, $bar; cvta.shared::cluster.u64 w0, w0; ";
  if (address_of(picks) == Address::generic_below) text += "add.s64 w0, w0, 8; ";
  if (address_of(picks) == Address::below) text = "add.s32 r0, $bar, 24; ";
  if (address_of(picks) == Address::above) text = "sub.s32 r0, $bar, 4096; ";
  if (const AsyncRow* async = async_row_of(picks); async != nullptr && !is_bulk_copy(*async)) {
    if (is_generic(picks)) text += "cvt.u64.u32 w1, $parity; cvta.shared::cluster.u64 w1, w1; ";
    text += "mov.b64 {r1, r2}, $kept; mov.b64 w2, {r2, r1}; ";
  }
  if (static_cast<Variant>(picks[3]->value) == Variant::predicated)
    text += "setp.ne.u32 p1, $bar, 0; @!p1 <plain>; ";
  return text;
}

std::string slot(std::string_view name, Picks picks) {
  const bool is_short = static_cast<Variant>(picks[3]->value) == Variant::short_one;
  if (name == "prepare") return prepared(picks);
  if (const AsyncRow* async = async_row_of(picks); async != nullptr)
    return name == "plain" ? async_text(*async, is_generic(picks), is_short) : "<prepare><variant><plain>;";
  const Row& row = row_of(picks);
  if (name == "space")
    return is_generic(picks)                                                  ? ""
           : row.is_remote                                                    ? ".shared::cluster"
           : address_of(picks) == Address::shared || row.command == read_word ? ".shared"
                                                                              : ".shared::cta";
  if (name == "plain") {
    std::string after(is_short ? row.short_after : row.after);
    if (const Number* number = number_of(picks); number != nullptr) {
      const std::string_view operand = counted_operand(row);
      after.replace(after.find(operand), operand.size(), number->text);
    }
    const bool is_of_copies = row.command == copies_arrive || row.command == copies_arrive_noinc;
    return std::string(is_of_copies ? "cp.async.mbarrier." : "mbarrier.") +
           "<instruction><order><space>.b64 " + std::string(row.before) + "[<address>]" + after;
  }
  if (row.command == pending_count) return "mbarrier.pending_count.b64 r0, $kept; cvt.u64.u32 $answer, r0;";
  return "<prepare><variant><plain>;" + std::string(row.behind);
}

/// Opcodes by the command, whether it is of another CTA's barrier, whether its address is generic, and which
/// of the numbers that may be written its count, bytes or parity is; the last: none of them.
/// PTX ISA, mbarrier.arrive, test_wait: .relaxed of what arrives and waits.
uint8_t combined_ptx(Picks picks) {
  if (const AsyncRow* async = async_row_of(picks); async != nullptr)
    return is_bulk_copy(*async) ? spec::first_ptx : 81;
  const auto order = static_cast<Order>(picks[1]->value);
  const bool is_relaxed = order == Order::relaxed_cta || order == Order::relaxed_cluster;
  return is_relaxed && row_of(picks).orders != Orders::counts ? 86 : spec::first_ptx;
}

using Spellings =
    std::array<std::array<std::array<std::array<std::vector<uint32_t>, std::size(written) + 1>, 2>, 2>,
               params::barrier_commands>;
Spellings all_spellings() {
  const Forms& all = forms("mbarrier");
  Spellings made;
  for (uint32_t opcode = 0; opcode < all.size(); ++opcode) {
    const std::vector<const Choice*> picks = all.picks(opcode);
    if (async_row_of(picks) != nullptr) continue;
    const Row& row = row_of(picks);
    auto& of_command = made[static_cast<size_t>(row.command)][row.is_remote][is_generic(picks)];
    // An arrival without a count counts one.
    const bool counts_one =
        static_cast<Variant>(picks[3]->value) == Variant::short_one && row.orders != Orders::waits;
    for (uint32_t which = 0; which < of_command.size(); ++which) {
      const Number* const number = which < std::size(written) ? &written[which] : nullptr;
      const bool is_written = number_of(picks) != nullptr;
      const bool fits =
          is_written ? number_of(picks) == number : !counts_one || (number != nullptr && number->value == 1);
      // One form writes the number out, beside many that do not: it is drawn as often as five of these.
      if (fits) of_command[which].insert(of_command[which].end(), is_written ? 5 : 1, opcode);
    }
  }
  return made;
}

/// Opcodes by AsyncKind and whether addresses are generic.
using AsyncSpellings = std::array<std::array<std::vector<uint32_t>, 2>, async_kinds>;
AsyncSpellings all_async_spellings() {
  const Forms& all = forms("mbarrier");
  AsyncSpellings made;
  for (uint32_t opcode = 0; opcode < all.size(); ++opcode) {
    const std::vector<const Choice*> picks = all.picks(opcode);
    if (const AsyncRow* row = async_row_of(picks); row != nullptr)
      made[static_cast<size_t>(row->kind)][is_generic(picks)].push_back(opcode);
  }
  return made;
}
uint32_t one_of(const std::vector<uint32_t>& same, uint32_t spelling) {
  return same.empty() ? Forms::none : same[spelling % same.size()];
}

}  // namespace

/// `answer` stays as it was where the instruction answers nothing.
constexpr Family mbarrier{.name = "mbarrier",
                          .operands = "answer:l bar amount parity limit kept:l",
                          .before = ".reg .b64 w0, w1, w2; .reg .b32 r0, r1, r2; .reg .pred p0, p1;",
                          .text = "<text>",
                          .axes = axes,
                          .exists = exists,
                          .slot = slot,
                          .combined_ptx = combined_ptx};

uint32_t opcode_of(const params::SequenceCommand& c, bool generic, uint32_t spelling) {
  static const Spellings all = all_spellings();
  if (c.op >= params::barrier_commands) return Forms::none;
  if (static_cast<BarrierCommand>(c.op) == bytes_arrive) {
    static const AsyncSpellings of_kinds = all_async_spellings();
    const uint32_t kind = params::async_kind(c.amount);
    return kind < async_kinds ? one_of(of_kinds[kind][generic], spelling) : Forms::none;
  }
  // Many phases are passed by plain arrivals.
  const bool passes = static_cast<params::BarrierCommand>(c.op) == pass_phases;
  const auto op = passes ? static_cast<size_t>(arrive) : c.op;
  const auto command = static_cast<params::BarrierCommand>(c.op);
  const uint32_t amount = passes                                            ? params::phase_arrivals(c.amount)
                          : command == test_parity || command == try_parity ? c.amount & 1
                                                                            : c.amount;
  const auto which = static_cast<size_t>(std::find_if(std::begin(written), std::end(written),
                                                      [&](const Number& n) { return n.value == amount; }) -
                                         std::begin(written));
  return one_of(all[op][c.column != 0][generic][which], spelling);
}

}  // namespace assay::forms
