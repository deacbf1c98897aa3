# The component seqan3 of the package nwgpu: target nwgpu::seqan3.  Needs SeqAn3 3.2 or later.
include(CMakeFindDependencyMacro)
find_dependency(seqan3 3.2 CONFIG)
find_dependency(Threads)
if(NOT TARGET nwgpu::seqan3)
  add_library(nwgpu::seqan3 INTERFACE IMPORTED)
  target_link_libraries(nwgpu::seqan3 INTERFACE nwgpu::nwgpu seqan3::seqan3 Threads::Threads)
endif()
set(nwgpu_seqan3_FOUND TRUE)
