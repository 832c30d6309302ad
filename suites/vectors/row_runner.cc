#include "suites/vectors/row_runner.h"

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

}  // namespace

RowRunner::RowRunner(Device& device)
    : device_(device), arch_(arch_of(device)), readings_(arch_), runner_(device, readings_, arch_) {}

std::optional<std::string> RowRunner::run(const RowCase& row) {
  const suites::Property* property = suites::find_property(row.property);
  if (property == nullptr) throw std::runtime_error("there is no property " + std::string(row.property));
  if (device_.declines(property->family().name()) ||
      (property->declines != nullptr && property->declines(arch_)))
    return std::nullopt;
  suites::Scratch scratch;
  suites::Expected expected;
  property->family().predict(row.what, spec::Readings(arch_), scratch, expected);
  if (expected.end == model::End::undefined) return std::nullopt;
  const suites::Outcome outcome = runner_.run(*property, {&row.what, 1}).front();
  if (outcome.verdict == report::Verdict::conforms) return "";
  const std::string message =
      suites::to_row(*property, outcome, {device_.identity().spec, 0, 0, {}, {}}).message;
  return device_.identity().spec + " " + std::string(report::name(outcome.verdict)) + ": " + message;
}

}  // namespace assay::vectors
