#include <gtest/gtest.h>

#include <set>

#include "generators/hopper_forms.h"
#include "kernels/params/mma_sync.h"
#include "kernels/params/wgmma.h"
#include "suites/hopper_words.h"

namespace assay::suites {
namespace {

TEST(HopperForms, GeneratorsKnowTheFormsOfTheProbes) {
  std::set<uint32_t> wgmma, mma_sync;
  for (const gen::WgmmaForm& f : gen::wgmma_forms())
    wgmma.insert(params::wgmma_form(param_types(f.types), f.n,
                                    (f.a_in_registers ? params::wgmma_a_in_registers : 0u) |
                                        (f.transpose_a ? params::wgmma_transpose_a : 0u) |
                                        (f.transpose_b ? params::wgmma_transpose_b : 0u) |
                                        (f.negate_a ? params::wgmma_negate_a : 0u) |
                                        (f.negate_b ? params::wgmma_negate_b : 0u)));
  for (const gen::MmaSyncForm& f : gen::mma_sync_forms())
    mma_sync.insert(params::mma_sync_form(param_types(f.types), f.m, f.k));
  EXPECT_EQ(wgmma, std::set<uint32_t>(std::begin(params::wgmma_forms), std::end(params::wgmma_forms)));
  EXPECT_EQ(mma_sync,
            std::set<uint32_t>(std::begin(params::mma_sync_forms), std::end(params::mma_sync_forms)));
  EXPECT_EQ(wgmma.size(), std::size(params::wgmma_forms));
}

TEST(HopperForms, RegistersOfTheParametersAreThoseOfTheModel) {
  for (const gen::WgmmaForm& f : gen::wgmma_forms()) {
    WgmmaCase c;
    gen::set_form(f, c);
    EXPECT_EQ(params::wgmma_d_registers(params::wgmma_form(param_types(f.types), f.n, 0)), d_registers(c))
        << gen::name_of(f);
  }
  for (const gen::MmaSyncForm& f : gen::mma_sync_forms()) {
    MmaSyncCase c;
    c.types = f.types, c.m = f.m, c.k = f.k;
    EXPECT_EQ(params::mma_sync_d_registers(params::mma_sync_form(param_types(f.types), f.m, f.k)),
              d_registers(c))
        << gen::name_of(f);
  }
}

}  // namespace
}  // namespace assay::suites
