# SPDX-License-Identifier: Apache-2.0
# Libraries from the distribution; the launcher `assay` installs them. Static where an archive exists, so that
# one binary can be carried to a machine that has only a GPU driver.
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_path(RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
find_library(RAPIDCHECK_LIBRARY NAMES librapidcheck.a rapidcheck REQUIRED)
find_path(NLOHMANN_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
find_path(SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
find_path(PUGIXML_INCLUDE pugixml.hpp REQUIRED)
find_library(PUGIXML_LIBRARY NAMES libpugixml.a pugixml REQUIRED)
find_path(HIGHWAY_INCLUDE hwy/highway.h REQUIRED)
find_package(benchmark QUIET)

add_library(assay_third_party INTERFACE)
target_include_directories(assay_third_party SYSTEM INTERFACE ${RAPIDCHECK_INCLUDE} ${NLOHMANN_JSON_INCLUDE}
  ${CLI11_INCLUDE} ${XXHASH_INCLUDE} ${SQLITE_INCLUDE} ${PUGIXML_INCLUDE} ${HIGHWAY_INCLUDE})
target_link_libraries(assay_third_party INTERFACE ${RAPIDCHECK_LIBRARY} ${SQLITE_LIBRARY} ${PUGIXML_LIBRARY}
  Threads::Threads ${CMAKE_DL_LIBS})
