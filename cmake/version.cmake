# SPDX-License-Identifier: Apache-2.0
# Writes the version and the commit that results name. "unknown" in a tree without git.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR commit STREQUAL "")
  set(commit "unknown")
endif()
set(text "#include \"cli/command.h\"\n\nnamespace assay::cli {\nconst char* const version = \"${VERSION}\";\nconst char* const commit = \"${commit}\";\n}  // namespace assay::cli\n")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
