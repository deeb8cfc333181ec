// Reads the k-bit timings and GEMM tables of others.
#include "core/cost/import/import_timings.h"

#include "core/base/file/read_json.h"
#include "core/cost/estimate/least_time.h"
#include "core/cost/kernel/time_limits.h"
#include "core/cost/profile/unsteady.h"
#include "core/cost/shapes/shape_limits.h"
#include "core/text/json/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

namespace loadline {
namespace {

using Json = nlohmann::json;

std::optional<double> timeAt(const Json& object, std::string_view key) {
    const Json& value = memberOf(object, key);
    const double time = value.is_number() ? value.get<double>() : 0;
    return isKernelTime(time) ? std::optional(time) : std::nullopt;
}

/// Shapes the report groups under one name.
constexpr std::array<std::pair<const char*, const char*>, 5> reportShapes = {
    {{"gateup", "gateup/down"}, {"down", "gateup/down"}, {"Q", "Q/O"}, {"O", "Q/O"}, {"KV", "KV"}}};

class KBitTimings {
public:
    explicit KBitTimings(const Json& document) : document_(document) {}

    Profile read() {
        profile_.name = "RTX 4090, published";
        profile_.source = "T. Dettmers, bitsandbytes k-bit branch, kernel timings of 2026-02-21 "
                          "(e7d2fca8; repeated 2026-02-22, a9864dc7; MIT licence)";
        profile_.device = "NVIDIA GeForce RTX 4090";
        profile_.hardware = "RTX4090";
        profile_.method =
            "k-bit kernels: ncu gpu__time_duration.avg of 5 launches; fp16: CUDA events over 200 "
            "back-to-back calls on the same operands. Two methods: they are not alike";
        profile_.date = "2026-02-21";
        for (const auto& [name, sides] : memberOf(document_, "shapes").items()) {
            if (!sides.is_array() || sides.size() != 2 || !sides[0].is_number_integer() ||
                !sides[1].is_number_integer()) {
                continue;
            }
            const bool experts = name.starts_with("moe");
            const GemmSize size{.k = sides[0].get<std::int64_t>(), .n = sides[1].get<std::int64_t>()};
            readRuns(name, size, experts);
            readSweeps(name, size, experts);
            readDequantise(name, size, experts);
        }
        return std::move(profile_);
    }

private:
    int activeExperts(bool experts) const {
        const Json& given = memberOf(document_, "moe_active_experts");
        if (!experts || !given.is_number_integer()) {
            return 1;
        }
        const double count = given.get<double>();
        return count >= 1 && count <= static_cast<double>(mostExperts) ? static_cast<int>(count) : 0;
    }

    ProfilePoint& add(Kernel kernel, GemmSize size, bool experts, std::int64_t rowsM, int kBits,
                      double timeUs, std::string source) {
        profile_.points.push_back({.kernel = kernel,
                                   .size = size,
                                   .experts = activeExperts(experts),
                                   .rowsM = rowsM,
                                   .kBits = kBits,
                                   .timeUs = timeUs,
                                   .p25Us = {},
                                   .p75Us = {},
                                   .repeatUs = {},
                                   .samples = readsKBits(kernel) ? 5 : 200,
                                   .flags = {},
                                   .origin = PointOrigin::Published,
                                   .source = std::move(source)});
        return profile_.points.back();
    }

    void readSeries(Kernel kernel, const Json& first, const Json& again, GemmSize size, bool experts,
                    int kBits) {
        for (const auto& [rows, time] : first.items()) {
            std::int64_t rowsM = 0;
            const auto [end, problem] = std::from_chars(rows.data(), rows.data() + rows.size(), rowsM);
            const auto timeUs = timeAt(first, rows);
            if (problem == std::errc{} && end == rows.data() + rows.size() && rowsM > 0 && timeUs) {
                add(kernel, size, experts, rowsM, kBits, *timeUs, "").repeatUs = timeAt(again, rows);
            }
        }
    }

