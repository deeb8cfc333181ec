// Fields of a measured server.
#include "core/serving/row_columns.h"

#include "core/text/parse_number.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {
namespace {

constexpr NumberRange<std::int64_t> lengthRange{.least = 1, .most = 1 << 24};
constexpr NumberRange<std::int64_t> userCountRange{.least = 1, .most = 1 << 20};
constexpr NumberRange<std::int64_t> gpuCountRange{.least = 1, .most = 1 << 12};

/// Puts a whole number of a range into `number`.
template <typename Number>
std::string readWhole(std::string_view field, const NumberRange<std::int64_t>& range, Number& number) {
    const auto value = parseNumber<std::int64_t>(field, range);
    if (!value) {
        return fmt::format("\"{}\" is no whole number from {} to {}", field, range.least, range.most);
    }
    number = static_cast<Number>(*value);
    return {};
}

/// Puts a share above 0 and at most 1 into `share`.
template <typename Share>
std::string readShareField(std::string_view field, Share& share) {
    const auto value = parseNumber<double>(field, {.least = 0, .most = 1});
    if (!value || *value <= 0) {
        return fmt::format("\"{}\" is no number above 0 and at most 1", field);
    }
    share = *value;
    return {};
}

std::string readFlag(std::string_view field, std::optional<bool>& flag) {
    if (field != "0" && field != "1") {
        return fmt::format("\"{}\" is neither 0 nor 1", field);
    }
    flag = field == "1";
    return {};
}

template <typename Value, typename Setting>
std::string readSettingWord(std::string_view field, const std::optional<Value>& value, std::string_view words,
                            Setting& setting) {
    if (!value) {
        return fmt::format("\"{}\" is none of {}", field, words);
    }
    setting = *value;
    return {};
}

/// Measured milliseconds; `least` as in row_columns.h.
std::string readMs(std::string_view field, double least, std::optional<double>& ms) {
    const auto value = parseNumber<double>(field);
    if (!value || *value <= 0) {
        return fmt::format("\"{}\" is no time above 0", field);
    }
    if (*value < least || *value > mostMeasuredMs) {
        return fmt::format("{} ms is no server's: {} to {} ms are expected", field, least, mostMeasuredMs);
    }
    ms = *value;
    return {};
}

/// The number YYYYMMDD of "YYYY-MM-DD".
std::string readDateField(std::string_view field, std::optional<int>& date) {
    constexpr std::string_view form = "0000-00-00";
    constexpr NumberRange<int> dates{.least = 20'000'101, .most = 99'991'231};
    std::string digits;
    bool fits = field.size() == form.size();
    for (std::size_t i = 0; fits && i < form.size(); ++i) {
        fits = (form[i] == '-') == (field[i] == '-');
        if (form[i] != '-') {
            digits += field[i];
        }
    }
    const auto value = fits ? parseNumber<int>(digits, dates) : std::nullopt;
    if (!value) {
        return fmt::format("\"{}\" is no date like 2026-01-21", field);
    }
    date = value;
    return {};
}

std::string readVersion(std::string_view field, RowDraft& draft) {
    const auto version = engineVersionFrom(field);
    if (!version) {
        return fmt::format("\"{}\" is no version of vLLM", field);
    }
    draft.row.settings.engine.version = *version;
    return {};
}

/// Puts the text as it stands into a member.
template <auto part, auto member>
std::string keepText(std::string_view field, RowDraft& draft) {
    (draft.row.*part).*member = std::string(field);
    return {};
}

/// Puts a whole number into a member of the settings.
template <auto member, const NumberRange<std::int64_t>& range>
std::string readCount(std::string_view field, RowDraft& draft) {
    return readWhole(field, range, draft.row.settings.*member);
}

/// Puts a whole number into a member of the engine's settings.
template <auto member, const NumberRange<std::int64_t>& range>
std::string readLimit(std::string_view field, RowDraft& draft) {
    return readWhole(field, range, draft.row.settings.engine.*member);
}

/// A: every kernel in a table; B: one by a proxy; C: settings inferred; X: left out.
std::string readTier(std::string_view field, RowDraft& draft) {
    constexpr std::string_view tiers = "ABCX";
    if (field.size() != 1 || tiers.find(field.front()) == std::string_view::npos) {
        return fmt::format("\"{}\" is none of A, B, C, X", field);
    }
    draft.row.label.tier = std::string(field);
    return {};
}

constexpr auto inSettings = &MeasuredRow::settings;
constexpr auto inLabel = &MeasuredRow::label;

constexpr std::array measuredColumns{
    RowColumn{"model", RowColumnUse::Setting, true, false, keepText<inSettings, &ServerSettings::model>},
    RowColumn{"system", RowColumnUse::Setting, true, false, keepText<inSettings, &ServerSettings::system>},
    RowColumn{"precision", RowColumnUse::Setting, false, true,
              keepText<inSettings, &ServerSettings::precision>},
    RowColumn{"gemm_dtype", RowColumnUse::Setting, true, false,
              keepText<inSettings, &ServerSettings::gemmFormat>},
    RowColumn{"moe_dtype", RowColumnUse::Setting, true, true,
              keepText<inSettings, &ServerSettings::moeFormat>},
    RowColumn{"engine_version", RowColumnUse::Setting, true, false, readVersion},
    RowColumn{"isl", RowColumnUse::Setting, true, false,
              readCount<&ServerSettings::promptTokens, lengthRange>},
    RowColumn{"osl", RowColumnUse::Setting, true, false,
              readCount<&ServerSettings::outputTokens, lengthRange>},
    RowColumn{"concurrency", RowColumnUse::Setting, true, false,
              readCount<&ServerSettings::users, userCountRange>},
    RowColumn{"tp", RowColumnUse::Setting, true, false,
              readCount<&ServerSettings::tensorParallel, gpuCountRange>},
    RowColumn{"dp", RowColumnUse::Setting, true, true,
              readCount<&ServerSettings::dataParallel, gpuCountRange>},
    RowColumn{"moe_tp", RowColumnUse::Setting, true, true,
              [](std::string_view field, RowDraft& draft) {
                  return readWhole(field, gpuCountRange, draft.moeTensorParallel);
              }},
    RowColumn{"moe_ep", RowColumnUse::Setting, true, true,
              readCount<&ServerSettings::moeExpertParallel, gpuCountRange>},
    RowColumn{"length_ratio", RowColumnUse::Setting, true, false,
              [](std::string_view field, RowDraft& draft) {
                  return readShareField(field, draft.row.settings.lengthRatio);
              }},
    RowColumn{"kv_dtype", RowColumnUse::Setting, true, false,
              [](std::string_view field, RowDraft& draft) {
                  return readSettingWord(field, kvTypeFrom(field), "bfloat16, fp8",
                                         draft.row.settings.engine.kv);
              }},
    RowColumn{"max_num_batched_tokens", RowColumnUse::Setting, true, false,
              readLimit<&EngineSettings::maxNumBatchedTokens, lengthRange>},
    RowColumn{"max_num_seqs", RowColumnUse::Setting, true, false,
              readLimit<&EngineSettings::maxNumSeqs, userCountRange>},
    RowColumn{"cudagraph_max", RowColumnUse::Setting, true, true,
              [](std::string_view field, RowDraft& draft) {
                  return readWhole(field, {.least = 0, .most = 1 << 20}, draft.cudagraphMax);
              }},
    RowColumn{"async", RowColumnUse::Setting, true, true,
              [](std::string_view field, RowDraft& draft) { return readFlag(field, draft.asyncScheduling); }},
    RowColumn{"gpu_memory_utilization", RowColumnUse::Setting, false, true,
              [](std::string_view field, RowDraft& draft) {
                  return readShareField(field, draft.memoryUtilisation);
              }},
    RowColumn{"cudagraph_mode", RowColumnUse::Setting, false, true,
              [](std::string_view field, RowDraft& draft) {
                  return readSettingWord(field, graphModeFrom(field),
                                         "NONE, PIECEWISE, FULL, FULL_DECODE_ONLY, FULL_AND_PIECEWISE",
                                         draft.graphs);
              }},
    RowColumn{"allreduce_fusion", RowColumnUse::Setting, false, true,
              [](std::string_view field, RowDraft& draft) {
                  return readSettingWord(field, reduceFusionFrom(field), "0, default, script, script+attn",
                                         draft.fusion);
              }},
    RowColumn{"max_model_len", RowColumnUse::Setting, false, true,
              readLimit<&EngineSettings::maxModelLen, lengthRange>},
    RowColumn{"measured_from", RowColumnUse::Label, false, true,
              [](std::string_view field, RowDraft& draft) {
                  return readDateField(field, draft.row.settings.measuredFrom);
              }},
    RowColumn{"ttft_ms", RowColumnUse::Measured, true, true,
              [](std::string_view field, RowDraft& draft) {
                  return readMs(field, leastTtftMs, draft.row.measured.ttftMs);
              }},
    RowColumn{"tpot_ms", RowColumnUse::Measured, true, true,
              [](std::string_view field, RowDraft& draft) {
                  return readMs(field, leastTpotMs, draft.row.measured.tpotMs);
              }},
    RowColumn{"source", RowColumnUse::Label, false, true, keepText<inLabel, &MeasuredLabel::source>},
    RowColumn{"tier", RowColumnUse::Label, true, true, readTier},
    RowColumn{"family", RowColumnUse::Label, false, true, keepText<inLabel, &MeasuredLabel::family>},
    RowColumn{"note", RowColumnUse::Label, false, true, keepText<inLabel, &MeasuredLabel::note>},
    RowColumn{"kv_bound", RowColumnUse::Label, true, true,
              [](std::string_view field, RowDraft& draft) {
                  std::optional<bool> flag;
                  std::string wrong = readFlag(field, flag);
                  draft.row.label.isKvBound = flag.value_or(false);
                  return wrong;
              }},
};

} // namespace

