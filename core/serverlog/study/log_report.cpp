// The document of a server's log: what was read, what is observed, what follows.
#include "core/serverlog/study/log_report.h"

#include "core/ask/table_of.h"
#include "core/serverlog/light/rate_known.h"
#include "core/serverlog/log_clock.h"
#include "core/serverlog/server_log.h"
#include "core/serverlog/study/log_sentences.h"
#include "core/text/enum_words.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

namespace loadline::ask {
namespace {

constexpr const char* inferredTimesCaveat =
    "Times of requests are inferred: the log tells an end and a duration of each.";

/// A count, which a document holds as a whole number; what a log tells may be larger than any.
Cell whole(double value) {
    constexpr double end = 9223372036854775808.0; // 2^63
    return !isTold(value)          ? Cell()
           : std::abs(value) < end ? Cell(static_cast<std::int64_t>(value))
                                   : Cell(value);
}

/// Reads a member that is a count.
template <typename Record>
auto whole(double Record::*member) {
    return [member](const Record& record) { return whole(record.*member); };
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

std::string_view keyOfClock(LogClock clock) {
    return wordOf(clock, {"none", "uptime", "time_of_day", "month_and_day", "date"});
}

std::string_view keyOfSource(RequestsFrom from) {
    return wordOf(from, {"none", "log", "inferred"});
}

std::string_view keyOfEnd(RequestEnd end) {
    return wordOf(end, {"not_told", "complete", "aborted", "failed"});
}

std::string_view keyOfEvent(LogEventKind kind) {
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

/// A table of records of the log: of several files, each row names its own; then its line.
template <typename Record>
TableOf<Record> placed(const char* path, const std::vector<Record>& records, const ServerLog& log,
                       LogLine Record::*where) {
    TableOf<Record> table(path, records);
    table.ifThere("file", [&log, where](const Record& record) {
        return log.files.size() > 1 ? Cell(log.files[(record.*where).file]) : Cell();
    });
    table.document("line", [where](const Record& record) { return (record.*where).line; });
    return table;
}

Table intervalsTable(const ServerLog& log) {
    using I = LogInterval;
    return placed("intervals", log.intervals, log, &I::where)
        .document("engine", &I::engine)
        .document("time_s", &I::timeS)
        .document("span_s", &I::spanS)
        .document("prompt_tokens_per_s", &I::promptTokensPerS)
        .document("output_tokens_per_s", &I::outputTokensPerS)
        .document("running", whole(&I::running))
        .document("waiting", whole(&I::waiting))
        .document("kv_use", &I::kvUse)
        .document("state_use", &I::stateUse)
        .document("window_use", &I::windowUse)
        .document("prefix_hit", &I::prefixHit)
        .document("context_tokens", whole(&I::contextTokens))
        .document("accepted_length", &I::acceptedLength)
        .document("new_tokens", whole(&I::newTokens))
        .document("cached_tokens", whole(&I::cachedTokens))
        .document("new_requests", whole(&I::newRequests))
        .document("preemptions", whole(&I::preemptions))
        .document("engines", &I::engines);
}

Table requestsTable(const ServerLog& log) {
    using R = LogRequest;
    return placed("requests", log.requests, log, &R::first)
        .document("last_line", [](const R& request) { return request.last.line; })
        .document("id", &R::id)
        .document("path", &R::path)
        .document("generates", &R::generates)
        .document("streams", &R::streams)
        .document("arrival_s", &R::arrivalS)
        .document("arrival_inferred", &R::arrivalInferred)
        .document("end_inferred", &R::endInferred)
        .document("first_token_s", &R::firstTokenS)
        .document("end_s", &R::endS)
        .document("end", [](const R& request) { return keyOfEnd(request.end); })
        .document("status",
                  [](const R& request) { return request.status == 0 ? Cell() : Cell(request.status); })
        .document("input_tokens", whole(&R::inputTokens))
        .document("cached_tokens", whole(&R::cachedTokens))
        .document("output_tokens", whole(&R::outputTokens))
        .document("prefill_s", &R::prefillS)
        .document("decode_s", &R::decodeS)
        .document("decode_tokens_per_s", &R::decodeTokensPerS);
}

Table eventsTable(const ServerLog& log) {
    using E = LogEvent;
    const auto isPreemption = [](const E& event) { return event.kind == LogEventKind::Preemption; };
    return placed("events", log.events, log, &E::where)
        .document("kind", [](const E& event) { return keyOfEvent(event.kind); })
        .document("time_s", &E::timeS)
        .document("tokens", whole(&E::tokens))
        .document("seconds", &E::seconds)
        .document("detail", &E::detail)
        .ifThere("count", [=](const E& event) { return isPreemption(event) ? whole(event.count) : Cell(); })
        .ifThere("swapped",
                 [=](const E& event) { return isPreemption(event) ? Cell(event.swapped) : Cell(); });
}

Table stepsTable(const ServerLog& log) {
    using S = LogStep;
    return placed("steps", log.steps, log, &S::where)
        .document("time_s", &S::timeS)
        .document("active", whole(&S::active))
        .document("step_s", &S::seconds)
        .document("responses", whole(&S::responses));
}

Table ratesTable(const LogFigure& figure) {
    using R = ObservedRate;
    return placed("rates", figure.verdict.rates, *figure.log, &R::where)
        .document("time_s", &R::timeS)
        .document("engine", &R::engine)
        .document("tokens_per_s", &R::tokensPerS)
        .document("at_least", [](const R& rate) { return knownOf(rate) == RateKnown::AtLeast; })
        .document("known", [](const R& rate) { return wordOf(knownOf(rate)); })
        .document("tokens_per_s_low", &R::lowest)
        .document("tokens_per_s_high", &R::highest)
        .document("streams", &R::streams)
        .document("streams_told", &R::streamsTold)
        .document("context_low", whole(&R::contextLow))
        .document("context_high", whole(&R::contextHigh))
        .document("tokens_per_step", &R::tokensPerStep);
}

/// Each engine apart, and all together where there are several.
void addEngines(Report& report, const LogVerdict& verdict) {
    using E = LogEngine;
    report.add("engines.count", engineCountOf(verdict.engines));
    report.add(TableOf("engines.each", verdict.engines)
                   .document("engine", &E::engine)
                   .document("engines", &E::engines)
                   .document("lines", &E::lines)
                   .document("output_tokens_per_s.median", &E::outputTokensPerS)
                   .document("output_tokens_per_s.max", &E::mostOutputTokensPerS)
                   .document("max_running", whole(&E::mostRunning))
                   .document("max_waiting", whole(&E::mostWaiting)));
    if (verdict.engineSums.empty()) {
        report.add("engines.together", Cell());
        return;
    }
    constexpr std::array<std::pair<const char*, double LogSum::*>, 4> sums = {
        {{"output_tokens_per_s", &LogSum::outputTokensPerS},
         {"prompt_tokens_per_s", &LogSum::promptTokensPerS},
         {"running", &LogSum::running},
         {"waiting", &LogSum::waiting}}};
    for (const auto& [name, member] : sums) {
        const SumFigures figures = figuresOf(verdict.engineSums, member);
        const std::string path = std::string("engines.together.") + name;
        report.add(path + ".median", figures.median);
        report.add(path + ".max", figures.most);
    }
}

struct EvidenceLine {
    LogLine where;
    std::string text;
};

void addFindings(Report& report, const LogFigure& figure) {
    auto lines = std::make_shared<Grouped<EvidenceLine>>();
    std::size_t next = 0;
    for (const Finding& finding : figure.verdict.findings) {
        for (const LogLine& where : finding.evidence) {
            lines->add(
                {where, next < figure.evidenceTexts.size() ? figure.evidenceTexts[next] : std::string()});
            ++next;
        }
        lines->endGroup();
    }
    report.add(TableOf("findings", figure.verdict.findings)
                   .document("claim", &Finding::key)
                   .document("words", &Finding::claim)
                   .document("verdict", [](const Finding& finding) { return wordOf(finding.verdict); })
                   .document("reason", [](const Finding& finding) { return plainDigits(finding.reason); })
                   .document("decide", &Finding::decide));
    Table evidence = placed("findings.evidence", lines->values(), *figure.log, &EvidenceLine::where)
                         .document("text", &EvidenceLine::text);
    evidence.within = [held = lines.get()](std::size_t outer) { return held->range(outer); };
    report.add(std::move(evidence));
    report.keeps.push_back(lines);
}

void addLight(Report& report, const LogFigure& figure) {
    const std::string path = "speed_of_light";
    if (!figure.verdict.light) {
        report.add(path, Cell());
        return;
    }
    const SpeedOfLight& light = *figure.verdict.light;
    const ServedOn& served = light.served();
    const EfficiencyBand& band = light.band();
    static const std::vector<double> contexts = {0, 1024, 8192, 32'768, 131'072};
    const auto add = [&](const char* key, Cell cell) { report.add(path + "." + key, std::move(cell)); };
    add("model", served.model == nullptr ? Cell() : Cell(served.model->key));
    add("model_source", served.model == nullptr ? Cell() : Cell(served.model->source));
    add("device", served.device);
    add("devices", served.devices);
    add("bandwidth_gb_per_s", light.bandwidthGBs());
    add("bits_per_weight", served.bitsPerWeight);
    add("kv_bytes_per_value", served.kvBytesPerValue);
    add("kv_bytes_per_token", light.kvGB(1) * 1e9);
    add("assumption", figure.assumption);
    add("weights_gb", light.weightsGB());
    report.add(TableOf(path + ".ceilings", contexts)
                   .document("context", [](double context) { return static_cast<std::int64_t>(context); })
                   .document("tokens_per_s", [&light](double context) { return light.ceiling(context); })
                   .document("kv_gb", [&light](double context) { return light.kvGB(context); }));
    add("share_at_lowest_context", figure.verdict.shareLow);
    add("share_at_highest_context", figure.verdict.shareHigh);
    if (band.points.empty()) {
        add("expected_efficiency", Cell());
    } else {
        add("expected_efficiency.low", band.low);
        add("expected_efficiency.high", band.high);
    }
    using P = const DecodePoint* const;
    report.add(TableOf(path + ".published_points", band.points)
                   .document("device", [](P point) { return point->device; })
                   .document("what", [](P point) { return point->what; })
                   .document("tokens_per_s", [](P point) { return point->tokensPerS; })
                   .document("efficiency", [](P point) { return point->efficiency(); })
                   .document("source", [](P point) { return point->source; }));
}

/// Adds the models that --model takes.
void addModels(Report& report) {
    using M = const CacheModel&;
    static const std::vector<CacheModel> models(cacheModels().begin(), cacheModels().end());
    static const Grouped<std::string> names = [] {
        Grouped<std::string> all;
        for (M model : models) {
            for (const auto& name : otherNamesOf(model)) {
                all.add(std::string(name));
            }
            all.endGroup();
        }
        return all;
    }();
    report.add(TableOf("models", models)
                   .document("key", [](M model) { return model.key; })
                   .document("source", [](M model) { return model.source; }));
    report.add(listsWithin("models.same_shape", names));
}

void addDiagnostics(Report& report, const ServerLog& log) {
    auto lines = std::make_shared<Grouped<std::uint64_t>>();
    for (const Diagnostic& diagnostic : log.diagnostics) {
        for (const std::uint64_t line : diagnostic.otherLines) {
            lines->add(line);
        }
        lines->endGroup();
    }
    report.add(TableOf("diagnostics", log.diagnostics)
                   .document("line", &Diagnostic::line)
                   .document("what", logSentenceOf));
    report.add(listsWithin("diagnostics.other_lines", *lines));
    report.keeps.push_back(lines);
}

} // namespace

Report logReport(const LogFigure& figure) {
    const ServerLog& log = *figure.log;
    const LogVerdict& verdict = figure.verdict;
    Report report;
    report.schema = "loadline.log/1";
    report.add("server", log.server == nullptr ? Cell() : Cell(log.server->key));
    report.add(listOf("files", log.files));
    report.add("bytes", log.bytes);
    report.add("lines", log.lines);
    report.add("known_lines", log.knownLines);
    if (figure.range.restricts()) { // engines, rates and findings are of the part, records of the whole log
        report.add("judged.from_s", figure.range.fromS);
        report.add("judged.to_s", figure.range.toS);
    }
    report.add(TableOf("matched", log.matched, Shape::Map)
                   .document("pattern", &PatternCount::pattern)
                   .document("lines", &PatternCount::count));
    report.add("clock", keyOfClock(log.clock));
    report.add("begin", isKnown(log.begin) ? Cell(logBeginText(log)) : Cell());
    report.add("zone_told", log.zoneTold);
    report.add("length_s", log.lengthS);
    report.add("headline", plainDigits(verdict.headline));
    addEngines(report, verdict);
    report.add(intervalsTable(log));
    report.add(requestsTable(log));
    report.add("request_count", requestCount(log));
    report.add("requests_from", keyOfSource(log.requestsFrom));
    report.add(eventsTable(log));
    report.add(stepsTable(log));
    report.add(placed("facts", log.facts, log, &LogFact::where)
                   .document("name", &LogFact::name)
                   .document("value", &LogFact::value));
    report.add(ratesTable(figure));
    addFindings(report, figure);
    report.add(listOf("next", verdict.next));
    addLight(report, figure);
    addModels(report);
    report.add(listOf("first_lines", log.firstLines));
    addDiagnostics(report, log);
    report.add(listOf("notes", log.notes));
    sayLog(figure, report);
    report.addCaveat(figure.assumption, true);
    if (log.requestsFrom == RequestsFrom::Inferred) {
        report.addCaveat(inferredTimesCaveat, true);
    }
    for (const std::string& note : log.notes) {
        report.addCaveat(note, true);
    }
    return report;
}

} // namespace loadline::ask
