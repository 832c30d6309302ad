// SPDX-License-Identifier: Apache-2.0
// Any word as any descriptor, described for people and for programs: the description holds every bit. Input:
// a byte that chooses the descriptor, the word.
#include "reference/spec/descriptor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/target.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::fuzz {
namespace {

const spec::Descriptor& descriptor_named(std::string_view name) {
  for (int kind = 0; kind < spec::mma_kind_count; ++kind)
    if (const spec::Descriptor& one = spec::descriptor_of(static_cast<spec::MmaKind>(kind)); one.name == name)
      return one;
  for (const spec::Descriptor* one : {&spec::smem_desc, &spec::wgmma_smem_desc, &spec::zero_column_mask})
    if (one->name == name) return *one;
  found("every name that can be described is a descriptor's", std::string(name));
}

const spec::Descriptor& chosen(const uint8_t* data, size_t size) {
  static const std::vector<std::string_view> names = spec::describable_words();
  return descriptor_named(names[size == 0 ? 0 : data[0] % names.size()]);
}

void check_json(uint64_t word, const spec::Descriptor& descriptor) {
  const auto text = spec::describe_word(word, descriptor.name, true);
  require(text.has_value(), "every word can be described");
  const nlohmann::json shown = nlohmann::json::parse(*text, nullptr, false);
  require(!shown.is_discarded(), "a description is JSON");
  if (descriptor.bits == 32 && word >> 32 != 0) {
    require(shown.contains("error"), "more than 32 bits are an error");
    return;
  }
  ++counts().past_parser;
  uint64_t again = 0;
  bool all_legal = true;
  for (const auto& field : shown.at("fields")) {
    again |= field.at("raw").get<uint64_t>() << field.at("lsb").get<int>();
    all_legal &= field.at("legal").get<bool>();
  }
  require(again == word, "a description holds every bit");
  require(all_legal || !shown.at("violations").empty() || descriptor.name == spec::wgmma_smem_desc.name,
          "a field that is not legal is a violation");
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  ++fuzz::counts().inputs;
  const spec::Descriptor& descriptor = fuzz::chosen(data, size);
  const uint64_t word = fuzz::read_word(data, size, 8, 1);
  fuzz::check_json(word, descriptor);
  const auto text = spec::describe_word(word, descriptor.name, false);
  fuzz::require(text.has_value() && !text->empty() && text->back() == '\n', "a description is whole lines");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace assay;
  if (size < 9 || seed % 16 == 0) return LLVMFuzzerMutate(data, size, std::min<size_t>(max_size, 9));
  return 1 + fuzz::mutate_descriptor(fuzz::chosen(data, size), 0, data + 1, size - 1, max_size - 1, seed);
}
