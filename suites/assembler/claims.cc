// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/assembler/case.h"
#include "suites/run/property.h"

/// The assembler is the third implementation in the room: which spellings of an instruction ptxas takes, and
/// which the compiler of the driver.
namespace assay::suites {
namespace {

/// Legal, illegal and open cases of each table of a property.
constexpr uint32_t cells_a_table = 3;

template <size_t length>
struct Name {
  consteval Name(const char (&text)[length]) {
    for (size_t i = 0; i < length; ++i) value[i] = text[i];
  }
  char value[length];
};

/// The tables of one property, in their order.
std::vector<uint32_t> tables_of(std::string_view part) {
  std::vector<uint32_t> found;
  const std::span<const forms::SpellingTable> all = forms::spelling_tables();
  for (uint32_t i = 0; i < all.size(); ++i)
    if (all[i].property == part) found.push_back(i);
  return found;
}

uint32_t cell_of_assembler(std::string_view part, const AssemblerCase& c, spec::Arch arch) {
  const auto legality = forms::spellings(c.table).legality(c.number, forms::target_of(arch));
  return (c.table - tables_of(part).front()) * cells_a_table + static_cast<uint32_t>(legality);
}

template <Name part>
Property assembler_property(std::string_view name, std::string_view claim, const Family& (*family)()) {
  // A compilation takes milliseconds where a copy takes microseconds, and the device waits for it.
  Property made{.name = name, .claim = claim, .family = family, .share = 0.1, .batch_cases = 64};
  made.generate = [](uint64_t seed, std::string_view, uint64_t index, spec::Arch arch, Case& c) {
    c.emplace<AssemblerCase>() = asked_at(part.value, arch, seed, index);
  };
  made.spaces = {{"family of spellings x legality",
                  static_cast<uint32_t>(tables_of(part.value).size()) * cells_a_table,
                  [](uint32_t cell, spec::Arch) {
                    constexpr std::string_view words[] = {" illegal", " legal", " open"};
                    const uint32_t table = tables_of(part.value)[cell / cells_a_table];
                    return std::string(forms::spelling_tables()[table].family->name) +
                           std::string(words[cell % cells_a_table]);
                  },
                  [](spec::Arch arch) {
                    std::vector<uint32_t> cells;
                    for (const AssemblerCase& c : asked_by(part.value, arch)) {
                      const uint32_t cell = cell_of_assembler(part.value, c, arch);
                      if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
                    }
                    std::sort(cells.begin(), cells.end());
                    return cells;
                  }}};
  made.cover = [](const Case& c, const Expected&, uint64_t, spec::Arch arch, CoverageSink& sink) {
    sink.hit(0, cell_of_assembler(part.value, c.as<AssemblerCase>(), arch));
  };
  return made;
}

template <Name part>
Registered by_ptxas(std::string_view name, std::string_view claim) {
  return Registered(assembler_property<part>(name, claim, assembler_ptxas_family));
}
template <Name part>
Registered by_driver(std::string_view name, std::string_view claim) {
  return Registered(assembler_property<part>(name, claim, assembler_driver_family));
}

const Registered ptxas[] = {
    by_ptxas<"tcgen05_mma">("assembler.ptxas.tcgen05_mma",
                            "ptxas accepts tcgen05.mma only with the documented qualifiers and operands"),
    by_ptxas<"tcgen05_mma_sp">("assembler.ptxas.tcgen05_mma_sp",
                               "ptxas accepts tcgen05.mma.sp only with the documented qualifiers"),
    by_ptxas<"tcgen05_transfer">(
        "assembler.ptxas.tcgen05_transfer",
        "ptxas accepts only the documented shapes and counts of tcgen05.ld, st and ld.red"),
    by_ptxas<"tcgen05_copy">(
        "assembler.ptxas.tcgen05_copy",
        "ptxas accepts only the 36 documented forms of tcgen05.cp, and tcgen05.shift.down"),
    by_ptxas<"tcgen05_sync">(
        "assembler.ptxas.tcgen05_sync",
        "ptxas accepts only the documented forms of tcgen05.alloc, dealloc, commit, wait and fence"),
    by_ptxas<"wgmma">("assembler.ptxas.wgmma",
                      "ptxas accepts wgmma.mma_async only with the documented types, extents and immediates"),
    by_ptxas<"mma_sync">("assembler.ptxas.mma_sync",
                         "ptxas accepts mma.sync only with the documented shapes and types"),
    by_ptxas<"wgmma_sp">("assembler.ptxas.wgmma_sp",
                         "ptxas accepts wgmma.mma_async with sparse A only with the documented types, "
                         "extents, immediates and selectors"),
    by_ptxas<"mma_sync_sp">("assembler.ptxas.mma_sync_sp",
                            "ptxas accepts mma.sp only with the documented shapes, types and selectors"),
    by_ptxas<"mma_sync_sp_kind">(
        "assembler.ptxas.mma_sync_sp_kind",
        "ptxas accepts mma.sp only with the documented kinds, scale vectors, metadata and selectors"),
    by_ptxas<"mma_sync_kind">(
        "assembler.ptxas.mma_sync_kind",
        "ptxas accepts mma.sync only with the documented kinds, scale vectors and selectors"),
    by_ptxas<"tensor_copy">(
        "assembler.ptxas.tensor_copy",
        "ptxas accepts tensor copies, reductions and prefetches only in the documented modes"),
    by_ptxas<"tensormap_replace">(
        "assembler.ptxas.tensormap_replace",
        "ptxas accepts tensormap.replace only with the documented fields and values"),
    by_ptxas<"later_forms">(
        "assembler.ptxas.later_forms",
        "ptxas accepts forms of PTX 9.2 to 9.5 only in the documented spellings and in modules "
        "that declare their version"),
    by_ptxas<"kernels">("assembler.ptxas.kernels",
                        "ptxas accepts every instruction form that the kernels use on exactly the targets "
                        "that are listed for it"),
};

const Registered driver[] = {
    by_driver<"tcgen05_mma">(
        "assembler.driver.tcgen05_mma",
        "the driver's compiler accepts tcgen05.mma only with the documented qualifiers and operands"),
    by_driver<"tcgen05_mma_sp">(
        "assembler.driver.tcgen05_mma_sp",
        "the driver's compiler accepts tcgen05.mma.sp only with the documented qualifiers"),
    by_driver<"tcgen05_transfer">(
        "assembler.driver.tcgen05_transfer",
        "the driver's compiler accepts only the documented shapes and counts of tcgen05.ld, st and ld.red"),
    by_driver<"tcgen05_copy">(
        "assembler.driver.tcgen05_copy",
        "the driver's compiler accepts only the 36 documented forms of tcgen05.cp, and tcgen05.shift.down"),
    by_driver<"tcgen05_sync">("assembler.driver.tcgen05_sync",
                              "the driver's compiler accepts only the documented forms of tcgen05.alloc, "
                              "dealloc, commit, wait and fence"),
    by_driver<"wgmma">("assembler.driver.wgmma",
                       "the driver's compiler accepts wgmma.mma_async only with the documented types, "
                       "extents and immediates"),
    by_driver<"mma_sync">("assembler.driver.mma_sync",
                          "the driver's compiler accepts mma.sync only with the documented shapes and types"),
    by_driver<"wgmma_sp">("assembler.driver.wgmma_sp",
                          "the driver's compiler accepts wgmma.mma_async with sparse A only with the "
                          "documented types, extents, immediates and selectors"),
    by_driver<"mma_sync_sp">(
        "assembler.driver.mma_sync_sp",
        "the driver's compiler accepts mma.sp only with the documented shapes, types and selectors"),
    by_driver<"mma_sync_sp_kind">("assembler.driver.mma_sync_sp_kind",
                                  "the driver's compiler accepts mma.sp only with the documented kinds, "
                                  "scale vectors, metadata and selectors"),
    by_driver<"mma_sync_kind">(
        "assembler.driver.mma_sync_kind",
        "the driver's compiler accepts mma.sync only with the documented kinds, scale vectors and selectors"),
    by_driver<"tensor_copy">("assembler.driver.tensor_copy",
                             "the driver's compiler accepts tensor copies, reductions and prefetches only in "
                             "the documented modes"),
    by_driver<"tensormap_replace">(
        "assembler.driver.tensormap_replace",
        "the driver's compiler accepts tensormap.replace only with the documented fields and values"),
    by_driver<"later_forms">("assembler.driver.later_forms",
                             "the driver's compiler accepts forms of PTX 9.2 to 9.5 only in the documented "
                             "spellings and in modules that declare their version"),
    by_driver<"kernels">("assembler.driver.kernels",
                         "the driver's compiler accepts every instruction form that the kernels use on "
                         "exactly the targets that are listed for it"),
};

}  // namespace
}  // namespace assay::suites
