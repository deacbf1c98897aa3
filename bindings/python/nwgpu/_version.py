# SPDX-License-Identifier: BSD-3-Clause
VERSION = "0.1.0"  #: of the header that the package follows