    void readRuns(const std::string& name, GemmSize size, bool experts) {
        const Json& first = memberOf(memberOf(document_, "runs"), "e7d2fca8");
        const Json& again = memberOf(memberOf(document_, "runs"), "a9864dc7");
        const char* const scalar = experts ? "grouped" : "scalar";
        const char* const mma = experts ? "grouped_mma" : "mma";
        for (int k = minKBits; k <= maxKBits; ++k) {
            const std::string bits = fmt::format("k={}", k);
            // The repeat of the grouped scalar kernel is a copy of the first run, not a measurement.
            readSeries(formOf(Kernel::Scalar, experts),
                       memberOf(memberOf(memberOf(first, scalar), name), bits),
                       experts ? Json::object() : memberOf(memberOf(memberOf(again, scalar), name), bits),
                       size, experts, k);
            readSeries(formOf(Kernel::Mma, experts), memberOf(memberOf(memberOf(first, mma), name), bits),
                       memberOf(memberOf(memberOf(again, mma), name), bits), size, experts, k);
        }
        readSeries(fp16Kernel(experts), memberOf(memberOf(first, "cublas_fp16"), name),
                   memberOf(memberOf(again, "cublas_fp16"), name), size, experts, fp16Bits);
    }

    void addBeyond(Kernel kernel, const Json& rows, const Json& times, GemmSize size, bool experts,
                   const std::string& source) {
        const int kBits = readsKBits(kernel) ? 4 : fp16Bits;
        for (std::size_t i = 0;
             rows.is_array() && times.is_array() && i < std::min(rows.size(), times.size()); ++i) {
            const double timeUs = times[i].is_number() ? times[i].get<double>() : 0;
            if (!rows[i].is_number_integer() || !isKernelTime(timeUs)) {
                continue;
            }
            const auto rowsM = rows[i].get<std::int64_t>();
            ProfilePoint* known = nullptr;
            for (ProfilePoint& point : profile_.points) {
                if (point.kernel == kernel && point.size == size && point.rowsM == rowsM &&
                    point.kBits == kBits && point.experts == activeExperts(experts)) {
                    known = &point;
                }
            }
            if (known == nullptr) {
                add(kernel, size, experts, rowsM, kBits, timeUs, source);
            } else if (!known->repeatUs) {
                known->repeatUs = timeUs;
            }
        }
    }

    void readSweeps(const std::string& name, GemmSize size, bool experts) {
        const Json& large = memberOf(memberOf(document_, "dense_large_M_k4"), name);
        const std::string spec = "the k-bit branch's spec, large M at k = 4";
        addBeyond(Kernel::Mma, memberOf(large, "M"), memberOf(large, "mma"), size, false, spec);
        addBeyond(Kernel::CublasFp16, memberOf(large, "M"), memberOf(large, "fp16"), size, false, spec);
        if (experts) {
            const Json& sweep = memberOf(document_, "moe_sweep_k4_8experts");
            const std::string source = "the k-bit branch's sweep over 8 experts at k = 4";
            addBeyond(Kernel::GroupedMma, memberOf(sweep, "M_per_expert"), memberOf(sweep, name + "_kbit"),
                      size, true, source);
            addBeyond(Kernel::BatchedFp16, memberOf(sweep, "M_per_expert"), memberOf(sweep, name + "_fp16"),
                      size, true, source);
        }
    }

    void readDequantise(const std::string& name, GemmSize size, bool experts) {
        const Json& all = memberOf(document_, "dequant_us");
        if (experts) {
            if (const auto timeUs = timeAt(all, "moe 8 experts 8.4M elements ncu")) {
                add(Kernel::Dequantise, size, true, 0, 4, *timeUs,
                    "the k-bit branch's report, ncu, 8 experts");
            }
            return;
        }
        if (const auto timeUs = timeAt(memberOf(all, "spec df55daf8 k=4"), name)) {
            add(Kernel::Dequantise, size, false, 0, 4, *timeUs,
                "the k-bit branch's spec at df55daf8, rounded");
        }
        const Json& report = memberOf(all, "benchmarking-report.md 6e85f4d3 (bandwidth model 815 GB/s)");
        for (const auto& [shape, group] : reportShapes) {
            for (const int k : {2, 3, 5}) {
                const auto timeUs =
                    name == shape ? timeAt(memberOf(report, group), fmt::format("k={}", k)) : std::nullopt;
                if (timeUs) {
                    add(Kernel::Dequantise, size, false, 0, k, *timeUs,
                        "the k-bit branch's report at 6e85f4d3: a bandwidth model at 815 GB/s, not a "
                        "measurement")
                        .origin = PointOrigin::Modelled;
                }
            }
        }
    }

