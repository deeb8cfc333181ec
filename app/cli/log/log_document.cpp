// The document of `loadline log`.
#include "app/cli/log/log_document.h"

#include "core/serverlog/light/rate_known.h"
#include "core/serverlog/log_clock.h"
#include "core/serverlog/read_server_log.h"

#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(double value) {
    return isTold(value) ? Json(value) : Json(nullptr);
}

/// A count, which a document holds as a whole number.
Json wholeOrNull(double value) {
    return isTold(value) ? Json(static_cast<std::int64_t>(value)) : Json(nullptr);
}

/// The sentence without the narrow blanks that divide the digits of numbers for people.
std::string plainDigits(std::string sentence) {
    constexpr std::string_view narrow = "\u202f";
    const auto isDigit = [&](std::size_t at) {
        return at < sentence.size() && sentence[at] >= '0' && sentence[at] <= '9';
    };
    for (std::size_t at = sentence.find(narrow); at != std::string::npos; at = sentence.find(narrow, at)) {
        const bool divides = at > 0 && isDigit(at - 1) && isDigit(at + narrow.size());
        sentence.replace(at, narrow.size(), divides ? "" : " ");
    }
    return sentence;
}

std::string_view wordOf(LogClock clock) {
    switch (clock) {
    case LogClock::None:
        return "none";
    case LogClock::Uptime:
        return "uptime";
    case LogClock::TimeOfDay:
        return "time_of_day";
    case LogClock::MonthDay:
        return "month_and_day";
    case LogClock::Date:
        return "date";
    }
    return "";
}

std::string_view wordOf(RequestsFrom from) {
    switch (from) {
    case RequestsFrom::None:
        return "none";
    case RequestsFrom::Log:
        return "log";
    case RequestsFrom::Inferred:
        return "inferred";
    }
    return "";
}

std::string_view wordOf(RequestEnd end) {
    switch (end) {
    case RequestEnd::NotTold:
        return "not_told";
    case RequestEnd::Complete:
        return "complete";
    case RequestEnd::Aborted:
        return "aborted";
    case RequestEnd::Failed:
        return "failed";
    }
    return "";
}

std::string_view wordOf(LogEventKind kind) {
    switch (kind) {
    case LogEventKind::CacheMiss:
        return "cache_miss";
    case LogEventKind::CacheHit:
        return "cache_hit";
    case LogEventKind::FullReprocess:
        return "full_reprocess";
    case LogEventKind::Preemption:
        return "preemption";
    case LogEventKind::Truncated:
        return "truncated";
    case LogEventKind::ServerStarted:
        return "server_started";
    case LogEventKind::ServerStopped:
        return "server_stopped";
    case LogEventKind::Failure:
        return "failure";
    case LogEventKind::Refused:
        return "refused";
    case LogEventKind::ReportedRate:
        return "reported_rate";
    }
    return "";
}

/// Adds a line; of several files, the one that it is of, too.
void addPlace(Json& json, const ServerLog& log, const LogLine& where) {
    if (log.files.size() > 1) {
        json["file"] = log.files[where.file];
    }
    json["line"] = where.line;
}

Json intervalJson(const ServerLog& log, const LogInterval& interval) {
    Json json = Json::object();
    addPlace(json, log, interval.where);
    json.update({{"engine", interval.engine},
                 {"time_s", orNull(interval.timeS)},
                 {"span_s", orNull(interval.spanS)},
                 {"prompt_tokens_per_s", orNull(interval.promptTokensPerS)},
                 {"output_tokens_per_s", orNull(interval.outputTokensPerS)},
                 {"running", wholeOrNull(interval.running)},
                 {"waiting", wholeOrNull(interval.waiting)},
                 {"kv_use", orNull(interval.kvUse)},
                 {"state_use", orNull(interval.stateUse)},
                 {"window_use", orNull(interval.windowUse)},
                 {"prefix_hit", orNull(interval.prefixHit)},
                 {"context_tokens", wholeOrNull(interval.contextTokens)},
                 {"accepted_length", orNull(interval.acceptedLength)},
                 {"new_tokens", wholeOrNull(interval.newTokens)},
                 {"cached_tokens", wholeOrNull(interval.cachedTokens)},
                 {"new_requests", wholeOrNull(interval.newRequests)},
                 {"preemptions", wholeOrNull(interval.preemptions)},
                 {"engines", interval.engines}});
    return json;
}

