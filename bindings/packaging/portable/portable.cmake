# nwgpu_make_portable(<target>...): links so that the result runs wherever glibc 2.28 or later is, with no libstdc++ of the
# system: it is inside, its names hidden.  glibc_2_28.c tells how.
set(portable_source ${CMAKE_CURRENT_LIST_DIR}/glibc_2_28.c)
file(READ ${portable_source} portable_code)
string(REGEX MATCHALL "(\nWRAP\\([^,]*, |\nWRAP_STAT\\(|\n[a-z0-9_]+ __wrap_)[a-z0-9_]+" portable_names "${portable_code}")
list(TRANSFORM portable_names REPLACE "^\n(WRAP\\([^,]*, |WRAP_STAT\\(|[a-z0-9_]+ __wrap_)" "LINKER:--wrap=")
list(REMOVE_DUPLICATES portable_names)

function(nwgpu_make_portable)
  foreach(target ${ARGN})
    target_sources(${target} PRIVATE ${portable_source})
    # Both hold nothing since glibc 2.34; before it, what is wrapped lies in them.
    target_link_options(${target} PRIVATE -static-libstdc++ ${portable_names} LINKER:--exclude-libs=ALL
      LINKER:--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 LINKER:--pop-state)
  endforeach()
endfunction()
