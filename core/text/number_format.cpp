// Rounding and unit words for counts, bytes, durations and shares.
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace loadline {
namespace {

/// Three significant digits without trailing zeros: 1.3, 2.01, 12.3, 123.
std::string threeDigits(double n) {
    const double size = std::abs(n);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    std::string text = fmt::format("{:.{}f}", n, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') {
            text.pop_back();
        }
    }
    return text == "-0" ? "0" : text;
}

struct Scaled {
    double value = 0;
    std::size_t step = 0;
};

/// Divides by 1000 until the value, as it will be rounded, has at most three digits.
Scaled scaled(double n, std::size_t steps) {
    Scaled result{n, 0};
    while (result.step + 1 < steps && std::abs(result.value) >= 999.5) {
        result.value /= 1000;
        ++result.step;
    }
    return result;
}

std::string positiveDuration(std::uint64_t ms) {
    if (ms < 1000) {
        return fmt::format("{} ms", ms);
    }
    if (const std::uint64_t tenths = (ms + 50) / 100; tenths < 600) {
        return fmt::format("{}.{} s", tenths / 10, tenths % 10);
    }
    if (const std::uint64_t seconds = (ms + 500) / 1000; seconds < 3600) {
        return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
    }
    if (const std::uint64_t minutes = (ms + 30'000) / 60'000; minutes < 24 * 60) {
        return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
    }
    const std::uint64_t hours = (ms + 1'800'000) / 3'600'000;
    return fmt::format("{} d {} h", hours / 24, hours % 24);
}

/// Whole part grouped, `decimals` behind the point.
std::string grouped(double n, int decimals) {
    const std::string text = fmt::format("{:.{}f}", std::abs(n), decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string whole = formatExact(static_cast<std::int64_t>(std::stoll(text.substr(0, point))));
    const bool isZero = text.find_first_not_of("0.") == std::string::npos;
    return (n < 0 && !isZero ? "-" : "") + whole + text.substr(point);
}

/// Returns the power of ten of the first digit: 2 for 314, -1 for 0.25.
int powerOf(double n) {
    return static_cast<int>(std::floor(std::log10(std::abs(n))));
}

constexpr double leastPlain = 1e-6;
constexpr double mostPlain = 1e15;

} // namespace

std::string formatCount(double n) {
    if (!std::isfinite(n)) {
        return std::isnan(n) ? "unknown" : n < 0 ? "-\u221e" : "\u221e";
    }
    static constexpr std::array<std::string_view, 7> units = {"", " k", " M", " G", " T", " P", " E"};
    const Scaled s = scaled(n, units.size());
    if (s.step == 0 && n == std::floor(n)) {
        return fmt::format("{:.0f}", n);
    }
    return threeDigits(s.value).append(units[s.step]);
}

std::string formatExact(std::int64_t n) {
    const std::string digits = fmt::format("{}", n);
    const std::size_t first = n < 0 ? 1 : 0;
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0) {
            text += "\u202f";
        }
        text += digits[i];
    }
    return text;
}

std::string formatReal(double n, int digits) {
    if (!std::isfinite(n)) {
        return formatCount(n);
    }
    const double size = std::abs(n);
    if (n == 0) {
        return "0";
    }
    if (size < leastPlain || size >= mostPlain) {
        return fmt::format("{:.{}g}", n, digits);
    }
    std::string text = grouped(n, std::max(0, digits - 1 - powerOf(n)));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
    }
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

std::string formatFixed(double n, int decimals) {
    return std::isfinite(n) && std::abs(n) < mostPlain ? grouped(n, decimals) : formatCount(n);
}

std::string formatRatio(double n) {
    return n < 1000 ? formatFixed(n, 1) : formatCount(n);
}

std::string formatTimes(double low, double high, int digits, std::string_view to) {
    constexpr int most = 6;
    const auto bound = [digits](double value) {
        std::string text = formatReal(value, digits);
        for (int more = digits + 1; text == "1" && value != 1 && more <= most; ++more) {
            text = formatReal(value, more);
        }
        return text;
    };
    return bound(low).append(to) + bound(high);
}

std::string formatUsd(double usd) {
    return "$" + (usd > 0 && usd < 0.995 ? formatReal(usd, 2) : formatFixed(usd, 2));
}

std::string formatBytes(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 7> units = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};
    const Scaled s = scaled(static_cast<double>(bytes), units.size());
    return threeDigits(s.value).append(units[s.step]);
}

std::string formatGib(double bytes) {
    const double gib = bytes / bytesPerGib;
    return fmt::format("{:.{}f} GiB", gib, gib >= 100 ? 0 : gib >= 1 ? 1 : 2);
}

std::string formatDuration(std::int64_t ms) {
    if (ms >= 0) {
        return positiveDuration(static_cast<std::uint64_t>(ms));
    }
    return "-" + positiveDuration(-static_cast<std::uint64_t>(ms)); // also right for the smallest value
}

std::string formatSeconds(double s) {
    if (std::isnan(s)) {
        return "unknown";
    }
    const double size = std::abs(s);
    return size == 0     ? "0 s"
           : size < 1e-3 ? threeDigits(s * 1e6) + " \u00b5s"
           : size < 1    ? threeDigits(s * 1e3) + " ms"
           : size < 100  ? threeDigits(s) + " s"
                         : formatDuration(std::llround(s * 1e3));
}

std::string formatShare(double share) {
    if (std::isnan(share)) {
        return "unknown";
    }
    if (share == 0 || share == 1) {
        return share == 0 ? "0 %" : "100 %";
    }
    if (share > 0 && share < 0.001) {
        return "< 0.1 %";
    }
    if (share < 1 && share >= 0.9995) {
        return "> 99.9 %"; // not everything, so never "100 %"
    }
    return fmt::format("{:.1f} %", share * 100);
}

std::string formatShare(double share, double error) {
    constexpr double wholePercent = 0.005;
    if (error < wholePercent || !std::isfinite(share) || share == 0 || share == 1) {
        return formatShare(share);
    }
    if (share > 0 && share < wholePercent) {
        return "< 1 %";
    }
    if (share < 1 && share >= 1 - wholePercent) {
        return "> 99 %";
    }
    return fmt::format("{:.0f} %", share * 100);
}

} // namespace loadline