Json requestJson(const ServerLog& log, const LogRequest& request) {
    Json json = Json::object();
    addPlace(json, log, request.first);
    json.update({{"last_line", request.last.line},
                 {"id", request.id},
                 {"path", request.path},
                 {"generates", request.generates},
                 {"streams", request.streams ? Json(*request.streams) : Json(nullptr)},
                 {"arrival_s", orNull(request.arrivalS)},
                 {"arrival_inferred", request.arrivalInferred},
                 {"end_inferred", request.endInferred},
                 {"first_token_s", orNull(request.firstTokenS)},
                 {"end_s", orNull(request.endS)},
                 {"end", wordOf(request.end)},
                 {"status", request.status == 0 ? Json(nullptr) : Json(request.status)},
                 {"input_tokens", wholeOrNull(request.inputTokens)},
                 {"cached_tokens", wholeOrNull(request.cachedTokens)},
                 {"output_tokens", wholeOrNull(request.outputTokens)},
                 {"prefill_s", orNull(request.prefillS)},
                 {"decode_s", orNull(request.decodeS)},
                 {"decode_tokens_per_s", orNull(request.decodeTokensPerS)}});
    return json;
}

Json eventJson(const ServerLog& log, const LogEvent& event) {
    Json json = Json::object();
    addPlace(json, log, event.where);
    json.update({{"kind", wordOf(event.kind)},
                 {"time_s", orNull(event.timeS)},
                 {"tokens", wholeOrNull(event.tokens)},
                 {"seconds", orNull(event.seconds)},
                 {"detail", event.detail}});
    if (event.kind == LogEventKind::Preemption) {
        json.update({{"count", wholeOrNull(event.count)}, {"swapped", event.swapped}});
    }
    return json;
}

Json stepJson(const ServerLog& log, const LogStep& step) {
    Json json = Json::object();
    addPlace(json, log, step.where);
    json.update({{"time_s", orNull(step.timeS)},
                 {"active", wholeOrNull(step.active)},
                 {"step_s", orNull(step.seconds)},
                 {"responses", wholeOrNull(step.responses)}});
    return json;
}

Json rateJson(const ServerLog& log, const ObservedRate& rate) {
    Json json = Json::object();
    addPlace(json, log, rate.where);
    json.update({{"time_s", orNull(rate.timeS)},
                 {"engine", rate.engine},
                 {"tokens_per_s", rate.tokensPerS},
                 {"at_least", knownOf(rate) == RateKnown::AtLeast},
                 {"known", wordOf(knownOf(rate))},
                 {"tokens_per_s_low", orNull(rate.lowest)},
                 {"tokens_per_s_high", orNull(rate.highest)},
                 {"streams", rate.streams},
                 {"streams_told", rate.streamsTold},
                 {"context_low", wholeOrNull(rate.contextLow)},
                 {"context_high", wholeOrNull(rate.contextHigh)},
                 {"tokens_per_step", rate.tokensPerStep}});
    return json;
}

Json sumJson(const SumFigures& figures) {
    return {{"median", orNull(figures.median)}, {"max", orNull(figures.most)}};
}

/// Each engine apart, and all together where there are several.
Json enginesJson(const LogVerdict& verdict) {
    Json each = Json::array();
    for (const LogEngine& engine : verdict.engines) {
        each.push_back(
            {{"engine", engine.engine},
             {"engines", engine.engines},
             {"lines", engine.lines},
             {"output_tokens_per_s",
              {{"median", orNull(engine.outputTokensPerS)}, {"max", orNull(engine.mostOutputTokensPerS)}}},
             {"max_running", wholeOrNull(engine.mostRunning)},
             {"max_waiting", wholeOrNull(engine.mostWaiting)}});
    }
    const std::vector<LogSum>& sums = verdict.engineSums;
    return {{"count", engineCountOf(verdict.engines)},
            {"each", std::move(each)},
            {"together",
             sums.empty() ? Json(nullptr)
                          : Json{{"output_tokens_per_s", sumJson(figuresOf(sums, &LogSum::outputTokensPerS))},
                                 {"prompt_tokens_per_s", sumJson(figuresOf(sums, &LogSum::promptTokensPerS))},
                                 {"running", sumJson(figuresOf(sums, &LogSum::running))},
                                 {"waiting", sumJson(figuresOf(sums, &LogSum::waiting))}}}};
}

Json findingsJson(const LogFigure& figure) {
    Json all = Json::array();
    std::size_t next = 0;
    for (const Finding& finding : figure.verdict.findings) {
        Json evidence = Json::array();
        for (const LogLine& where : finding.evidence) {
            Json line = Json::object();
            addPlace(line, *figure.log, where);
            line["text"] = next < figure.evidenceTexts.size() ? figure.evidenceTexts[next] : std::string();
            ++next;
            evidence.push_back(std::move(line));
        }
        all.push_back({{"claim", finding.key},
                       {"words", finding.claim},
                       {"verdict", loadline::wordOf(finding.verdict)},
                       {"reason", plainDigits(finding.reason)},
                       {"evidence", std::move(evidence)},
                       {"decide", finding.decide}});
    }
    return all;
}

