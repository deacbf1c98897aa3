// SPDX-License-Identifier: BSD-3-Clause
// The types Result, what a call found, and Column, an array of it.
#pragma once

#include <memory>

#include "options.hpp"
#include "python.hpp"

namespace nwgpu_python {

struct Result {
    struct Destroy {
        void operator()(nwgpu_result * result) const { nwgpu_result_destroy(result); }
    };

    std::unique_ptr<nwgpu_result, Destroy> handle;
    Pairing pairing;
    std::vector<uint64_t> queries, targets; // of each entry; filled when they are asked for
};

Object make_result_type();
Object make_column_type();
Object make_result(nwgpu_result * handle, Pairing pairing); // owns the handle from here on
Result & result_of(PyObject * given);                       // TypeError for another object

// The result as a list of nwgpu.Alignment.
Object alignments(nwgpu_result const * result, Pairing const & pairing);

} // namespace nwgpu_python
