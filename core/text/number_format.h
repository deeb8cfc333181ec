// Numbers for people: "1.2 M", "12 ms", "4 min 10 s", "98.2 %".
//
// One rule for the window, tables, text output and pictures:
// - What is counted one by one (sessions, calls, turns, files, requests, blocks, steps, users, rows) and what
//   somebody has set (a chunk, a limit) is written whole, in groups of three: formatExact, `counted`. Means
//   of such numbers keep their digits before the point: formatReal.
// - Amounts (tokens, weights, bytes, times, rates) have three digits and a unit: formatCount, formatBytes,
//   formatSeconds. Their exact value is in a tip or a table.
// - k, M and G are powers of 1000, also for tokens of a context and bytes; powers of 1024 are called GiB.
// - Groups are divided by U+202F, never by a comma, and the point is the decimal one. Documents for programs
//   (JSON, CSV) and what commands take have plain digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

/// Three significant digits with k, M, G, T: 950, 1.3 k, 1.2 M, 2.01 G. Exact below 1000.
std::string formatCount(double n);
/// Whole number with thin grouping for tooltips and tables: "29 856 681" (U+202F between groups).
std::string formatExact(std::int64_t n);
/// At least `digits` significant digits, all of those before the point, grouped like formatExact: "0.8423",
/// "31.42", "1 161", "1 086 083". "1.5e-07" below a millionth; "unknown" for no number.
std::string formatReal(double n, int digits = 4);
/// So many digits behind the point, grouped like formatExact: "1 161.30"; "unknown" for no number.
std::string formatFixed(double n, int decimals);
/// Formats a ratio of two amounts: "19.0", from 1000 on as formatCount.
std::string formatRatio(double n);
/// "0.82 to 1.03" of an interval of ratios: a bound beside 1 has the digits that tell its side. `to`: between
/// the two.
std::string formatTimes(double low, double high, int digits, std::string_view to = " to ");
/// "$1 205.30", "$12.34", "$0.0042": cents, and below a dollar two digits.
std::string formatUsd(double usd);
/// "2.01 GB", powers of 1000.
std::string formatBytes(std::uint64_t bytes);
inline constexpr double bytesPerGib = 1024.0 * 1024 * 1024;
/// Formats bytes in GiB throughout, as memories are sold and as vLLM speaks of them: "139 GiB", "12.3 GiB",
/// "0.04 GiB".
std::string formatGib(double bytes);
/// "480 ms", "12.4 s", "4 min 10 s", "2 h 05 min", "3 d 4 h"; negative: with a minus sign.
std::string formatDuration(std::int64_t ms);
/// Three significant digits with µs, ms or s, formatDuration from 100 s on: "850 µs", "1.31 ms", "12.4 s";
/// "unknown" for no number.
std::string formatSeconds(double s);
/// 0.982 -> "98.2 %"; tiny but not zero -> "< 0.1 %".
std::string formatShare(double share);
/// Formats a share in whole percent if `error`, a share too, is half a percent or more: "98 %", "< 1 %".
std::string formatShare(double share, double error);

} // namespace loadline
