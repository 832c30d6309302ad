// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/device_spec.h"

#include <gtest/gtest.h>

#include "devices/device.h"

namespace assay::cuda {
namespace {

TEST(DeviceSpec, Gpus) {
  const DeviceSpec spec = parse_device_spec("cuda:3");
  EXPECT_FALSE(spec.emulator);
  EXPECT_EQ(spec.ordinal, 3);
  EXPECT_EQ(spec.text, "cuda:3");
}

TEST(DeviceSpec, EmulatorWordsGoToTheEmulatorTargetFirst) {
  const DeviceSpec plain = parse_device_spec("emulator");
  EXPECT_TRUE(plain.emulator);
  EXPECT_EQ(plain.settings, "sm_100a");
  EXPECT_EQ(plain.architecture, "sm_100");
  EXPECT_EQ(plain.text, "emulator:sm_100a");
  const DeviceSpec spec =
      parse_device_spec("emulator:strict,schedule=random:18446,sm_90a,reading=TMA-AMB-11:B,fault=fill_value");
  EXPECT_EQ(spec.settings, "sm_90a,strict,schedule=random:18446,reading=TMA-AMB-11:B,fault=fill_value");
  EXPECT_EQ(spec.architecture, "sm_90");
  EXPECT_EQ(parse_device_spec(spec.text).settings, spec.settings);
  EXPECT_EQ(parse_device_spec("emulator:tmem_base=random").settings, "sm_100a,tmem_base=random");
  EXPECT_EQ(parse_device_spec("emulator:workers=2").settings, "sm_100a,workers=2");
}

TEST(DeviceSpec, EachMistakeIsOneSentence) {
  for (const char* wrong :
       {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:99999", "emulator:", "emulator:sm_80",
        "emulator:schedule=random", "emulator:schedule=random:", "emulator:schedule=soon",
        "emulator:tmem_base=high", "emulator:workers=all", "emulator:strict=1", "emulator:reading=TMA-AMB-11",
        "emulator:fault=", "emulator:sm_90a,,strict", "emulatorsm_90a"})
    try {
      parse_device_spec(wrong);
      ADD_FAILURE() << "accepted '" << wrong << "'";
    } catch (const DeviceError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("is not"), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace assay::cuda