std::span<const RowColumn> rowColumns() {
    return measuredColumns;
}

MeasuredRow measuredRowOf(RowDraft draft) {
    constexpr int longStream = 20;
    constexpr Tokens newCudagraphMax = 2048;
    ServerSettings& settings = draft.row.settings;
    settings.moeTensorParallel = draft.moeTensorParallel.value_or(
        std::max(1, settings.tensorParallel * settings.dataParallel / settings.moeExpertParallel));
    const EngineSettings stated = settings.engine;
    EngineSettings& engine = settings.engine;
    engine = engineSettingsOf(stated.version, stated.maxNumBatchedTokens, stated.maxNumSeqs);
    engine.kv = stated.kv;
    engine.maxModelLen = stated.maxModelLen;
    engine.cudagraphMax = draft.cudagraphMax.value_or(engine.cudagraphMax);
    engine.graphs = draft.graphs.value_or(engine.graphs);
    engine.asyncScheduling = draft.asyncScheduling.value_or(engine.asyncScheduling);
    engine.memoryUtilisation = draft.memoryUtilisation.value_or(engine.memoryUtilisation);
    engine.fusion = draft.fusion.value_or(engine.fusion);
    // InferenceX's newer scripts for Blackwell set all of these, and --stream-interval 20 beside them.
    const bool isLongStream = engine.maxNumBatchedTokens == 2 * settings.promptTokens &&
                              engine.kv == KvType::Fp8 && engine.cudagraphMax == newCudagraphMax;
    engine.streamInterval = isLongStream ? longStream : 1;
    return std::move(draft.row);
}

} // namespace loadline
