// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "suites/mma/pattern_words.h"
#include "suites/warp_mma/coverage.h"

/// Probes whose answer tells ways to add apart. A cell is a probe with one of its answers, so the report
/// shows which ways the device's answers leave.
namespace assay::suites {
namespace {

constexpr uint32_t most_answers = 8;

struct ProbeAnswer {
  uint32_t d;
  std::string ways;  ///< to add that give it
};

/// The different answers that a probe lists, each with the ways that give it.
std::vector<ProbeAnswer> answers_of(const gen::WarpMmaProbe& probe) {
  std::vector<ProbeAnswer> answers;
  std::string_view rest = probe.candidates;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('|'));
    rest = pair.size() == rest.size() ? std::string_view{} : rest.substr(pair.size() + 1);
    const size_t equals = pair.rfind('=');
    uint32_t d = 0;
    std::from_chars(pair.data() + equals + 1, pair.data() + pair.size(), d, 16);
    const std::string way(pair.substr(0, equals));
    auto at = std::find_if(answers.begin(), answers.end(), [d](const ProbeAnswer& a) { return a.d == d; });
    if (at == answers.end())
      answers.push_back({d, way});
    else
      at->ways += ", " + way;
  }
  return answers;
}

std::string name_probe(std::span<const gen::WarpMmaProbe> probes, uint32_t cell) {
  const gen::WarpMmaProbe& probe = probes[cell / most_answers];
  const std::vector<ProbeAnswer> answers = answers_of(probe);
  const uint32_t which = cell % most_answers;
  char digits[16];
  if (which >= answers.size()) return std::string(probe.id) + ": an answer that is not in the list";
  std::snprintf(digits, sizeof digits, "%08x", answers[which].d);
  return std::string(probe.id) + " " + std::string(probe.property) + ": " + digits + " (" +
         answers[which].ways + ")";
}

/// Position of the answer that the bytes of D hold.
uint32_t answered(const gen::WarpMmaProbe& probe, const std::byte* bytes) {
  uint32_t d = 0;
  std::memcpy(&d, bytes, sizeof d);
  if (probe.types.d == MmaAccumulator::f16) d &= 0xffff;
  const std::vector<ProbeAnswer> answers = answers_of(probe);
  uint32_t which = 0;
  while (which < answers.size() && answers[which].d != d) ++which;
  return std::min(which, most_answers - 1);
}

/// A property of the probes of one instruction. Its reachable cells are the answers that the rules give.
template <typename ProbeCase, std::span<const gen::WarpMmaProbe> (*probes)(),
          void (*make)(const gen::CaseId&, ProbeCase&)>
Property probe_property(std::string_view name, std::string_view claim, const Family& (*family)()) {
  Property made{.name = name, .claim = claim, .family = family, .share = 0.1};
  made.generate = generate_case<make>;
  made.spaces = {{"probe: answer (ways to add that give it)",
                  static_cast<uint32_t>(probes().size()) * most_answers,
                  [](uint32_t cell, spec::Arch) { return name_probe(probes(), cell); },
                  [](spec::Arch arch) {
                    std::vector<uint32_t> cells;
                    for (uint32_t i = 0; i < probes().size(); ++i) {
                      ProbeCase c;
                      make({1, "", i, arch}, c);
                      std::vector<std::byte> output(output_bytes(c));
                      model::predict(c, spec::Readings(arch), pattern_words, words_of(output));
                      cells.push_back(i * most_answers + answered(probes()[i], output.data()));
                    }
                    return cells;
                  }}};
  made.cover = [](const Case&, const Expected& expected, uint64_t index, spec::Arch, CoverageSink& sink) {
    const auto probe = static_cast<uint32_t>(index % probes().size());
    sink.hit(0, probe * most_answers + answered(probes()[probe], expected.bytes.data()));
  };
  made.most_on_silicon = 2000, made.most_on_emulator = 400;
  return made;
}

const Registered wgmma(probe_property<WgmmaCase, gen::wgmma_probes, gen::make_wgmma_probe>(
    "wgmma.probes",
    "single dot products of wgmma whose results tell ways of adding apart match the adder's rules",
    wgmma_family));

const Registered mma_sync([] {
  Property made = probe_property<MmaSyncCase, gen::mma_sync_probes, gen::make_mma_sync_probe>(
      "mma_sync.probes",
      "single dot products of mma.sync whose results tell ways of adding apart match the adder's rules",
      mma_sync_family);
  made.declines = [](spec::Arch arch) -> std::optional<std::string> {
    if (!spec::row_of(arch).has_mma_kinds) return std::nullopt;
    return "the probes of 8-bit floats expect sums like those of f16, which sm_120 does not use";
  };
  return made;
}());

}  // namespace
}  // namespace assay::suites
