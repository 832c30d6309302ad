// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <nlohmann/json.hpp>

#include "kernels/params/assembler.h"
#include "reference/spec/rules.h"
#include "suites/assembler/case.h"
#include "suites/assembler/family.h"
#include "suites/failure/shrink_case.h"

namespace assay::suites {
namespace {

using forms::Legality;
using params::AssemblerRecord;

constexpr uint32_t answer_bytes = params::assembler_answer_bytes;

class Assembler final : public Family {
 public:
  Assembler(std::string_view name, uint64_t pace) : name_(name), pace_(pace) {}

  std::string_view name() const override { return name_; }
  bool asks_compiler() const override { return true; }
  size_t record_bytes() const override { return sizeof(AssemblerRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case&) const override { return answer_bytes; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& readings,
                    std::byte* record) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    const AssemblerRecord r{.table = c.table,
                            .number = c.number,
                            .target = target_of(readings.arch()),
                            .reserved = 0,
                            .output_offset = output_offset,
                            .output_bytes = answer_bytes,
                            .reserved1 = 0};
    std::memcpy(record, &r, sizeof r);
  }

  /// An assembler is asked by the process that owns the device: nothing is launched.
  std::optional<Launch> launch(std::span<const std::byte>) const override { return std::nullopt; }
  uint64_t pace() const override { return pace_; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const Legality legality = legality_of(any, readings.arch());
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, answer_bytes);
    const std::span<std::byte> mask = scratch.take(scratch.mask, answer_bytes);
    std::memset(bytes.data(), 0, bytes.size());
    std::memset(mask.data(), 0, mask.size());
    bytes[0] = std::byte{legality == Legality::legal};
    // Of an open spelling nothing is demanded.
    if (legality != Legality::open) std::memset(mask.data(), 0xff, mask.size());
    e = {};
    e.rules.set(legality == Legality::legal     ? spec::rule("ASM-R01")
                : legality == Legality::illegal ? spec::rule("ASM-R02")
                                                : spec::rule("ASM-R03"));
    e.judges_bytes = true;
    e.bytes = bytes;
    e.mask = mask;
  }

  /// What no document settles is told, whatever it is.
  std::string_view remark(const Case&, const spec::Readings&, const Expected& e, const RecordEnd& end,
                          std::span<const std::byte> output) const override {
    if (end.ended != Ended::done || e.mask.empty() || e.mask[0] != std::byte{0}) return {};
    return output[0] != std::byte{0} ? "takes spellings that the documents do not have or do not settle"
                                     : "refuses spellings that the documents do not have or do not settle";
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    const forms::Spellings& all = forms::spellings(c.table);
    std::vector<std::pair<std::string, std::string>> list{{"spelling", all.instruction(c.number)},
                                                          {"of", std::string(all.table().citation)}};
    const std::vector<std::string> choices = all.choices(c.number);
    for (size_t axis = 0; axis < choices.size(); ++axis)
      list.emplace_back(std::string(all.table().family->axes[axis].name),
                        choices[axis].empty() ? "(nothing)" : choices[axis]);
    return list;
  }
  std::string brief(const Case& any) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    return " " + forms::spellings(c.table).instruction(c.number);
  }
  OutputShape output_shape(const Case&) const override { return {4, 4}; }

  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t>, uint64_t) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    const forms::Spellings& all = forms::spellings(c.table);
    return {expected.bytes[0] != 0 ? "a legal spelling is refused" : "an illegal spelling is taken",
            {all.instruction(c.number), "by " + std::string(all.table().citation)}};
  }

  nlohmann::json to_json(const Case& any) const override { return suites::to_json(any.as<AssemblerCase>()); }
  nlohmann::json schema() const override { return assembler_case_schema(); }
  Case from_json(const nlohmann::json& json) const override { return assembler_case_from_json(json); }
  /// Each spelling is as small as any.
  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)>) const override {
    return rc::shrinkable::just(Case(any));
  }

 private:
  static Legality legality_of(const Case& any, spec::Arch arch) {
    const AssemblerCase& c = any.as<AssemblerCase>();
    return forms::spellings(c.table).legality(c.number, target_of(arch));
  }

  std::string_view name_;
  uint64_t pace_;
};

}  // namespace

const Family& assembler_ptxas_family() {
  static const Assembler family("assembler_ptxas", 512);
  return family;
}
const Family& assembler_driver_family() {
  static const Assembler family("assembler_driver", 256);
  return family;
}

}  // namespace assay::suites
