// Tells files of kernel times apart by their content.
#include "core/cost/import/read_profile.h"

#include "core/base/file/read_json.h"
#include "core/cost/device/device_name.h"
#include "core/cost/import/import_atlas.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/profile/profile_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr const char* readable = "a profile (`loadline bench --out`), a CSV with the columns "
                                 "kernel,shape,K,N,M,k_bits,time_us, or NVBench's --json";

/// Describes a file that is no known file of kernel times.
std::string otherContent(std::string_view text, const Json& document) {
    if (document.is_object()) {
        return "this JSON is neither a profile nor NVBench's output";
    }
    if (!document.is_discarded()) {
        return "this JSON is not an object";
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return "the file is empty";
    }
    if (text[first] == '{' || text[first] == '[') {
        return "this JSON is broken (is it cut?)";
    }
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.find_first_of(",;\t") != std::string_view::npos
               ? "the first line of this table does not name the columns kernel, M and time_us"
               : "this is neither JSON nor a table";
}

/// True if the file or its folder has the name of the H100 SXM ("h100_sxm/gemm.csv"), and of no other board.
bool isTableOfH100(std::string_view path) {
    const std::size_t file = path.find_last_of('/');
    const std::size_t folder =
        file == std::string_view::npos || file == 0 ? file : path.find_last_of('/', file - 1);
    std::string name(path.substr(folder == std::string_view::npos ? 0 : folder));
    std::ranges::replace_if(
        name, [](char c) { return c == '/' || c == '.'; }, ' ');
    return namesChipOf(name, "H100-SXM") && !namesOtherBoard(name, "H100-SXM");
}

} // namespace

Result<Profile> readProfile(std::string_view text, const std::string& path, const KernelNames& names) {
    if (text.starts_with("m,n,k,time_us")) {
        const bool h100 = isTableOfH100(path);
        return profileFromGemmCsv(text, path, h100 ? "NVIDIA H100 80GB HBM3" : "", h100 ? "H100-SXM" : "");
    }
    if (isKernelCsv(text)) {
        return profileFromKernelCsv(text, path, names);
    }
    if (isAtlasCsv(text, path)) {
        const Result<AtlasImport> table = readAtlasCsv(text, path);
        return table ? profileFromAtlas(*table) : table.error();
    }
    const Json document = jsonFrom(text);
    if (document.is_object() && document.contains("schema")) {
        return profileFromJson(text, path);
    }
    if (document.is_object() && document.contains("benchmarks")) {
        return profileFromNvbench(text, path, names);
    }
    if (document.is_object() && document.contains("runs")) {
        return profileFromKBitTimings(text, path);
    }
    return Error{.what = "not a profile: " + otherContent(text, document), .where = path, .remedy = readable};
}

} // namespace loadline
