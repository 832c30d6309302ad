#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::gen {

/// For tests that hold two models of one reading against each other. That they agree says nothing where the
/// reading makes no difference: each is tried on cases of every maker until one has other cells than
/// under the defaults.
class RivalsTried {
 public:
  explicit RivalsTried(uint64_t most_tries) : most_tries_(most_tries) {}

  /// On a case of that maker: cells() gives what the rival makes of it, `usual` are those under the defaults.
  template <class Cells>
  void try_on(const std::string& rival, const std::string& maker, const std::vector<uint32_t>& usual,
              const Cells& cells) {
    Tries& tries = tries_[rival][maker];
    if (tries.has_differed || tries.count == most_tries_) return;
    ++tries.count;
    tries.has_differed = cells() != usual;
  }
  bool has_differed(const std::string& rival) const {
    const auto tried = tries_.find(rival);
    return tried != tries_.end() &&
           std::ranges::any_of(tried->second, [](const auto& by) { return by.second.has_differed; });
  }

 private:
  struct Tries {
    uint64_t count = 0;
    bool has_differed = false;
  };
  uint64_t most_tries_;
  std::map<std::string, std::map<std::string, Tries>> tries_;
};

}  // namespace assay::gen
