# nwgpu_make_portable(<target>...): links so that the result runs wherever glibc 2.28 or later is, with no libstdc++ of the
# system: it is inside, its names hidden.  glibc_2_28.c tells how.
function(nwgpu_make_portable)
  foreach(target ${ARGN})
    set(sources ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/glibc_2_28.c)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      list(APPEND sources ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/glibc_2_28_start.c)
    endif()
    set(wraps "")
    foreach(source ${sources})
      file(READ ${source} code)
      string(REGEX MATCHALL "(\nWRAP(_SINCE)?\\([^,]*, |\nWRAP_STAT\\(|\n[a-z0-9_]+ __wrap_)[a-z0-9_]+" names "${code}")
      list(TRANSFORM names REPLACE "^\n(WRAP(_SINCE)?\\([^,]*, |WRAP_STAT\\(|[a-z0-9_]+ __wrap_)" "LINKER:--wrap=")
      list(APPEND wraps ${names})
    endforeach()
    list(REMOVE_DUPLICATES wraps)
    target_sources(${target} PRIVATE ${sources})
    # The last three hold nothing since glibc 2.34; before it, what is wrapped lies in them.
    target_link_options(${target} PRIVATE -static-libstdc++ ${wraps} LINKER:--exclude-libs=ALL
      LINKER:--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1 LINKER:--pop-state)
  endforeach()
endfunction()
