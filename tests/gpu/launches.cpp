// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/launches.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <vector>

#include "cuda/device/device.hpp"

namespace nwgpu::test {

namespace {

void check(cudaError_t error) { cuda::check(error, "noting a launch"); }

class Notes {
public:
    static Notes & only()
    {
        static Notes notes;
        return notes;
    }

    void start(bool timed)
    {
        seen_.clear();
        used_ = 0;
        timed_ = timed;
    }

    template <class Launch>
    cudaError_t launch(LaunchShape const & shape, dim3 grid, cudaStream_t stream, Launch const & launch)
    {
        Launches & launches = seen_[shape];
        unsigned const blocks = grid.x * grid.y * grid.z;
        ++launches.count;
        launches.blocks += blocks;
        ++launches.by_blocks[blocks];
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        if (timed_)
            check(cudaStreamIsCapturing(stream, &capture));
        if (!timed_ || capture != cudaStreamCaptureStatusNone)
            return launch();
        Timed const & timed = next(launches);
        check(cudaEventRecord(timed.begin, stream));
        cudaError_t const result = launch();
        check(cudaEventRecord(timed.end, stream));
        return result;
    }

    std::map<LaunchShape, Launches> const & seen()
    {
        collect();
        return seen_;
    }

private:
    static constexpr std::size_t most_under_way = 4096;
    struct Timed {
        cudaEvent_t begin = nullptr, end = nullptr;
        Launches * launches = nullptr;
    };

    Timed const & next(Launches & launches)
    {
        if (used_ == most_under_way)
            collect();
        if (used_ == timed_launches_.size()) {
            timed_launches_.emplace_back();
            check(cudaEventCreate(&timed_launches_.back().begin));
            check(cudaEventCreate(&timed_launches_.back().end));
        }
        timed_launches_[used_].launches = &launches;
        return timed_launches_[used_++];
    }

    void collect()
    {
        for (std::size_t k = 0; k < used_; ++k) {
            Timed const & timed = timed_launches_[k];
            float milliseconds = 0;
            check(cudaEventSynchronize(timed.end));
            check(cudaEventElapsedTime(&milliseconds, timed.begin, timed.end));
            timed.launches->milliseconds += static_cast<double>(milliseconds);
            ++timed.launches->timed;
        }
        used_ = 0;
    }

    std::map<LaunchShape, Launches> seen_;
    std::vector<Timed> timed_launches_; // the first `used_` are under way
    std::size_t used_ = 0;
    bool timed_ = false;
};

LaunchShape shape_of(void const * kernel, dim3 block, std::size_t shared)
{
    return {kernel, block.x * block.y * block.z, shared};
}

} // namespace

void note_launches(bool timed) { Notes::only().start(timed); }

std::map<LaunchShape, Launches> const & noted_launches() { return Notes::only().seen(); }

std::string kernel_name(void const * kernel)
{
    char const * mangled = nullptr;
    check(cudaFuncGetName(&mangled, kernel));
    int status = 0;
    char * const plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name = status == 0 ? plain : mangled;
    std::free(plain);
    for (std::string const scope : {"(anonymous namespace)", "nwgpu::cuda::"})
        for (std::size_t at; (at = name.find(scope)) != std::string::npos;)
            name.erase(at, scope.size());
    name = name.substr(0, name.find('('));
    std::size_t const templates = name.find('<');
    std::size_t const begin = name.rfind(':', templates);
    return begin == std::string::npos ? name : name.substr(begin + 1);
}

} // namespace nwgpu::test

extern "C" {
// What <<<>>> becomes from CUDA 13 on.
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, std::size_t, cudaStream_t);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void ** arguments, std::size_t shared,
                                      cudaStream_t stream)
{
    using namespace nwgpu::test;
    return Notes::only().launch(shape_of(kernel, block, shared), grid, stream, [&] {
        return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
    });
}
// The engine calls it by itself.
cudaError_t __real_cudaLaunchKernel(void const *, dim3, dim3, void **, std::size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(void const * kernel, dim3 grid, dim3 block, void ** arguments, std::size_t shared,
                                    cudaStream_t stream)
{
    using namespace nwgpu::test;
    return Notes::only().launch(shape_of(kernel, block, shared), grid, stream, [&] {
        return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
    });
}
cudaError_t __real_cudaLaunchCooperativeKernel(void const *, dim3, dim3, void **, std::size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchCooperativeKernel(void const * kernel, dim3 grid, dim3 block, void ** arguments,
                                               std::size_t shared, cudaStream_t stream)
{
    using namespace nwgpu::test;
    return Notes::only().launch(shape_of(kernel, block, shared), grid, stream, [&] {
        return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
    });
}
}
