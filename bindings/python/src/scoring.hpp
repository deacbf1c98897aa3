// SPDX-License-Identifier: BSD-3-Clause
// The type Scoring: a scheme, and the matrix that it points to.
#pragma once

#include <memory>

#include "python.hpp"

namespace nwgpu_python {

struct Scoring {
    struct Destroy {
        void operator()(nwgpu_matrix * matrix) const { nwgpu_matrix_destroy(matrix); }
    };

    nwgpu_scoring scheme = NWGPU_SCORING_INIT;
    std::unique_ptr<nwgpu_matrix, Destroy> matrix;
};

Object make_scoring_type();

// A Scoring, or the name of one; TypeError for anything else.  The reference keeps it.
std::pair<nwgpu_scoring const *, Object> scoring_of(PyObject * given);

PyObject * rescore(PyObject * module, PyObject * arguments) noexcept;
PyObject * matrix_names(PyObject * module, PyObject *) noexcept;

} // namespace nwgpu_python
