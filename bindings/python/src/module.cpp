// SPDX-License-Identifier: BSD-3-Clause
// The module nwgpu._core: what of the package is compiled.
#include <cstring>

#include <nwgpu/nwgpu_experimental.h>

#include "context.hpp"
#include "result.hpp"
#include "scoring.hpp"

namespace nwgpu_python {

Object text(std::string_view utf8)
{
    return Object::take(PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace"));
}

Object attribute(char const * module, char const * name)
{
    Object const found = Object::take(PyImport_ImportModule(module));
    return Object::take(PyObject_GetAttrString(found.get(), name));
}

void raise(nwgpu_error const & error) noexcept
{
    guarded(
        [&] {
            Object const status =
                Object::take(PyObject_CallFunction(types.status, "i", static_cast<int>(error.status)));
            Object const pair = error.pair_index == UINT64_MAX
                                    ? Object::share(Py_None)
                                    : Object::take(PyLong_FromUnsignedLongLong(error.pair_index));
            Object const code = Object::take(PyLong_FromLong(error.cuda_code));
            Object const raised = Object::take(PyObject_CallFunctionObjArgs(
                types.error, text(error.message).get(), status.get(), pair.get(), code.get(), nullptr));
            PyErr_SetObject(types.error, raised.get());
            return 0;
        },
        0);
}

namespace {

PyObject * abi_version(PyObject *, PyObject *) noexcept { return PyLong_FromUnsignedLong(nwgpu_abi_version()); }

PyObject * version(PyObject *, PyObject *) noexcept { return PyUnicode_FromString(nwgpu_version_string()); }

PyObject * build_info(PyObject *, PyObject *) noexcept { return PyUnicode_FromString(nwgpu_build_info()); }

// A list of (backend, number, bytes of memory, summary).
PyObject * devices(PyObject *, PyObject *) noexcept
{
    return guarded([] {
        Object list = Object::take(PyList_New(0));
        for (int32_t const backend : {NWGPU_BACKEND_CPU, NWGPU_BACKEND_CUDA}) {
            for (uint64_t number = 0; number < nwgpu_device_count(backend); ++number) {
                nwgpu_device_info info = NWGPU_DEVICE_INFO_INIT;
                call(nwgpu_device_describe, backend, number, &info);
                char const * const name = backend == NWGPU_BACKEND_CPU ? "cpu" : "cuda";
                Object const item = Object::take(Py_BuildValue("sKKN", name, static_cast<unsigned long long>(number),
                                                               static_cast<unsigned long long>(info.memory_bytes),
                                                               text(info.summary).release()));
                require(PyList_Append(list.get(), item.get()));
            }
        }
        return list;
    });
}

// A list of (name, backend, affine, bits of modes, output level, paper, trace, parameters, limits, summary).
PyObject * algorithms(PyObject *, PyObject *) noexcept
{
    return guarded([] {
        Object list = Object::take(PyList_New(0));
        for (uint64_t index = 0; index < nwgpu_algorithm_count(); ++index) {
            nwgpu_algorithm_info info = NWGPU_ALGORITHM_INFO_INIT;
            call(nwgpu_algorithm_describe, index, &info);
            Object const item =
                Object::take(Py_BuildValue("siiiisssss", info.name, info.backend, info.affine, info.modes, info.output,
                                           info.paper, info.trace, info.parameters, info.limits, info.summary));
            require(PyList_Append(list.get(), item.get()));
        }
        return list;
    });
}

// The types of _types.py stay for as long as the process.
void take_types()
{
    types.error = attribute("nwgpu._types", "Error").release();
    types.status = attribute("nwgpu._types", "Status").release();
    types.ok = Object::take(PyObject_GetAttrString(types.status, "OK")).release();
    types.alignment = attribute("nwgpu._types", "Alignment").release();
    types.log = attribute("nwgpu._types", "log").release();
}

PyObject * make_module() noexcept
{
    static PyMethodDef functions[] = {method("abi_version", abi_version, METH_NOARGS, nullptr),
                                      method("version", version, METH_NOARGS, nullptr),
                                      method("build_info", build_info, METH_NOARGS, nullptr),
                                      method("devices", devices, METH_NOARGS, nullptr),
                                      method("algorithms", algorithms, METH_NOARGS, nullptr),
                                      method("matrix_names", matrix_names, METH_NOARGS, nullptr),
                                      method("rescore", rescore, METH_VARARGS, nullptr),
                                      {nullptr, nullptr, 0, nullptr}};
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, "nwgpu._core", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};
    return guarded([] {
        take_types();
        Object module = Object::take(PyModule_Create(&definition));
        require(PyModule_AddObjectRef(module.get(), "Context", make_context_type().get()));
        require(PyModule_AddObjectRef(module.get(), "Sequences", make_sequences_type().get()));
        require(PyModule_AddObjectRef(module.get(), "Scoring", make_scoring_type().get()));
        require(PyModule_AddObjectRef(module.get(), "Result", make_result_type().get()));
        require(PyModule_AddObjectRef(module.get(), "Column", make_column_type().get()));
        require(PyModule_AddIntConstant(module.get(), "ABI_VERSION", NWGPU_ABI_VERSION));
        return module;
    });
}

} // namespace
} // namespace nwgpu_python

PyMODINIT_FUNC PyInit__core() { return nwgpu_python::make_module(); }
