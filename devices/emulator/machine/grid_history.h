// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace assay::emulator {

/// Bytes of global memory, in pages of 256.
class ByteSet {
 public:
  void add(uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes; ++at) pages_[at / page][at % page] = true;
  }
  bool meets(uint64_t address, uint64_t bytes) const {
    for (uint64_t at = address; at < address + bytes; ++at) {
      const auto found = pages_.find(at / page);
      if (found == pages_.end())
        at |= page - 1;
      else if (found->second[at % page])
        return true;
    }
    return false;
  }
  void add(const ByteSet& other) {
    for (const auto& [page, bytes] : other.pages_) pages_[page] |= bytes;
  }
  bool is_empty() const { return pages_.empty(); }
  void clear() { pages_.clear(); }

 private:
  static constexpr uint64_t page = 256;
  std::unordered_map<uint64_t, std::bitset<page>> pages_;
};

/// What the strict mode knows of programmatic dependent launches: what the kernel before in the same stream
/// has written, if it lets its dependents begin before it ends (ptx, griddepcontrol). Launches run one after
/// the other here, so that a dependent that forgets to wait never sees it.
class GridHistory {
 public:
  /// `begins_early`: launched with programmatic stream serialisation. `releases`: has a
  /// griddepcontrol.launch_dependents.
  void launch_begins(uint64_t stream, bool begins_early, bool releases) {
    stream_ = stream, releases_ = releases;
    const auto before = written_.find(stream);
    in_flight_ = begins_early && before != written_.end() ? &before->second : nullptr;
    now_.clear();
  }
  void launch_ended() {
    in_flight_ = nullptr;
    if (now_.is_empty())
      written_.erase(stream_);
    else
      written_[stream_] = std::move(now_);
    now_.clear();
  }
  /// No kernel of any stream is running any more.
  void all_ended() { written_.clear(); }
  /// Whether a dependent of this launch may ask what it wrote.
  bool keeps_writes() const { return releases_; }
  void written(const ByteSet& bytes) { now_.add(bytes); }
  /// Whether a kernel that need not have ended may write some of the bytes.
  bool is_in_flight(uint64_t address, uint64_t bytes) const {
    return in_flight_ != nullptr && in_flight_->meets(address, bytes);
  }
  bool has_in_flight() const { return in_flight_ != nullptr; }

 private:
  std::map<uint64_t, ByteSet> written_;  ///< by stream
  ByteSet now_;
  const ByteSet* in_flight_ = nullptr;
  uint64_t stream_ = 0;
  bool releases_ = false;
};

}  // namespace assay::emulator
