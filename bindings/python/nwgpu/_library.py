# SPDX-License-Identifier: BSD-3-Clause
"""nwgpu.h and nwgpu_experimental.h in ctypes: constants, structs, functions, and the loaded library.

tests/header_test.py compares everything here with the two headers.
"""
import ctypes
import enum
import os
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32, c_uint64, \
    c_void_p

VERSION = "0.1.0"  # of the header that this file follows
ABI_VERSION = 1
NONE = 2**64 - 1  # UINT64_MAX: no such position, no such pair


class Status(enum.IntEnum):
    """nwgpu_status_code; the names are the header's without NWGPU_ and ERROR_."""

    OK = 0
    INVALID_ARGUMENT = 1
    INVALID_SEQUENCE = 2
    UNSUPPORTED = 3
    TOO_LARGE = 4
    INVALID_MATRIX = 5
    NOT_FOUND = 6
    BUSY = 7
    OUT_OF_HOST_MEMORY = 10
    OUT_OF_DEVICE_MEMORY = 11
    MEMORY_LIMIT = 12
    NO_DEVICE = 20
    DEVICE = 21
    DEVICE_LOST = 22
    CANCELLED = 30
    NO_TRACE = 31
    CHECKPOINT = 32
    DEADLINE = 33
    CALLBACK = 34
    COMMUNICATION = 35
    BELOW_MIN_SCORE = 40
    INTERNAL = 99

    @classmethod
    def _missing_(cls, value):
        """A later library may have statuses that this file does not know."""
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member


# The constants by the names that the Python API takes: NWGPU_MODE_FREE_ENDS is MODE["free_ends"].
BACKEND = {"auto": 0, "cpu": 1, "cuda": 2}
MODE = {"global": 0, "local": 1, "free_ends": 2}
FREE = {"query_begin": 1, "query_end": 2, "target_begin": 4, "target_end": 8}
OUTPUT = {"score": 0, "end": 1, "span": 2, "cigar": 3}
CIGAR = {"eqx": 0, "m": 1}
TIES = {"first": 0, "last_end": 1, "gaps_first": 2}
PAIRING = {"zip": 0, "all": 1, "list": 2}
LOG = {"info": 0, "warning": 1}

LogFunction = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
ProgressFunction = CFUNCTYPE(c_int32, c_void_p, c_uint64, c_uint64)
TransferFunction = CFUNCTYPE(c_int32, c_void_p, c_int32, c_void_p, c_uint64)
ProbeFunction = CFUNCTYPE(c_int32, c_void_p, POINTER(c_int32), POINTER(c_uint64))

ALL_DEVICES = 2**64 - 1


class _Sized(ctypes.Structure):
    """A struct whose first field is the size that the caller knows."""

    def __init__(self, **values):
        """Sets numbers and texts; raises ValueError for one that its field cannot hold (ctypes would cut it)."""
        super().__init__(struct_size=ctypes.sizeof(type(self)))
        for name, value in values.items():
            setattr(self, name, value)
            if getattr(self, name) != value:
                raise ValueError(f"{name} = {value!r} is out of range")


class ErrorInfo(_Sized):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("pair_index", c_uint64), ("cuda_code", c_int32),
                ("message", c_char * 252)]


class Communicator(_Sized):
    _fields_ = [("struct_size", c_uint32), ("rank", c_int32), ("size", c_int32), ("reserved", c_int32),
                ("fingerprint", c_uint64), ("user", c_void_p), ("send", TransferFunction), ("probe", ProbeFunction),
                ("receive", TransferFunction)]


class ContextOptions(_Sized):
    _fields_ = [("struct_size", c_uint32), ("backend", c_int32), ("device", c_int32), ("cpu_threads", c_int32),
                ("max_device_bytes", c_uint64), ("max_host_bytes", c_uint64), ("cuda_stream", c_void_p),
                ("log", LogFunction), ("log_user", c_void_p), ("cpu_isa", c_char_p), ("devices", POINTER(c_int32)),
                ("device_count", c_uint64), ("communicator", POINTER(Communicator))]


class ScoringScheme(_Sized):
    _fields_ = [("struct_size", c_uint32), ("match", c_int32), ("mismatch", c_int32), ("gap_open", c_int32),
                ("gap_extend", c_int32), ("alphabet_size", c_uint32), ("matrix", POINTER(c_int32)),
                ("letter_codes", POINTER(c_uint8))]


