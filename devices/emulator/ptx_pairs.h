// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads testdata/ptx/*.pairs: small kernels, each with one defect and mended. A pair is
//
//   pair: NAME [grid=X] [block=X] [cluster=X] [bounded] [host] [launches=N] [streams=N] [target=sm_90a]
//         [finds=CLAUSE[,CLAUSE]] [under=ORDER[,ORDER]]
//   # what it is about
//   # says: what is said of it, under one of the orders at least
//   - a line that only the defective kernel has
//   + a line that only the mended kernel has
//     a line of both, with two blanks before it
//
// Without `finds` there is only the mended kernel: what is right and looks like a defect. The defect is
// named at the line that ends in //@, under every order or those given. A launch that fails finds its kind.
// Both begin with pair_prologue. A pair with the name of a clause finds nothing else. `bounded`: the kernel
// has .maxntid; `launches`: they may begin early; `streams`: each is in one of its own; `host`: which reads
// the first byte of `out` when the launch comes back.
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "devices/emulator/ptx_text_file.h"

namespace assay::emulator::text {

/// Of the parameters `out` and `place` are buffers of 4 KiB, zero; `map` is a tensor map of `out`, 1,024
/// words in a row of which a box has 32; the last 128 bytes of `place` are a copy of it. %p1: thread 0; %p2:
/// CTA 0; %p3, %p4: thread 0 of CTA 0 and of CTA 1; %p5: thread 32. `y` has a zero word of each thread, which
/// the async proxy may read. Registers from %r10, %rd4 and %p6 on are free.
inline constexpr std::string_view pair_prologue = R"(.address_size 64
.visible .entry pair(.param .u64 out, .param .u64 place, .param .align 64 .b8 map[128])
{
	.shared .align 1024 .b8 x[4096];
	.shared .align 1024 .b8 y[4096];
	.shared .align 8 .b64 bar;
	.shared .align 8 .b64 other;
	.shared .align 4 .b32 flag;
	.shared .align 4 .b32 word;
	.reg .pred %p<24>;
	.reg .b32 %r<64>;
	.reg .b64 %rd<24>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [place];
	mov.b64 %rd3, map;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	setp.eq.u32 %p1, %r1, 0;
	setp.eq.u32 %p2, %r2, 0;
	setp.eq.and.u32 %p3, %r1, 0, %p2;
	setp.eq.u32 %p4, %r2, 1;
	setp.eq.and.u32 %p4, %r1, 0, %p4;
	setp.eq.u32 %p5, %r1, 32;
	@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
	@%p1 mbarrier.init.shared::cta.b64 [other], 1;
	@%p1 st.shared.u32 [flag], 0;
	@%p1 fence.mbarrier_init.release.cluster;
	mov.u32 %r3, y;
	mad.lo.u32 %r3, %r1, 4, %r3;
	st.shared.u32 [%r3], 0;
	fence.proxy.async.shared::cta;
	bar.sync 0;
)";

struct Pair {
  TextRun run;
  std::vector<std::string> finds;
  std::string says;
  std::array<std::string, 2> text;  ///< with the defect, mended
  std::string about, body;          ///< its comment, and what follows it, as they stand there
  uint32_t line = 0;                ///< of the defect
  int launches = 1;
  uint64_t streams = 0;  ///< for as many launches one each
  bool host_reads = false;
};

inline void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.run.kernel;
}

inline std::vector<Pair> read_pairs(const std::string& path) {
  std::vector<Pair> pairs;
  std::ifstream in(path);
  const auto add = [&](size_t which, const std::string& line) {
    std::string& text = pairs.back().text[which];
    text += line + "\n";
    if (which == 0 && line.ends_with("//@"))
      pairs.back().line = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  };
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("pair: ", 0) == 0) {
      Pair& pair = pairs.emplace_back();
      std::istringstream words(line.substr(6));
      words >> pair.run.kernel;
      pair.run.target = "sm_90a";
      pair.run.strict = true;
      pair.run.schedules = {"eager", "lazy", "random:1", "random:2", "random:3", "explore"};
      bool is_bounded = false;
      for (std::string word; words >> word;) {
        const std::string key = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
        if (key == "finds" || key == "under") {
          std::vector<std::string>& into = key == "finds" ? pair.finds : pair.run.schedules;
          into.clear();
          std::istringstream list(value);
          for (std::string one; std::getline(list, one, ',');) into.push_back(one);
        } else if (key == "target") {
          pair.run.target = value;
        } else if (key == "launches") {
          pair.launches = std::stoi(value);
        } else if (word == "host") {
          pair.host_reads = true;
        } else if (word == "bounded") {
          is_bounded = true;
        } else if (key == "streams") {
          pair.streams = std::stoull(value);
        } else {
          auto& sizes = key == "grid" ? pair.run.grid : key == "block" ? pair.run.block : pair.run.cluster;
          if (key != "grid" && key != "block" && key != "cluster") throw std::runtime_error("pair: " + word);
          sizes = {static_cast<uint32_t>(std::stoul(value)), 1, 1};
        }
      }
      for (std::string& text : pair.text) {
        text = ".version 8.8\n.target " + pair.run.target + "\n" + std::string(pair_prologue);
        if (is_bounded)
          text.insert(text.find(")\n{") + 1, " .maxntid " + std::to_string(pair.run.block[0]) + ", 1, 1");
      }
    } else if (line.starts_with("# says: ")) {
      pairs.back().says = line.substr(8);
    } else if (line.starts_with("# ") && !pairs.empty()) {
      pairs.back().about += line.substr(2) + "\n";
    } else if (!line.empty() && line[0] != '#') {
      pairs.back().body += line + "\n";
      const std::string rest = line.size() < 2 ? "" : line.substr(2);
      if (line[0] != '+') add(0, rest);
      if (line[0] != '-') add(1, rest);
    }
  }
  for (Pair& pair : pairs)
    for (std::string& text : pair.text) text += "\tret;\n}\n";
  return pairs;
}

}  // namespace assay::emulator::text
