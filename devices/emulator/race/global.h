// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/race/order.h"

namespace assay::emulator::race {

/// An asynchronous operation, and what tells that it is done.
struct Operation {
  Issuer issuer;
  Moment read, written;        ///< when each was known to be done; nobody's: not yet
  std::vector<Moment> landed;  ///< when mbarriers told so
  std::shared_ptr<AsyncGroup> group;
  std::shared_ptr<const Knowledge> knowledge;  ///< when it was issued
  bool is_wgmma = false;
  Order::Sent sent{};  ///< where it completes on an mbarrier
};

/// One of the two accesses of a race.
struct End {
  Issuer issuer;
  bool is_write = false, is_operation = false, is_wgmma = false;
  std::optional<uint32_t> cluster{};  ///< in the grid; nothing: the one that reports
  std::string_view instruction{};     ///< its name where that says more than load or store: "tcgen05.mma"
};

/// What is missing between the two.
enum class Lack : uint8_t {
  order,       ///< nothing orders them
  proxy,       ///< they are ordered, but not across proxies
  completion,  ///< nobody waited for the first, an asynchronous operation, or not who tells the second
  lockstep,    ///< nothing but that lanes of a warp went together; the accesses are strong, and no race
  coherence,   ///< one is ld.global.nc, whose cache need not see what this launch has written
  init,        ///< of an mbarrier, to a thread that uses it
};

struct Race {
  End first, second;
  Lack lack = Lack::order;
  uint64_t address = 0;  ///< shared::cluster, or of global memory
  bool is_global = false;
  Cause cause{};               ///< if one instruction is
  std::string_view culprit{};  ///< its name
  Order::Sent sent{};          ///< of the first, where that completes on an mbarrier
};

/// What happened and the least that would order the two, with the names of the threads.
std::string in_words(const Race& race, const std::string& second_thread, const std::string& first_thread);

/// An access of a warp, or of an asynchronous operation, to global memory: of which thread a word tells.
struct GlobalAccess {
  uint32_t cluster = 0;
  Issuer issuer;  ///< of a warp its first thread
  uint32_t time = 0;
  Component of = no_component;
  uint8_t scope = 0;            ///< of a strong access: 1 the CTA, 2 the cluster, 3 wider; 0: weak
  bool is_async_proxy = false;  ///< of an operation
  bool is_read_only = false;    ///< ld.global.nc
  std::shared_ptr<const Operation> operation{};
  bool is_of_same_cta(const GlobalAccess& other) const {
    return cluster == other.cluster && issuer.cta_rank == other.issuer.cta_rank;
  }
  bool is_of_same_warp(const GlobalAccess& other) const {
    return is_of_same_cta(other) && issuer.thread / 32 == other.issuer.thread / 32;
  }
};

/// The last accesses to the global memory that the clusters of a grid touch, by line, and by word where parts
/// of a line are touched apart: finds two that overlap, of which one is a write, by threads of different
/// warps or by an asynchronous operation, that are not related in causality order and not morally strong.
/// Where there is no room any more, what is older or more counts as ordered.
class GlobalShadow {
 public:
  static constexpr size_t most_accesses = size_t{1} << 22, most_pages = size_t{1} << 17,
                          most_words = size_t{1} << 19;  ///< lines that are kept by word
  using Report = std::function<void(const Race&)>;

  /// Who touches memory, and what it knows: of a warp its lanes' clocks. Neither: nothing of other clusters.
  struct Who {
    uint32_t access = 0;  ///< from add()
    WarpClock* clock = nullptr;
    const Knowledge* knowledge = nullptr;
    const Report& report;
  };
  /// The number by which lines know the access, for a time.
  uint32_t add(GlobalAccess access);
  const GlobalAccess& at(uint32_t number) const { return accesses_[number % most_accesses]; }
  /// Bytes in a row, of which each lane from `first_lane` on has `per_lane`; 0: all are of that lane.
  /// `values`: what is written there, or null where that is not known.
  void touch(uint64_t address, uint32_t bytes, bool is_write, int first_lane, uint32_t per_lane,
             const std::byte* values, const Who& who);
  /// A load of one lane.
  void load(uint64_t address, uint32_t bytes, int lane, const Who& who);
  /// What a cluster did that nothing orders with those before it. It reports what races between them.
  void merge(const GlobalShadow& cluster, const Report& report);
  /// The memory changes hands.
  void forget(uint64_t address, uint64_t bytes);

 private:
  static constexpr uint32_t line_bytes = 128, word_bytes = 4, words = line_bytes / word_bytes,
                            page_bytes = 4096, lines = page_bytes / line_bytes;
  struct Cell {
    uint32_t access = 0;  ///< 0: none
    uint8_t lane = 0;     ///< of the first byte,
    uint8_t per_lane = 0;
    uint8_t bytes = 0;  ///< of the word, a bit each
    bool has_value = false;
  };
  /// The last weak and the last strong write, and the last reads of two that are told apart.
  struct Spot {
    Cell write, strong;
    std::array<Cell, 2> reads;
    bool is_empty() const { return (write.access | strong.access | reads[0].access | reads[1].access) == 0; }
  };
  struct Line {
    Spot whole;  ///< while all words have the same history
    std::unique_ptr<std::array<Spot, words>> by_word;
  };
  struct Page {
    std::array<Line, lines> line;
    std::unique_ptr<std::array<std::byte, page_bytes>> values;  ///< what plain stores wrote
  };
  /// Bytes of a line or a word that are touched, and what is there.
  struct Piece {
    uint64_t address;
    uint32_t bytes;
    const std::byte *fresh, *old;  ///< null: not known
  };
  /// Null: there is no room for it.
  Page* page(uint64_t address) { return address / page_bytes == last_page_ ? last_ : find_page(address); }
  Page* find_page(uint64_t address);
  bool split(Line& line);
  /// The history of a word of a line.
  static Spot part(const Line& line, uint32_t index);
  bool is_forgotten(uint32_t number) const {
    return number == 0 || (newest_ >= most_accesses && number + most_accesses <= newest_);
  }
  void touch_spot(Spot& spot, Cell cell, bool is_write, const Piece& piece, const Who& who);
  void remember_read(Spot& spot, const Cell& cell);
  void check(const Cell& first, bool first_writes, const Cell& second, bool second_writes, const Piece& piece,
             const Who& who);
  std::optional<Lack> lack(const GlobalAccess& first, bool first_writes, const GlobalAccess& second,
                           const Knowledge& knowledge) const;

  std::vector<GlobalAccess> accesses_{GlobalAccess{}};
  uint32_t newest_ = 0;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t last_page_ = ~0ull;
  Page* last_ = nullptr;
  size_t split_ = 0;
};

/// Writes over 64 bytes of global memory where a tensor map may lie, with a time that acquires of maps share.
struct MapWrites {
  struct Write {
    uint64_t time;
    uint32_t cluster;
    Issuer issuer;
  };
  uint64_t now = 0;
  std::unordered_map<uint64_t, Write> writes;  ///< by address / 64
  /// Of the CTA of a cluster the last fence that releases maps, by its scope.
  std::map<std::pair<uint32_t, uint32_t>, std::array<uint64_t, 3>> releases;
};

/// What the clusters of a launch share.
struct Grid {
  GridFlags flags;
  GlobalShadow memory;
  MapWrites maps;
};

}  // namespace assay::emulator::race