class Band(_Sized):
    _fields_ = [("struct_size", c_uint32), ("lower", c_int64), ("upper", c_int64)]


class Checkpoint(_Sized):
    _fields_ = [("struct_size", c_uint32), ("resume", c_int32), ("folder", c_char_p), ("seconds", c_double)]


class Top(_Sized):
    _fields_ = [("struct_size", c_uint32), ("alignments", c_uint64)]


class Control(_Sized):
    _fields_ = [("struct_size", c_uint32), ("progress", ProgressFunction), ("progress_user", c_void_p),
                ("deadline_seconds", c_double)]


class AlignOptions(_Sized):
    _fields_ = [("struct_size", c_uint32), ("mode", c_int32), ("free_ends", c_int32), ("output", c_int32),
                ("cigar_style", c_int32), ("ties", c_int32), ("pairing", c_int32), ("every_cell", c_int32),
                ("band", POINTER(Band)), ("top", POINTER(Top)), ("checkpoint", POINTER(Checkpoint)),
                ("control", POINTER(Control)), ("min_score", POINTER(c_int64))]


class EstimateInfo(_Sized):
    _fields_ = [("struct_size", c_uint32), ("pairs", c_uint64), ("cells", c_uint64), ("host_bytes", c_uint64),
                ("device_bytes", c_uint64), ("seconds", c_double), ("plan", c_char * 512)]


class DeviceInfo(_Sized):
    _fields_ = [("struct_size", c_uint32), ("backend", c_int32), ("memory_bytes", c_uint64), ("summary", c_char * 240)]


class MatrixInfo(_Sized):
    _fields_ = [("struct_size", c_uint32), ("alphabet_size", c_uint32), ("name", c_char_p)]


class AlgorithmInfo(_Sized):
    _fields_ = [("struct_size", c_uint32), ("backend", c_int32), ("affine", c_int32), ("modes", c_int32),
                ("output", c_int32), ("name", c_char_p), ("paper", c_char_p), ("trace", c_char_p),
                ("parameters", c_char_p), ("limits", c_char_p), ("summary", c_char_p)]


class Pair(ctypes.Structure):
    _fields_ = [("query", c_uint64), ("target", c_uint64)]


STRUCTS = {"nwgpu_error": ErrorInfo, "nwgpu_context_options": ContextOptions, "nwgpu_communicator": Communicator,
           "nwgpu_scoring": ScoringScheme,
           "nwgpu_band": Band, "nwgpu_checkpoint": Checkpoint, "nwgpu_top": Top, "nwgpu_control": Control,
           "nwgpu_align_options": AlignOptions, "nwgpu_estimate": EstimateInfo, "nwgpu_device_info": DeviceInfo,
           "nwgpu_matrix_info": MatrixInfo, "nwgpu_algorithm_info": AlgorithmInfo, "nwgpu_pair": Pair}

