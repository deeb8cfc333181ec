// Reads the folder `profile` of a recorded run.
#include "core/replay/tables/layer_tables.h"

#include "core/base/file/read_file.h"
#include "core/replay/tables/plain_yaml.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

constexpr double longestUs = 1e9;
constexpr std::size_t mostTableBytes = std::size_t{256} << 20;
constexpr std::size_t mostAxisPoints = 128;

std::string inFolder(const std::string& folder, const char* name) {
    return (std::filesystem::path(folder) / name).string();
}

Error notATable(const std::string& why, const std::string& path, std::uint64_t line = 0) {
    return {fmt::format("not a table of layer times: {}", why),
            line == 0 ? path : fmt::format("{}, line {}", path, line),
            "the tables as LLMServingSim's profiler writes them"};
}

std::optional<double> timeFrom(std::string_view text) {
    const std::optional<double> time = realFrom(text);
    return time && *time >= 0 && *time <= longestUs ? time : std::nullopt;
}

/// The columns of one table: text is kept for the first column where `named`, the others are numbers.
class TableReader {
public:
    TableReader(std::string_view text, std::string path, std::initializer_list<std::string_view> columns)
        : text_(text), path_(std::move(path)), columns_(columns) {}

    /// Calls take(name, numbers) for each row; numbers without the name's column, the last the time.
    template <typename Take>
    Status read(bool named, Take take) const {
        TraceLines lines(text_);
        const CsvHeader header(lines.next().value_or(TraceLine{}).text);
        std::vector<std::size_t> at;
        for (const std::string_view column : columns_) {
            const auto found = header.find(column);
            if (!found) {
                return notATable(fmt::format("the column {} is missing", column), path_);
            }
            at.push_back(*found);
        }
        const std::size_t first = named ? 1 : 0;
        std::vector<double> numbers(columns_.size() - first);
        CsvRow row;
        std::size_t rows = 0;
        while (const auto line = lines.next()) {
            row.split(line->text);
            for (std::size_t i = first; i < columns_.size(); ++i) {
                const bool isTime = i + 1 == columns_.size();
                std::optional<double> number = timeFrom(row.at(at[i]));
                if (!isTime && number && !tokensFrom(row.at(at[i]))) {
                    number.reset();
                }
                if (!number) {
                    return notATable(fmt::format("{} is no {}", columns_[i],
                                                 isTime ? "time in microseconds" : "whole number"),
                                     path_, line->number);
                }
                numbers[i - first] = *number;
            }
            take(named ? row.at(at[0]) : std::string_view(), std::span<const double>(numbers));
            ++rows;
        }
        if (rows == 0) {
            return notATable("it has no rows", path_);
        }
        return Done{};
    }

private:
    std::string_view text_;
    std::string path_;
    std::vector<std::string_view> columns_;
};

using Curves = std::map<std::string, LinearCurve, std::less<>>;
using Meta = std::map<std::string, std::string, std::less<>>;

Status readCurves(std::string_view text, const std::string& path, std::string_view axis,
                  std::initializer_list<std::string_view> needed, Curves& curves) {
    std::map<std::string, std::vector<std::pair<double, double>>> points;
    const TableReader reader(text, path, {"layer", axis, "time_us"});
    Status read = reader.read(true, [&](std::string_view layer, std::span<const double> numbers) {
        points[std::string(layer)].emplace_back(numbers[0], numbers[1]);
    });
    if (!read) {
        return read;
    }
    for (auto& [layer, line] : points) {
        curves.emplace(layer, LinearCurve(std::move(line)));
    }
    for (const std::string_view layer : needed) {
        if (!curves.contains(layer)) {
            return notATable(fmt::format("the layer {} is missing", layer), path);
        }
    }
    return Done{};
}

bool holdsSkewFit(const Meta& meta) {
    const auto found = meta.find("skew_fit.enabled");
    return found != meta.end() && found->second == "true";
}

