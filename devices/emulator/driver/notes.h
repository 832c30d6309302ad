// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/fault.h"
#include "devices/emulator/gpu.h"

namespace assay::emulator {

struct Clause;

/// Lines of JSON that a host takes away; the oldest go when there are too many.
class Lines {
 public:
  explicit Lines(size_t limit) : limit_(limit) {}
  void add(std::string line);
  /// As assay_emulator_take_notes (driver/extra.h).
  int take(char* buffer, size_t size);

 private:
  size_t limit_;
  std::deque<std::string> lines_;
};

std::string json_line(const Diagnostic&, const SourcePlace& place = {});
/// The text with what the compiler left of the source behind each "PTX line N": " (gemm.cu:80)".
std::string with_sources(const std::string& text, const Module& module);
/// `other`: of a race the place of the first access.
std::string json_line(const Breach&, const SourcePlace& place = {}, const SourcePlace& other = {});
/// {"kind":"timeline","kernel":K,"launch":N,"seen":S,"events":[[kind,time,cta,address,warp,amount],...]}
std::string json_line(std::string_view kernel, uint64_t launch, uint64_t seen,
                      const std::vector<BarrierEvent>& events);
std::string json_line(const Exploration&);
/// {"kind":"synchronises","kernel":K,"line":12,...}
std::string synchronisation_line(std::string_view kernel, uint32_t line, const SourcePlace& place);
/// A note about an API call: {"kind":"driver","kernel":CALL,...}.
std::string json_line(std::string_view call, std::string_view message, std::string_view kind = "driver");
/// A row as assay_emulator_describe_faults tells it (driver/extra.h).
std::string json_line(const Fault&);
/// A row of the clause table, as assay_emulator_describe_clauses tells it.
std::string json_line(const Clause&);

std::string_view kind_name(Diagnostic::Kind);

/// The file that ASSAY_EMULATOR_REPORT names (driver/extra.h). Lines are appended whole as they come, so that
/// several processes may share it and none is lost when one of them is killed.
class ReportFile {
 public:
  ReportFile();
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  bool is_wanted() const { return descriptor_ >= 0; }
  void add(std::string_view line);

 private:
  int descriptor_ = -1;
};

}  // namespace assay::emulator