    const Json& document_;
    Profile profile_;
};

/// A whole number that K, N or M can be.
bool isSideLength(double side) {
    return side >= 1 && side <= static_cast<double>(mostSide) && side == std::floor(side);
}

/// Leaves out what the form of a profile cannot hold: numbers out of range, and points that stand twice.
void keepSane(std::vector<ProfilePoint>& points) {
    std::set<std::tuple<Kernel, GemmSize, int, std::int64_t, int>> seen;
    std::erase_if(points, [&](const ProfilePoint& point) {
        const bool rows =
            point.kernel == Kernel::Dequantise || isSideLength(static_cast<double>(point.rowsM));
        const bool sides = isSideLength(static_cast<double>(point.size.k)) &&
                           isSideLength(static_cast<double>(point.size.n));
        return !rows || !sides || point.experts < 1 ||
               !seen.insert({point.kernel, point.size, point.experts, point.rowsM, point.kBits}).second;
    });
}

} // namespace

Result<Profile> profileFromKBitTimings(std::string_view json, const std::string& path) {
    const Json document = jsonFrom(json);
    Profile profile;
    if (!document.is_discarded()) {
        profile = KBitTimings(document).read();
        keepSane(profile.points);
    }
    if (profile.points.empty()) {
        return Error{
            .what = "no k-bit kernel timings in it",
            .where = path,
            .remedy = "a JSON file with \"shapes\" and \"runs\", or a profile written by `loadline bench`"};
    }
    for (ProfilePoint& point : profile.points) {
        if (point.origin == PointOrigin::Modelled) {
            point.samples = 0;
        }
    }
    flagFasterThanDevice(profile, warmFlag); // calls followed each other on the same operands
    return profile;
}

Result<Profile> profileFromGemmCsv(std::string_view csv, const std::string& path, const std::string& device,
                                   const std::string& hardware) {
    Profile profile;
    profile.name = device.empty() ? "GEMM table" : device + ", published GEMM table";
    profile.source = "AIConfigurator GEMM table (Apache-2.0)";
    profile.device = device;
    profile.hardware = hardware;
    profile.method = "CUDA graphs of bf16 linear layers, up to 6 weight copies; not measured here";
    std::set<std::tuple<double, double, double>> seen;
    std::size_t lineNumber = 0;
    std::size_t begin = 0;
    while (begin < csv.size()) {
        std::size_t end = csv.find('\n', begin);
        end = end == std::string_view::npos ? csv.size() : end;
        std::string_view line = csv.substr(begin, end - begin);
        begin = end + 1;
        ++lineNumber;
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || (lineNumber == 1 && line == "m,n,k,time_us")) {
            continue;
        }
        std::array<double, 4> values{};
        const char* at = line.data();
        const char* const stop = line.data() + line.size();
        bool good = true;
        for (std::size_t i = 0; good && i < values.size(); ++i) {
            const auto [next, problem] = std::from_chars(at, stop, values.at(i));
            good = problem == std::errc{} && values.at(i) > 0 &&
                   (i + 1 < values.size() ? next < stop && *next == ',' : next == stop);
            at = good && next < stop ? next + 1 : next;
        }
        const auto [m, n, k, timeUs] = values;
        if (!good || !isSideLength(m) || !isSideLength(n) || !isSideLength(k) || !isKernelTime(timeUs)) {
            return Error{.what = "not a GEMM table: a line is not \"m,n,k,time_us\" with numbers above 0",
                         .where = fmt::format("{}, line {}", path, lineNumber),
                         .remedy = "a table with the header \"m,n,k,time_us\""};
        }
        if (!seen.insert({m, n, k}).second) {
            return Error{.what = fmt::format("not a GEMM table: {} x {} at M = {} stands twice", k, n, m),
                         .where = fmt::format("{}, line {}", path, lineNumber),
                         .remedy = "one line for each"};
        }
        profile.points.push_back(
            {.kernel = Kernel::CublasFp16,
             .size = {.k = static_cast<std::int64_t>(k), .n = static_cast<std::int64_t>(n)},
             .rowsM = static_cast<std::int64_t>(m),
             .timeUs = timeUs,
             .p25Us = {},
             .p75Us = {},
             .repeatUs = {},
             .flags = {},
             .origin = PointOrigin::Published,
             .source = {}});
    }
    if (profile.points.empty()) {
        return Error{
            .what = "the GEMM table is empty", .where = path, .remedy = "a table with at least one line"};
    }
    flagFasterThanDevice(profile, warmFlag); // six copies of a small weight fit a cache
    return profile;
}

} // namespace loadline