# Handles are c_void_p, and so are the addresses of letters (for which bytes may be given) and runs.
_error, _handle = POINTER(ErrorInfo), c_void_p
_problem = [_handle, _handle, _handle, POINTER(Pair), c_uint64, POINTER(ScoringScheme), POINTER(AlignOptions)]
FUNCTIONS = {  # name: result, parameters
    "nwgpu_abi_version": (c_uint32, []),
    "nwgpu_version_string": (c_char_p, []),
    "nwgpu_build_info": (c_char_p, []),
    "nwgpu_context_create": (c_int32, [POINTER(ContextOptions), POINTER(_handle), _error]),
    "nwgpu_context_destroy": (None, [_handle]),
    "nwgpu_context_backend_name": (c_char_p, [_handle]),
    "nwgpu_context_threads": (c_int32, [_handle]),
    "nwgpu_context_trim": (c_int32, [_handle, _error]),
    "nwgpu_context_cancel": (None, [_handle]),
    "nwgpu_context_set_algorithm": (c_int32, [_handle, c_char_p, _error]),
    "nwgpu_device_count": (c_uint64, [c_int32]),
    "nwgpu_device_describe": (c_int32, [c_int32, c_uint64, POINTER(DeviceInfo), _error]),
    "nwgpu_algorithm_count": (c_uint64, []),
    "nwgpu_algorithm_describe": (c_int32, [c_uint64, POINTER(AlgorithmInfo), _error]),
    "nwgpu_matrix_count": (c_uint64, []),
    "nwgpu_matrix_describe": (c_int32, [c_uint64, POINTER(MatrixInfo), _error]),
    "nwgpu_matrix_create": (c_int32, [c_char_p, POINTER(_handle), _error]),
    "nwgpu_matrix_parse": (c_int32, [c_char_p, c_uint64, POINTER(_handle), _error]),
    "nwgpu_matrix_destroy": (None, [_handle]),
    "nwgpu_matrix_alphabet_size": (c_uint32, [_handle]),
    "nwgpu_matrix_scores": (POINTER(c_int32), [_handle]),
    "nwgpu_matrix_letter_codes": (POINTER(c_uint8), [_handle]),
    "nwgpu_alphabet_letter_codes": (POINTER(c_uint8), [c_char_p]),
    "nwgpu_sequences_create": (c_int32, [_handle, c_void_p, POINTER(c_uint64), c_uint64, POINTER(_handle), _error]),
    "nwgpu_sequences_destroy": (None, [_handle]),
    "nwgpu_align_estimate": (c_int32, [*_problem, POINTER(EstimateInfo), _error]),
    "nwgpu_align": (c_int32, [*_problem, POINTER(_handle), _error]),
    "nwgpu_traceback": (c_int32, [_handle, _handle, _handle, _handle, POINTER(c_uint64), c_uint64, POINTER(Control),
                                  POINTER(_handle), _error]),
    "nwgpu_result_count": (c_uint64, [_handle]),
    "nwgpu_result_pairs": (POINTER(c_uint64), [_handle]),
    "nwgpu_result_statuses": (POINTER(c_int32), [_handle]),
    "nwgpu_result_pair_error": (None, [_handle, c_uint64, _error]),
    "nwgpu_result_scores": (POINTER(c_int64), [_handle]),
    "nwgpu_result_spans": (POINTER(c_uint64), [_handle]),
    "nwgpu_result_cigars": (c_int32, [_handle, POINTER(c_void_p), POINTER(POINTER(c_uint64)), _error]),
    "nwgpu_result_destroy": (None, [_handle]),
    "nwgpu_cigar_to_text": (c_uint64, [c_void_p, c_uint64, c_char_p, c_uint64]),
    "nwgpu_cigar_score": (c_int32, [c_void_p, c_uint64, c_void_p, c_uint64, POINTER(ScoringScheme), c_void_p, c_uint64,
                                    POINTER(c_int64), _error]),
}


def _load():
    name = os.environ.get("NWGPU_LIBRARY") or f"libnwgpu.so.{ABI_VERSION}"
    try:
        library = ctypes.CDLL(name)
        found = library.nwgpu_abi_version()
        library.nwgpu_version_string.restype = c_char_p
        version = library.nwgpu_version_string().decode()
        if found != ABI_VERSION:
            raise ImportError(f"{name} is nwgpu {version} with ABI {found}; this package ({VERSION}) is for ABI "
                              f"{ABI_VERSION}: install both from the same release")
        for function, (result, parameters) in FUNCTIONS.items():
            getattr(library, function).restype = result
            getattr(library, function).argtypes = parameters
    except (OSError, AttributeError) as failure:
        raise ImportError(f"nwgpu: cannot load the library ({failure}); put the path of libnwgpu.so.{ABI_VERSION} into "
                          "the environment variable NWGPU_LIBRARY, or its folder into LD_LIBRARY_PATH") from failure
    return library


library = _load()


class Error(Exception):
    """A call of the library that failed as a whole.

    status     a Status
    pair       index of the offending pair, or None
    cuda_code  the cudaError_t, or 0
    """

    def __init__(self, message, status, pair=None, cuda_code=0):
        super().__init__(message)
        self.status = status
        self.pair = pair
        self.cuda_code = cuda_code

    def __str__(self):
        return f"{self.args[0]} ({self.status.name})"

    def __reduce__(self):
        return type(self), (self.args[0], self.status, self.pair, self.cuda_code)


def call(function, *arguments):
    """Calls a function whose last parameter is an nwgpu_error; raises Error unless it returns OK."""
    info = ErrorInfo(pair_index=NONE)
    status = getattr(library, function)(*arguments, ctypes.byref(info))
    if status != Status.OK:
        pair = None if info.pair_index == NONE else info.pair_index
        raise Error(info.message.decode("utf-8", "replace"), Status(status), pair, info.cuda_code)


def choose(choices, name, what):
    """The constant of that name; raises ValueError with the names that there are."""
    if name not in choices:
        raise ValueError(f"{what} = {name!r} is none of {', '.join(map(repr, choices))}")
    return choices[name]
