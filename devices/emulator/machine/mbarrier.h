#pragma once

#include <cstdint>
#include <string_view>

namespace assay::emulator {

/// The 64-bit object behind an mbarrier (ptx, Size and alignment of mbarrier object; Contents of the mbarrier
/// object). PTX leaves its bits open; here:
///
///   63     62       61 .. 40    39 .. 20    19 .. 0
///   phase  unused   tx count    expected    pending
struct Mbarrier {
  static constexpr uint32_t max_count = (1u << 20) - 1;  ///< (ptx, mbarrier.init)
  static constexpr int32_t max_transactions =
      (1 << 20) - 1;  ///< either sign (ptx, Tracking asynchronous operations)

  bool phase = false;
  uint32_t expected = 0, pending = 0;
  int32_t transactions = 0;

  static Mbarrier decode(uint64_t word);
  uint64_t encode() const;

  /// Each returns what is wrong, or nothing; the object is unchanged then.
  std::string_view expect(uint64_t bytes);
  std::string_view complete(uint64_t bytes);
  std::string_view arrive(uint64_t count, bool drop);

 private:
  void finish_phase();
};

}  // namespace assay::emulator
