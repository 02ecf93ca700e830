# SPDX-License-Identifier: Apache-2.0

# wn_program(<source> <directory> <library> <flags>...): one source, one program of the same name in <directory>.
# The target (in WN_PROGRAM afterwards) has the program's name; where that is taken, the directory's name goes before it.
macro(wn_program source directory library)
  get_filename_component(WN_PROGRAM ${source} NAME_WE)
  set(wn_program_name ${WN_PROGRAM})
  if(TARGET ${WN_PROGRAM} OR NOT WN_PROGRAM MATCHES "^(wn|test_)")
    get_filename_component(wn_program_dir ${directory} NAME)
    set(WN_PROGRAM ${wn_program_dir}_${WN_PROGRAM})
  endif()
  add_executable(${WN_PROGRAM} ${source})
  target_link_libraries(${WN_PROGRAM} PRIVATE ${library} m pthread)
  target_compile_definitions(${WN_PROGRAM} PRIVATE _GNU_SOURCE WN_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             WN_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_compile_options(${WN_PROGRAM} PRIVATE ${ARGN})
  set_target_properties(${WN_PROGRAM} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${directory} OUTPUT_NAME ${wn_program_name})
endmacro()
