// SPDX-License-Identifier: BSD-3-Clause
// The options of a call, from the keywords of nwgpu.align(), and what watches it while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "python.hpp"

namespace nwgpu_python {

// The progress function of a call.  Lets Ctrl-C in, as Python handles signals only where its own code runs.
class Watch {
public:
    void call_at_progress(PyObject * function); // None: none
    void set(nwgpu_control & control);          // which must not outlive this
    // After the call: raises what the progress function, or the handler of a signal, has raised.
    void raise_what_was_raised() const;

private:
    static int32_t called(void * watch, uint64_t done, uint64_t total);
    bool may_go_on(uint64_t done, uint64_t total);

    Object function_;
    bool has_raised_ = false; // what: is set in Python's state of the thread, where it stays until the call returns
    std::chrono::steady_clock::time_point next_look_{};
};

// Which pair is meant by a number, as Python counts queries and targets.
struct Pairing {
    int32_t kind = NWGPU_PAIRING_ZIP;
    uint64_t targets = 0;
    std::vector<uint64_t> chosen; // NWGPU_PAIRING_LIST: query and target of each

    uint64_t query(uint64_t pair) const;
    uint64_t target(uint64_t pair) const;
};

// Points into itself, so it stays where it is.
struct Options {
    explicit Options(PyObject * keywords);
    Options(Options const &) = delete;

    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_scoring const * scoring = nullptr;
    Pairing pairing;
    bool wants_arrays = false; // output="arrays"
    Watch watch;

private:
    void read(PyObject * name, PyObject * value);

    nwgpu_band band_ = NWGPU_BAND_INIT;
    nwgpu_top top_ = NWGPU_TOP_INIT;
    nwgpu_best best_ = NWGPU_BEST_INIT;
    nwgpu_checkpoint checkpoint_ = NWGPU_CHECKPOINT_INIT;
    nwgpu_control control_ = NWGPU_CONTROL_INIT;
    int64_t min_score_ = 0;
    Object scoring_owner_, folder_;
};

} // namespace nwgpu_python
