// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::spec {

/// Of `known`, what a misspelt name probably meant: up to three, the nearest first, none where nothing is
/// near.
std::vector<std::string_view> near_names(std::string_view typed, std::span<const std::string_view> known);

/// "; did you mean 'tma.tiled.load'?", or nothing.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known);

/// The user named something that does not exist: a word to correct, not a run that failed.
class UnknownName : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay::spec
