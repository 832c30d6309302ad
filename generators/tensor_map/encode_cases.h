// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "generators/random.h"
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

}  // namespace assay::gen