Json lightJson(const LogFigure& figure) {
    if (!figure.verdict.light) {
        return nullptr;
    }
    const SpeedOfLight& light = *figure.verdict.light;
    const ServedOn& served = light.served();
    Json points = Json::array();
    for (const DecodePoint* point : light.band().points) {
        points.push_back({{"device", point->device},
                          {"what", point->what},
                          {"tokens_per_s", point->tokensPerS},
                          {"efficiency", point->efficiency()},
                          {"source", point->source}});
    }
    Json ceilings = Json::array();
    for (const double context : {0.0, 1024.0, 8192.0, 32'768.0, 131'072.0}) {
        ceilings.push_back({{"context", static_cast<std::int64_t>(context)},
                            {"tokens_per_s", light.ceiling(context)},
                            {"kv_gb", light.kvGB(context)}});
    }
    const EfficiencyBand& band = light.band();
    return {{"model", served.model == nullptr ? Json(nullptr) : Json(served.model->key)},
            {"model_source", served.model == nullptr ? Json(nullptr) : Json(served.model->source)},
            {"device", served.device},
            {"devices", served.devices},
            {"bandwidth_gb_per_s", light.bandwidthGBs()},
            {"bits_per_weight", served.bitsPerWeight},
            {"kv_bytes_per_value", served.kvBytesPerValue},
            {"kv_bytes_per_token", light.kvGB(1) * 1e9},
            {"assumption", figure.assumption},
            {"weights_gb", light.weightsGB()},
            {"ceilings", std::move(ceilings)},
            {"share_at_lowest_context", orNull(figure.verdict.shareLow)},
            {"share_at_highest_context", orNull(figure.verdict.shareHigh)},
            {"expected_efficiency",
             band.points.empty() ? Json(nullptr) : Json({{"low", band.low}, {"high", band.high}})},
            {"published_points", std::move(points)}};
}

/// Those that --model takes.
Json modelsJson() {
    Json models = Json::array();
    for (const CacheModel& model : cacheModels()) {
        models.push_back({{"key", model.key}, {"same_shape", otherNamesOf(model)}, {"source", model.source}});
    }
    return models;
}

template <typename Record, typename Write>
Json listOf(const std::vector<Record>& records, Write write) {
    Json list = Json::array();
    for (const Record& record : records) {
        list.push_back(write(record));
    }
    return list;
}

} // namespace

Json logDocument(const LogFigure& figure) {
    const ServerLog& log = *figure.log;
    Json matched = Json::object();
    for (const PatternCount& pattern : log.matched) {
        matched[std::string(pattern.pattern)] = pattern.count;
    }
    const auto with = [&log](auto write) {
        return [&log, write](const auto& record) { return write(log, record); };
    };
    return {{"schema", "loadline.log/1"},
            {"server", log.server == nullptr ? Json(nullptr) : Json(log.server->key)},
            {"files", log.files},
            {"bytes", log.bytes},
            {"lines", log.lines},
            {"known_lines", log.knownLines},
            {"matched", std::move(matched)},
            {"clock", wordOf(log.clock)},
            {"begin", isKnown(log.begin) ? Json(logBeginText(log)) : Json(nullptr)},
            {"zone_told", log.zoneTold},
            {"length_s", log.lengthS},
            {"headline", plainDigits(figure.verdict.headline)},
            {"engines", enginesJson(figure.verdict)},
            {"intervals", listOf(log.intervals, with(intervalJson))},
            {"requests", listOf(log.requests, with(requestJson))},
            {"request_count", requestCount(log)},
            {"requests_from", wordOf(log.requestsFrom)},
            {"events", listOf(log.events, with(eventJson))},
            {"steps", listOf(log.steps, with(stepJson))},
            {"facts", listOf(log.facts,
                             [&log](const LogFact& fact) {
                                 Json json = {{"name", fact.name}, {"value", fact.value}};
                                 addPlace(json, log, fact.where);
                                 return json;
                             })},
            {"rates", listOf(figure.verdict.rates, with(rateJson))},
            {"findings", findingsJson(figure)},
            {"next", figure.verdict.next},
            {"speed_of_light", lightJson(figure)},
            {"models", modelsJson()},
            {"first_lines", log.firstLines},
            {"diagnostics", listOf(log.diagnostics,
                                   [](const Diagnostic& diagnostic) {
                                       return Json{{"line", diagnostic.line},
                                                   {"what", logSentenceOf(diagnostic)},
                                                   {"other_lines", diagnostic.otherLines}};
                                   })},
            {"notes", log.notes}};
}

} // namespace loadline::app
