// Kernel tables of others, read as profiles.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <string>
#include <string_view>

namespace loadline {

/// The RTX 4090 timings of the bitsandbytes k-bit branch (the JSON behind the published study): run e7d2fca8
/// with a9864dc7 as its repeat; large M of gateup; the sweep over experts. Dequantise at k = 4 as published;
/// at other k the report's bandwidth model, marked modelled. Times below the device's byte floor
/// are flagged warm. Nothing is filled in.
Result<Profile> profileFromKBitTimings(std::string_view json, const std::string& path);

/// AIConfigurator's GEMM table, "m,n,k,time_us" per line: fp16 cuBLAS alone. `device` and `hardware` are not
/// in the table. Times below the device's byte floor are flagged warm. A line that is not four numbers above
/// 0 is the Error, with its number.
Result<Profile> profileFromGemmCsv(std::string_view csv, const std::string& path, const std::string& device,
                                   const std::string& hardware);

} // namespace loadline