Status takeMeta(const Meta& meta, std::string_view skewFit, const std::string& folder,
                std::int64_t tensorParallel, LayerTables& tables) {
    const auto said = [&](const char* key) {
        const auto found = meta.find(key);
        return found == meta.end() ? std::string() : found->second;
    };
    tables.gpu = said("gpu");
    tables.profiledAt = said("profiled_at");
    tables.vllmVersion = said("vllm_version");
    if (!holdsSkewFit(meta)) {
        tables.notes.emplace_back("unequal contexts of decodes are not corrected: the profile says that its "
                                  "skew fit was not taken on this GPU");
        return Done{};
    }
    Result<SkewFit> fit = readSkewFit(skewFit, meta, tensorParallel);
    if (!fit) {
        const std::string path = inFolder(folder, "skew_fit.csv");
        const std::string& where = fit.error().where;
        return Error{"not a skew fit: " + fit.error().what, where.empty() ? path : path + ", " + where,
                     "the tables as LLMServingSim's profiler writes them"};
    }
    tables.skew = std::move(*fit);
    return Done{};
}

Status readAttention(std::string_view text, const std::string& path, AttentionGrid& attention) {
    std::vector<AttentionPoint> points;
    const TableReader reader(text, path, {"prefill_chunk", "kv_prefill", "n_decode", "kv_decode", "time_us"});
    const Status read = reader.read(false, [&](std::string_view, std::span<const double> numbers) {
        points.push_back({.work = {.chunk = numbers[0],
                                   .chunkContext = numbers[1],
                                   .decodes = numbers[2],
                                   .decodeContext = numbers[3]},
                          .timeUs = numbers[4]});
    });
    if (!read) {
        return read.error();
    }
    std::set<double> chunks;
    std::set<double> decodes;
    for (const AttentionPoint& point : points) {
        chunks.insert(point.work.chunk);
        decodes.insert(point.work.decodes);
    }
    if (chunks.size() > mostAxisPoints || decodes.size() > mostAxisPoints) {
        return notATable(fmt::format("it has more than {} chunks or numbers of decodes", mostAxisPoints),
                         path);
    }
    attention = AttentionGrid(points);
    return Done{};
}

} // namespace

Result<LayerTables> layerTablesFromTexts(const LayerTableTexts& texts, const std::string& folder,
                                         std::int64_t tensorParallel) {
    LayerTables tables;
    if (const Status read = readCurves(texts.dense, inFolder(folder, "dense.csv"), "tokens",
                                       {"embedding", "layernorm", "qkv_proj", "rotary_emb", "o_proj",
                                        "gate_up_proj", "act_fn", "down_proj", "final_layernorm"},
                                       tables.dense);
        !read) {
        return read.error();
    }
    if (const Status read = readCurves(texts.perSequence, inFolder(folder, "per_sequence.csv"), "sequences",
                                       {"lm_head", "sampler"}, tables.perSequence);
        !read) {
        return read.error();
    }
    if (const Status read =
            readAttention(texts.attention, inFolder(folder, "attention.csv"), tables.attention);
        !read) {
        return read.error();
    }
    if (const Status read = takeMeta(plainYaml(texts.meta), texts.skewFit, folder, tensorParallel, tables);
        !read) {
        return read.error();
    }
    return tables;
}

Result<LayerTables> readLayerTables(const std::string& folder, std::int64_t tensorParallel) {
    LayerTableTexts texts;
    const auto read = [&](const char* name, const std::string& what, std::string& text) -> Status {
        Result<std::string> whole = readWholeFile(inFolder(folder, name), what, mostTableBytes);
        if (!whole) {
            return whole.error();
        }
        text = std::move(*whole);
        return Done{};
    };
    const std::string table = "the table of layer times";
    for (const auto& [name, what, text] :
         {std::tuple("dense.csv", table, &texts.dense),
          std::tuple("per_sequence.csv", table, &texts.perSequence),
          std::tuple("attention.csv", table, &texts.attention),
          std::tuple("meta.yaml", std::string("the profile's description"), &texts.meta)}) {
        if (const Status done = read(name, what, *text); !done) {
            return done.error();
        }
    }
    if (holdsSkewFit(plainYaml(texts.meta))) {
        if (const Status done = read("skew_fit.csv", "the skew fit", texts.skewFit); !done) {
            return done.error();
        }
    }
    return layerTablesFromTexts(texts, folder, tensorParallel);
}

} // namespace loadline
