// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"

/// Calls of the tiled encoder.
namespace assay::gen {

/// A call that every rule allows. Entries at index >= rank hold anything; extents and strides use their whole
/// range.
void make_legal_encode(Random& random, spec::Arch arch, EncodeTiledCase& c);

/// Legal calls, calls with one or several damaged arguments, null pointers and odd map pointers, in turn by
/// index.
void make_encode(const CaseId& id, EncodeTiledCase& c);

/// A legal call, and an address to replace that of its map: three in four legal, else off by a few bytes, 0,
/// or too high.
void make_replace_address(const CaseId& id, EncodeTiledCase& c);

/// Ranks far out of range, which end the calling process on some drivers.
void make_encode_crash(const CaseId& id, EncodeTiledCase& c);

/// Calls one step simpler than `c`, the boldest first: rank down, plain values in one argument at a time.
std::vector<EncodeTiledCase> simpler(const EncodeTiledCase& c);

// Calls of the two im2col encoders.

/// A call that every rule allows. Entries that the rank does not use hold anything; extents, strides and
/// corners use their whole range.
void make_legal_im2col_encode(Random& random, spec::Arch arch, bool wide, EncodeIm2colCase& c);

/// Legal calls (half), points where documents and drivers disagree, border points, calls with one or two
/// damaged arguments, in turn by index. Among those of the wide encoder one in sixteen is a legal call of the
/// plain one: a device that refuses all wide calls is then seen to refuse those alone.
void make_im2col_encode(const CaseId& id, EncodeIm2colCase& c);
void make_im2col_wide_encode(const CaseId& id, EncodeIm2colCase& c);

/// Null arrays of corners (not of the wide encoder) and ranks far out of range, which end the calling process
/// on some drivers.
void make_im2col_encode_crash(const CaseId& id, EncodeIm2colCase& c);
void make_im2col_wide_encode_crash(const CaseId& id, EncodeIm2colCase& c);

/// One point beside the border of a rule: just inside (the call stays legal) or just outside (exactly this
/// rule is broken).
struct Im2colProbe {
  std::string_view rule, value;  ///< "V-33", "1025 pixels"
  bool inside;
  bool (*fits)(const EncodeIm2colCase&);  ///< which legal calls it can be applied to
  void (*change)(Random&, EncodeIm2colCase&);
  /// Where it makes sense. "By documents": the wide encoder from sm_100 on, which nobody has measured.
  enum class On : uint8_t {
    everywhere,
    sm_90,
    from_sm_100,
    plain,
    plain_from_sm_100,
    measured,
    by_documents,
    wide
  };
  On on = On::everywhere;
};
/// Those of an encoder on an architecture: borders, or disputes.
std::span<const Im2colProbe> im2col_borders(spec::Arch arch, bool wide);
std::span<const Im2colProbe> im2col_disputes(spec::Arch arch, bool wide);
/// Draws legal calls until the probe fits one, and changes it; `c` is a legal call to begin with.
void apply(const Im2colProbe& probe, Random& random, spec::Arch arch, bool wide, EncodeIm2colCase& c);

/// Case i: border i mod n on a fresh legal call.
void make_im2col_boundary(const CaseId& id, EncodeIm2colCase& c);
void make_im2col_wide_boundary(const CaseId& id, EncodeIm2colCase& c);

/// Calls one step simpler than `c`, the boldest first.
std::vector<EncodeIm2colCase> simpler(const EncodeIm2colCase& c);

/// One point beside the border of a rule on encoder arguments: just inside (the call stays legal) or just
/// outside (exactly this rule is broken).
struct EncodeProbe {
  std::string_view rule;   ///< "V-15"
  std::string_view value;  ///< what is special, in words: "box[i] = 257"
  bool inside;
  bool (*fits)(const EncodeTiledCase&);  ///< which legal calls it can be applied to
  void (*change)(Random&, EncodeTiledCase&);
  spec::Arch from = spec::Arch::sm_90;  ///< first architecture that it makes sense on
  bool only_sm_90 = false;
};

/// The whole tables.
std::span<const EncodeProbe> all_borders();
std::span<const EncodeProbe> all_disputes();

/// Every border point of the architecture, in table order.
std::span<const EncodeProbe> boundary_probes(spec::Arch arch);
/// Points where documents and a measured driver disagree, or the documents disagree among themselves.
std::span<const EncodeProbe> disputed_probes(spec::Arch arch);

/// Draws legal calls until the probe fits one, and changes it.
void apply(const EncodeProbe& probe, Random& random, spec::Arch arch, EncodeTiledCase& c);

/// Case i: probe i mod n on a fresh legal call.
void make_encode_boundary(const CaseId& id, EncodeTiledCase& c);
const EncodeProbe& boundary_probe(uint64_t index, spec::Arch arch);

}  // namespace assay::gen

