// The one macro that the host's libstdc++ configuration asks of its C library.
#pragma once
#define __GLIBC_PREREQ(major, minor) 0
