// Marks what runs on the host and on a device alike.
#pragma once

#if defined(__CUDACC__)
#define LOADLINE_HD __host__ __device__
#else
#define LOADLINE_HD
#endif
