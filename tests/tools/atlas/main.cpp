// loadline_pack_atlas FOLDER OUT [--gpu KEY] [--sources FILE]: packs the kernel tables of one GPU. FOLDER
// holds KIND.csv, also compressed (.xz, .gz, .zst); OUT/KEY/KIND.atlas are written. KEY is the folder's name
// with hyphens unless it is given. FILE says where the tables come from (sources.json).
#include "core/base/file/archive.h"
#include "core/base/file/read_file.h"
#include "core/base/file/write_file.h"
#include "core/cost/atlas/atlas.h"
#include "core/cost/atlas/atlas_csv.h"
#include "core/cost/atlas/atlas_file.h"
#include "core/text/plain_words.h"
#include "tests/tools/atlas/atlas_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace loadline;

constexpr std::uint64_t mostCsvBytes = std::uint64_t{1} << 30;

struct PackAtlasOptions {
    std::string folder, out, gpu, sources;
};

bool take(int count, char** words, PackAtlasOptions& options) {
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        std::string* const option = word == "--gpu"       ? &options.gpu
                                    : word == "--sources" ? &options.sources
                                                          : nullptr;
        if (option != nullptr && i + 1 < count) {
            *option = words[++i];
        } else if (option == nullptr && options.folder.empty()) {
            options.folder = word;
        } else if (option == nullptr && options.out.empty()) {
            options.out = word;
        } else {
            return false;
        }
    }
    options.folder = withoutLastSlashes(options.folder);
    if (options.gpu.empty()) {
        options.gpu = nameOfFile(options.folder);
        std::ranges::replace(options.gpu, '_', '-');
    }
    return !options.out.empty();
}

Result<std::string> textOfCsv(const std::string& path) {
    if (path.ends_with(".csv")) {
        return readWholeFile(path, "the table");
    }
    std::string text;
    const Status status = readCompressed(path, mostCsvBytes, {}, nullptr, [&](std::string_view bytes) {
        text += bytes;
        return true;
    });
    return status ? Result<std::string>(std::move(text)) : Result<std::string>(status.error());
}

/// Packs one table; returns the size of its file.
Result<std::size_t> packTable(const std::string& path, const PackAtlasOptions& options,
                              const std::vector<AtlasSourceRule>& rules) {
    const Result<std::string> text = textOfCsv(path);
    if (!text) {
        return text.error();
    }
    const Result<AtlasKind> kind = atlasKindOfCsv(*text, path);
    if (!kind) {
        return kind.error();
    }
    Result<AtlasCsv> csv = atlasTableFromCsv(*text, *kind, path);
    if (!csv) {
        return csv.error();
    }
    for (const Diagnostic& odd : csv->diagnostics) {
        fmt::print("{}, {}: {}\n", path, linesOf(odd, 1), diagnosticSentence(odd));
    }
    csv->table.source = sourceOf(rules, options.gpu, specOf(*kind).key);
    const Result<std::string> bytes = packed(csv->table);
    if (!bytes) {
        return bytes.error();
    }
    const Status written = writeFile(options.out + "/" + atlasFileName(options.gpu, *kind), *bytes);
    return written ? Result<std::size_t>(bytes->size()) : Result<std::size_t>(written.error());
}

/// Packs all tables; returns the size of their files.
Result<std::size_t> packFolder(const PackAtlasOptions& options) {
    std::vector<AtlasSourceRule> rules;
    if (!options.sources.empty()) {
        const Result<std::string> json = readWholeFile(options.sources, "the sources");
        if (!json) {
            return json.error();
        }
        auto read = sourceRulesFrom(*json, options.sources);
        if (!read) {
            return read.error();
        }
        rules = std::move(*read);
    }
    std::error_code failed;
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder, failed)) {
        if (entry.path().filename().string().find(".csv") != std::string::npos) {
            paths.push_back(entry.path().string());
        }
    }
    if (paths.empty()) {
        return Error{"there are no tables to pack", options.folder, "a folder of KIND.csv"};
    }
    std::filesystem::create_directories(options.out + "/" + options.gpu, failed);
    std::ranges::sort(paths);
    std::size_t all = 0;
    for (const std::string& path : paths) {
        const Result<std::size_t> size = packTable(path, options, rules);
        if (!size) {
            return size.error();
        }
        all += *size;
    }
    fmt::print("{}: {} tables, {} bytes\n", options.gpu, paths.size(), all);
    return all;
}

} // namespace

int main(int count, char** words) {
    PackAtlasOptions options;
    if (!take(count, words, options)) {
        fmt::print(stderr, "loadline_pack_atlas FOLDER OUT [--gpu KEY] [--sources FILE]\n");
        return 2;
    }
    const Result<std::size_t> size = packFolder(options);
    if (!size) {
        fmt::print(stderr, "loadline_pack_atlas: {}\n", size.error().sentence());
        return 1;
    }
    return 0;
}
