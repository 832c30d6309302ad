// SPDX-License-Identifier: Apache-2.0
// An operation that no file outside of this folder knows: its case, its Family and a property here, its
// record, its kernel and its device side beside it.
#include "testdata/toy_operation/toy_operation.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "suites/run/family_of.h"
#include "suites/run/field_coverage.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/words.h"
#include "testdata/toy_operation/toy_launch.h"

namespace assay {

using params::ToyRecord;

struct ToyCase {
  uint32_t arrivals = 2;
  uint32_t mark = 7;
  bool operator==(const ToyCase&) const = default;
};

// Beside the type, where the templates of case_fields.h find it.
template <typename Toy, typename Visit>
requires std::same_as<std::remove_const_t<Toy>, ToyCase>
void visit_fields(Toy& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, arrivals, .least = 2, .most = params::toy_most_arrivals, .told = always,
              .covered = "record");
  ASSAY_FIELD(visit, c, mark, .covered = "record");
}

namespace model {

ASSAY_CASE_JSON(ToyCase);

}  // namespace model

}  // namespace assay

namespace assay::suites {

bool toy_predicts_wrongly = false;

namespace {

std::vector<ToyCase> simpler(const ToyCase& c) {
  std::vector<ToyCase> list;
  const ToyCase least;
  for (uint32_t step = c.arrivals - least.arrivals; step != 0; step /= 2)
    list.push_back({c.arrivals - step, c.mark});
  if (c.mark != least.mark) list.push_back({c.arrivals, least.mark});
  return list;
}

bool read_record(const Case& any, FieldValues& values) {
  size_t at = 0;
  read_members(any.as<ToyCase>(), "record", values, at);
  return true;
}

class Toy final : public FamilyOf<ToyCase, ToyRecord, simpler> {
 public:
  std::string_view name() const override { return "toy"; }
  uint32_t output_bytes(const Case&) const override { return params::toy_output_bytes; }
  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    ToyRecord r{.output_offset = output_offset, .output_bytes = params::toy_output_bytes};
    model::fields::copy_members(any.as<ToyCase>(), r);
    std::memcpy(record, &r, sizeof r);
  }
  std::optional<Launch> launch(std::span<const std::byte> record) const override {
    Launch launch = launch_by(forms::launch_of(record_from<ToyRecord>(record)));
    launch.file = "testdata/toy_operation/toy_operation.cu";
    return launch;
  }
  uint64_t pace() const override { return 64; }
  std::span<const Descriptor> descriptors() const override {
    static const Descriptor whole("record", covered_members<ToyCase>("record"), read_record);
    return {&whole, 1};
  }
  void predict(const Case& any, const spec::Readings&, Scratch& scratch, Expected& e) const override {
    const uint32_t words[] = {toy_predicts_wrongly, 1, any.as<ToyCase>().mark, 0};
    static_assert(sizeof words == params::toy_output_bytes);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, sizeof words);
    std::memcpy(bytes.data(), words, sizeof words);
    e = {};
    e.judges_bytes = true;
    e.bytes = bytes;
  }
  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    NamedFields list;
    tell(any.as<ToyCase>(), list);
    return list;
  }
  std::string brief(const Case& any) const override {
    return " of " + std::to_string(any.as<ToyCase>().arrivals) + " arrivals";
  }
  std::string place(const Case&, uint64_t byte, uint8_t) const override {
    return byte < 4 ? "before the last" : byte < 8 ? "behind the last" : "the mark";
  }
};

const Family& toy_family() {
  static const Toy family;
  return family;
}

void make_toy(const gen::CaseId& id, ToyCase& c) {
  gen::Random random = id.random();
  c.arrivals = static_cast<uint32_t>(random.log_uniform(2, params::toy_most_arrivals));
  c.mark = static_cast<uint32_t>(random.next());
}

constexpr uint32_t most_bits = std::bit_width(params::toy_most_arrivals);
void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, std::bit_width(any.as<ToyCase>().arrivals) - 2);
}

const Registered toy({
    .name = "toy.arrivals",
    .claim = "A phase ends with the last arrival that its barrier expects, and no earlier",
    .family = toy_family,
    .generate = generate_case<make_toy>,
    .spaces = {{"bits of the count", most_bits - 1,
                [](uint32_t cell, spec::Arch) { return std::to_string(cell + 2); },
                [](spec::Arch) {
                  std::vector<uint32_t> all;
                  for (uint32_t cell = 0; cell < most_bits - 1; ++cell) all.push_back(cell);
                  return all;
                }}},
    .cover = cover,
});

}  // namespace
}  // namespace assay::suites
