// An operation that no other file of the repository knows: its case, its Family and a property. Its kernel is
// one of those that misbehave on purpose (kernels/fixtures.cu): values above 500 trap, and the claim says
// that none does.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/shrink_tree.h"
#include "kernels/params/fixture.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "suites/failure/shrink_case.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

namespace assay {

struct ToyCase {
  uint32_t value = 0;
  uint32_t unused = 7;
  bool operator==(const ToyCase&) const = default;
};

// Beside the type, where the templates of case_fields.h find it.
template <typename Toy, typename Visit>
requires std::same_as<std::remove_const_t<Toy>, ToyCase>
void visit_fields(Toy& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, unused);
  ASSAY_FIELD(visit, c, value);
}

namespace suites {
namespace {

constexpr uint32_t largest_good = 500, output_size = 16;

std::vector<ToyCase> simpler(const ToyCase& c) {
  std::vector<ToyCase> list;
  for (const uint32_t less : {c.value / 2, c.value - std::min(10u, c.value), c.value - std::min(1u, c.value)})
    if (less < c.value) list.push_back({less, c.unused});
  return list;
}
rc::Shrinkable<ToyCase> tree(const ToyCase& c, std::function<bool(const ToyCase&)> keep) {
  return gen::kept_tree<ToyCase>(c, simpler, std::move(keep));
}

class Toy final : public Family {
 public:
  std::string_view name() const override { return "fixture"; }
  size_t record_bytes() const override { return sizeof(params::FixtureRecord); }
  uint32_t output_alignment() const override { return output_size; }
  uint32_t output_bytes(const Case&) const override { return output_size; }
  void write_record(const Case& any, uint64_t, const spec::Readings&, std::byte* record) const override {
    const uint32_t value = any.as<ToyCase>().value;
    const params::FixtureRecord r{params::Fixture::trap, value > largest_good ? 1u : 0u, value, 0};
    std::memcpy(record, &r, sizeof r);
  }
  std::optional<Launch> launch(std::span<const std::byte>) const override {
    return Launch{.file = "kernels/fixtures.cu", .kernel = "fixture_trap"};
  }
  uint64_t pace() const override { return 64; }
  void predict(const Case& any, const spec::Readings&, Scratch& scratch, Expected& e) const override {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_size);
    for (size_t at = 0; at < output_size; at += 4) std::memcpy(&bytes[at], &any.as<ToyCase>().value, 4);
    e = {};
    e.judges_bytes = true;
    e.bytes = bytes;
  }
  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    return {{"value", std::to_string(any.as<ToyCase>().value)}};
  }
  std::string brief(const Case& any) const override {
    return " value " + std::to_string(any.as<ToyCase>().value);
  }
  nlohmann::json to_json(const Case& any) const override { return model::fields::written(any.as<ToyCase>()); }
  nlohmann::json schema() const override { return model::fields::schema_of(ToyCase()); }
  Case from_json(const nlohmann::json& json) const override {
    return model::fields::read_case<ToyCase>(json);
  }
  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<ToyCase>(tree, any, keep);
  }
};

const Family& toy_family() {
  static const Toy family;
  return family;
}

void generate(uint64_t seed, std::string_view, uint64_t index, spec::Arch, Case& c) {
  c.emplace<ToyCase>().value = static_cast<uint32_t>((seed * 7919 + index * 97) % 1000);
}
void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, any.as<ToyCase>().value / 250);
}

const Registered toy({
    .name = "toy.store",
    .claim = "A kernel stores the value that it is given",
    .family = toy_family,
    .generate = generate,
    .spaces = {{"quarter", 4, [](uint32_t cell, spec::Arch) { return std::to_string(cell); },
                [](spec::Arch) {
                  return std::vector<uint32_t>{0, 1, 2, 3};
                }}},
    .cover = cover,
});

}  // namespace
}  // namespace suites
}  // namespace assay
