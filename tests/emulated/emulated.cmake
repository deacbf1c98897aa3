# The CUDA engine as C++ for the CPU (cuda_runtime_api.h).  Included by libnwgpu/cuda.
set(here ${CMAKE_CURRENT_LIST_DIR})
get_target_property(sources nwgpu_core SOURCES)
get_target_property(folder nwgpu_core SOURCE_DIR)
foreach(source IN LISTS sources)
  if(source MATCHES "\\.cu$")
    set_source_files_properties(${source} TARGET_DIRECTORY nwgpu_core PROPERTIES LANGUAGE CXX COMPILE_OPTIONS
      "-x;c++;-include;cuda_runtime.h;-w") # as nvcc does; pragmas and warnings are nvcc's
  endif()
endforeach()
target_sources(nwgpu_core PRIVATE ${here}/emulated.cpp)
target_include_directories(nwgpu_core SYSTEM PUBLIC ${here}) # SYSTEM: warnings of nvcc's pragmas
target_compile_definitions(nwgpu_core PUBLIC NWGPU_CUDA_EMULATED)
target_compile_options(nwgpu_core PUBLIC -Wno-unknown-pragmas)