/// What the tables of encode probes are written with.
namespace assay::gen::probe_words {

using Case = EncodeTiledCase;
using spec::Arch;

inline constexpr uint64_t two57 = uint64_t{1} << 57, two40 = uint64_t{1} << 40, two32 = uint64_t{1} << 32;

// Which legal calls a probe can be applied to.
inline bool any(const Case&) {
  return true;
}
inline bool unpacked(const Case& c) {
  return c.map.data_type < spec::host_type::first_packed;
}
inline bool plain(const Case& c) {
  return c.map.interleave == 0 && unpacked(c);
}
inline bool plain_unswizzled(const Case& c) {
  return plain(c) && c.map.swizzle == 0;
}
inline bool plain_rank_5(const Case& c) {
  return plain(c) && c.map.rank == 5;
}
inline bool swizzled(const Case& c) {
  return plain(c) && c.map.swizzle != 0;
}
inline bool interleaved(const Case& c) {
  return c.map.interleave != 0;
}
inline bool interleaved_16B(const Case& c) {
  return c.map.interleave == spec::host_interleave::by_16B;
}
inline bool interleaved_32B(const Case& c) {
  return c.map.interleave == spec::host_interleave::by_32B;
}
inline bool granule_16(const Case& c) {
  return address_granule(c.map) == 16;
}
inline bool strided(const Case& c) {
  return c.map.rank >= 2;
}
inline bool strided_by_16(const Case& c) {
  return strided(c) && granule_16(c);
}
inline bool strided_packed(const Case& c) {
  return strided(c) && c.map.data_type >= spec::host_type::first_padded;
}
inline bool is_float(const Case& c) {
  return c.map.data_type >= spec::host_type::first_float && unpacked(c);
}
inline bool is_integer(const Case& c) {
  return c.map.data_type < spec::host_type::first_float;
}
inline bool packed_13(const Case& c) {
  return c.map.data_type == spec::host_type::b4x16;
}
inline bool packed_14(const Case& c) {
  return c.map.data_type == spec::host_type::b4x16_p64;
}
inline bool packed_14_15(const Case& c) {
  return c.map.data_type >= spec::host_type::first_padded;
}
inline bool packed_15_rank_3(const Case& c) {
  return c.map.data_type == spec::host_type::b6x16_p32 && c.map.rank >= 3;
}
inline bool rank_1(const Case& c) {
  return c.map.rank == 1;
}

// Dimensions that a change acts on.
inline uint32_t some_dimension(Random& random, const Case& c) {
  return random.below(c.map.rank);
}
inline uint32_t outer_dimension(Random& random, const Case& c) {
  return 1 + random.below(c.map.rank - 1);
}
inline uint32_t some_stride(Random& random, const Case& c) {
  return random.below(c.map.rank - 1);
}
/// Boxes of 1 in every dimension but 0, so that V-48 stays far away.
inline void flatten(Case& c) {
  for (uint32_t i = 1; i < c.map.rank; ++i) c.map.box_dim[i] = 1;
}
/// A call that would be legal for a packed type where the architecture has it.
inline void make_packed(Case& c, uint32_t type) {
  c.map.data_type = type;
  c.map.oob_fill = 0;
  c.map.global_address &= ~uint64_t{31};
  c.map.global_dim[0] = 128;
  for (uint64_t& stride : c.map.global_stride) stride &= ~uint64_t{31};
  flatten(c);
  c.map.box_dim[0] = 128;
}
inline uint32_t quantum_of(const Case& c) {
  return box_quantum(spec::data_types[c.map.data_type], c.map.interleave);
}
inline uint32_t span_of(const Case& c) {
  return spec::find_swizzle(c.map.swizzle)->span_bytes;
}

/// A table in the making, a row a call.
class ProbeTable {
 public:
  using Fits = bool (*)(const Case&);
  using Change = void (*)(Random&, Case&);
  void inside(std::string_view rule, std::string_view value, Fits fits, Change change,
              Arch from = Arch::sm_90, bool only_sm_90 = false) {
    rows_.push_back({rule, value, true, fits, change, from, only_sm_90});
  }
  void outside(std::string_view rule, std::string_view value, Fits fits, Change change,
               Arch from = Arch::sm_90, bool only_sm_90 = false) {
    rows_.push_back({rule, value, false, fits, change, from, only_sm_90});
  }
  std::vector<EncodeProbe> rows() const { return rows_; }

 private:
  std::vector<EncodeProbe> rows_;
};

}  // namespace assay::gen::probe_words
