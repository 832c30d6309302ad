// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/row_runner.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "reports/verdict.h"

namespace assay::vectors {
namespace {

spec::Arch arch_of(const Device& device) {
  const auto arch = spec::parse_arch(device.identity().architecture);
  if (!arch)
    throw std::runtime_error("vectors cannot be judged on " + device.identity().architecture +
                             ": nothing is known of it");
  return *arch;
}

uint32_t first_element(std::span<const std::byte> bytes, uint32_t bits) {
  uint32_t code = 0;
  std::memcpy(&code, bytes.data(), bits / 8);
  return code;
}
std::string hex(uint32_t code) {
  char text[12];
  std::snprintf(text, sizeof text, "0x%x", code);
  return text;
}

}  // namespace

RowRunner::RowRunner(Device& device)
    : device_(device), arch_(arch_of(device)), readings_(arch_), runner_(device, readings_, arch_) {}

RowRun RowRunner::run(const RowCase& row) {
  const suites::Property* property = suites::find_property(row.property);
  if (!row.on[static_cast<size_t>(arch_)]) return {false, "the row is about other architectures"};
  if (property == nullptr) throw std::runtime_error("there is no property " + std::string(row.property));
  if (const auto why = device_.declines(property->family().name())) return {false, *why};
  if (property->declines != nullptr)
    if (const auto why = property->declines(arch_)) return {false, *why};
  suites::Scratch scratch;
  suites::Expected expected;
  property->family().predict(row.what, spec::Readings(arch_), scratch, expected);
  if (expected.end == model::End::undefined)
    return {false, "no document says what becomes of it on " + std::string(spec::name(arch_))};
  if (row.element) {
    const uint32_t code = first_element(expected.bytes, row.element->bits);
    if (code != row.element->code)
      return {true, "the reference expects " + hex(code) + " of a device where the row has " +
                        hex(row.element->code)};
  }
  if (!row.words.empty() && row.words.size() * 4 != expected.bytes.size())
    throw std::runtime_error("the row has another number of registers than the case");
  for (size_t i = 0; i < row.words.size(); ++i)
    if (const uint32_t word = first_element(expected.bytes.subspan(4 * i), 32); word != row.words[i])
      return {true, "the reference expects " + hex(word) + " in word " + std::to_string(i) +
                        " of a device where the row has " + hex(row.words[i])};
  const suites::Outcome outcome = runner_.run(*property, {&row.what, 1}).front();
  if (outcome.verdict == report::Verdict::conforms) return {true, ""};
  const std::string message =
      suites::to_row(*property, outcome, {device_.identity().spec, 0, 0, {}, {}}).message;
  return {true, device_.identity().spec + " " + std::string(report::name(outcome.verdict)) + ": " + message};
}

}  // namespace assay::vectors
