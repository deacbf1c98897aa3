// SPDX-License-Identifier: BSD-3-Clause
#include "control.hpp"

#include "structs.hpp"

namespace nwgpu::capi {

Control::Control(nwgpu_control const * given, CallState const & call) :
    control_{given ? read_struct(*given, "control") : nwgpu_control{}}, call_{call}
{
    require_that(control_.deadline_seconds >= 0, "control.deadline_seconds is negative or not a number");
}

Progress Control::progress()
{
    return [this](std::uint64_t done, std::uint64_t total) { return goes_on(done, total); };
}

bool Control::goes_on(std::uint64_t done, std::uint64_t total)
{
    if (reason_ != Status::ok)
        return false;
    if (call_.cancelled())
        return end(Status::cancelled, "nwgpu_context_cancel ended the call");
    std::chrono::duration<double> const gone = Clock::now() - begin_;
    if (control_.deadline_seconds > 0 && gone.count() >= control_.deadline_seconds)
        return end(Status::deadline, "the deadline of " + std::to_string(control_.deadline_seconds) + " s is over");
    if (!control_.progress)
        return true;
    try {
        return control_.progress(control_.progress_user, done, total) == 0 ||
               end(Status::cancelled, "the progress function ended the call");
    } catch (std::exception const & exception) {
        return end(Status::callback, std::string{"the progress function threw: "} + exception.what());
    } catch (...) {
        return end(Status::callback, "the progress function threw an unknown exception");
    }
}

bool Control::end(Status reason, std::string message)
{
    reason_ = reason;
    message_ = std::move(message);
    return false;
}

} // namespace nwgpu::capi
