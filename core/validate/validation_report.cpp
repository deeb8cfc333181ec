// Describes how far predictions are from measured servers.
#include "core/ask/table_of.h"
#include "core/cost/engine/constants.h"
#include "core/text/counted.h"
#include "core/validate/coverage_report.h"
#include "core/validate/validation_plots.h"
#include "core/validate/validation_study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace loadline::ask {
namespace {

using Server = ValidatedServer;
using GroupErrors = std::optional<ErrorFigures> ServerErrors::*;

constexpr double percent = 100;

/// "3.4 / 4.7 / 9.1 %"
std::string spreadWords(const std::optional<ErrorFigures>& errors) {
    return errors ? fmt::format("{:.1f} / {:.1f} / {:.1f} %", percent * errors->median,
                                percent * errors->mape, percent * errors->p90)
                  : std::string();
}

std::string goalWords(const ErrorGoal& goal) {
    return fmt::format("{:.3g} / {:.3g} / {:.3g} %", percent * goal.median, percent * goal.mape,
                       percent * goal.p90);
}

std::string biasWords(const std::optional<ErrorFigures>& errors) {
    return errors ? fmt::format("{:+.1f} %", percent * errors->bias) : std::string();
}

std::string headlineOfValidation(const Validation& validation) {
    const ServerErrors& judged = validation.errors.judged;
    std::size_t lost = 0;
    for (const auto& [reason, rows] : validation.notModelled) {
        lost += rows;
    }
    std::vector<std::string> figures;
    for (const auto& [name, errors] : {std::pair("TPOT", &judged.tpot), std::pair("TTFT", &judged.ttft)}) {
        if (*errors) {
            figures.push_back(fmt::format("{} within {:.1f} % (signed {})", name, percent * (*errors)->median,
                                          biasWords(*errors)));
        }
    }
    if (figures.empty()) {
        return fmt::format("{} of {} predicted; none is measured, of tier A and free of KV limits.",
                           validation.servers.size() - std::min(validation.servers.size(), lost),
                           counted(validation.servers.size(), "server"));
    }
    return fmt::format("{}: medians of {} judged servers.", fmt::join(figures, ", "), judged.n);
}

void addConstants(Report& report) {
    const auto& rows = report.keep(std::vector<Constant>(constants().begin(), constants().end()));
    report.add(TableOf("constants", rows, Shape::MapRows)
                   .document("name", &Constant::name)
                   .document("value", &Constant::value)
                   .document("unit", &Constant::unit)
                   .document("origin", &Constant::origin)
                   .document("fitted_on", [](const Constant& one) {
                       return one.fittedOn.empty() ? Cell() : Cell(std::string(one.fittedOn));
                   }));
    report.add(TableOf("", rows)
                   .titled("Constants that are in no table", rows.size())
                   .textColumn("Name", &Constant::name, Form::Text)
                   .textColumn("Value", &Constant::value)
                   .textColumn("Unit", &Constant::unit, Form::Text)
                   .textColumn("Origin", &Constant::origin, Form::Text)
                   .textColumn("Fitted on", &Constant::fittedOn, Form::Text));
}

Cell predictedCell(const Server& server, double ServerPrediction::*figure) {
    const double predicted = server.predicted.*figure; // 0: a server of one token each has no TPOT
    return server.predicted.notModelled.empty() && predicted > 0 ? Cell(predicted) : Cell();
}

void addServers(Report& report, const std::vector<Server>& servers) {
    using S = const Server&;
    report.add(TableOf("rows", servers)
                   .document("source", [](S s) { return s.row.label.source; })
                   .document("model", [](S s) { return s.row.settings.model; })
                   .document("system", [](S s) { return s.row.settings.system; })
                   .document("tier", [](S s) { return s.row.label.tier; })
                   .document("ttft_ms", [](S s) { return predictedCell(s, &ServerPrediction::ttftMs); })
                   .document("tpot_ms", [](S s) { return predictedCell(s, &ServerPrediction::tpotMs); })
                   .document("kv_bound", [](S s) { return s.predicted.isKvBound; })
                   .document("not_modelled",
                             [](S s) {
                                 return s.predicted.notModelled.empty() ? Cell()
                                                                        : Cell(s.predicted.notModelled);
                             })
                   .document("line", [](S s) { return s.row.line; })
                   .document("measured_ttft_ms", [](S s) { return s.row.measured.ttftMs; })
                   .document("measured_tpot_ms", [](S s) { return s.row.measured.tpotMs; }));
}

/// "tpot" and "ttft" with their figures; null where nothing was measured.
template <typename Row, typename ErrorsOf>
void addErrorColumns(TableOf<Row>& table, const ErrorsOf& errorsOf) {
    for (const auto& [key, member] :
         {std::pair<const char*, GroupErrors>("tpot", &ServerErrors::tpot), {"ttft", &ServerErrors::ttft}}) {
        const auto of = [errorsOf, at = member](const Row& row) -> const std::optional<ErrorFigures>& {
            return errorsOf(row).*at;
        };
        const auto isThere = [of](const Row& row) { return of(row).has_value(); };
        const std::string prefix(key);
        table.document(prefix, [isThere](const Row& row) { return isThere(row) ? Cell(true) : Cell(); });
        for (const auto& [name, figure] :
             {std::pair("median", &ErrorFigures::median), std::pair("mape", &ErrorFigures::mape),
              std::pair("bias", &ErrorFigures::bias), std::pair("p90", &ErrorFigures::p90)}) {
            table.where(isThere, fmt::format("{}.{}", prefix, name),
                        [of, read = figure](const Row& row) { return (*of(row)).*read; });
        }
    }
}

void addGroups(Report& report, const std::vector<ErrorGroup>& groups) {
    if (groups.empty()) {
        report.add("errors", Cell());
        return;
    }
    TableOf table("errors", groups);
    table.document("model", &ErrorGroup::model)
        .document("system", &ErrorGroup::system)
        .document("precision", &ErrorGroup::precision)
        .document("tp", &ErrorGroup::tensorParallel)
        .document("users", &ErrorGroup::users)
        .document("tier", &ErrorGroup::tier)
        .document("kv_bound", &ErrorGroup::isKvBound)
        .document("n", [](const ErrorGroup& group) { return group.errors.n; });
    addErrorColumns(table, [](const ErrorGroup& group) -> const ServerErrors& { return group.errors; });
    report.add(table);
}

void addJudged(Report& report, const ServerErrors& judged) {
    report.add("judged.n", judged.n);
    report.add("judged.not_modelled", judged.notModelled);
    for (const auto& [key, errors] :
         {std::pair("judged.tpot", &judged.tpot), std::pair("judged.ttft", &judged.ttft)}) {
        if (!*errors) {
            report.add(key, Cell());
            continue;
        }
        const Below below(report, key);
        below.add("median", (*errors)->median);
        below.add("mape", (*errors)->mape);
        below.add("bias", (*errors)->bias);
        below.add("p90", (*errors)->p90);
    }
}

/// The errors of one figure beside their goal, as median, mean and 90 % of their sizes.
struct JudgedFigure {
    std::string name;
    std::optional<ErrorFigures> errors;
    ErrorGoal goal;
};

/// Errors by a key, for people.
void addKeyed(Report& report, const std::vector<KeyedErrors>& rows, const char* title, const char* key) {
    const auto words = [](auto wordsOf, auto figure) {
        return [=](const KeyedErrors& one) { return wordsOf(one.errors.*figure); };
    };
    report.add(TableOf("", rows)
                   .titled(rows.empty() ? "" : title, rows.size())
                   .textColumn(key, &KeyedErrors::key, Form::Text)
                   .textColumn("Servers", [](const KeyedErrors& one) { return one.errors.n; })
                   .textColumn("TPOT", words(spreadWords, &ServerErrors::tpot), Form::Text)
                   .textColumn("signed", words(biasWords, &ServerErrors::tpot), Form::Text)
                   .textColumn("TTFT", words(spreadWords, &ServerErrors::ttft), Form::Text)
                   .textColumn("signed", words(biasWords, &ServerErrors::ttft), Form::Text));
}

void addForPeople(Report& report, const Validation& validation) {
    const ServerErrors& judged = validation.errors.judged;
    const auto& figures = report.keep(
        std::vector<JudgedFigure>{{"TPOT", judged.tpot, tpotGoal}, {"TTFT", judged.ttft, ttftGoal}});
    report.add(
        TableOf("", figures)
            .titled(fmt::format("Errors of {} judged servers", judged.n))
            .textColumn("Figure", &JudgedFigure::name, Form::Text)
            .textColumn(
                "Median / mean / 90 %", [](const JudgedFigure& one) { return spreadWords(one.errors); },
                Form::Text)
            .textColumn(
                "Goal", [](const JudgedFigure& one) { return goalWords(one.goal); }, Form::Text)
            .textColumn(
                "Signed median", [](const JudgedFigure& one) { return biasWords(one.errors); }, Form::Text));
    addKeyed(report, validation.judged, "Judged servers by model, GPU and format", "Model, GPU, format");
    addKeyed(report, validation.others, "Servers that are not judged", "Why");
}

/// The judged servers that are furthest off.
void addWorst(Report& report, const std::vector<Server>& servers) {
    constexpr std::size_t most = 10;
    std::vector<const Server*> worst;
    for (const Server& server : servers) {
        if (isJudged(server.row.label) && server.tpotError()) {
            worst.push_back(&server);
        }
    }
    const auto size = [](const Server* server) { return -std::abs(*server->tpotError()); };
    std::ranges::stable_sort(worst, {}, size);
    worst.resize(std::min(worst.size(), most));
    const auto& rows = report.keep(std::move(worst));
    using S = const Server*;
    report.add(
        TableOf("", rows)
            .titled(rows.empty() ? "" : "Furthest off in TPOT")
            .textColumn("Line", [](S s) { return s->row.line; })
            .textColumn(
                "Server", [](S s) { return serverWords(s->row.settings); }, Form::Text)
            .textColumn(
                "TPOT", [](S s) { return differenceWords(s->row.measured.tpotMs, s->predicted.tpotMs); },
                Form::Text)
            .textColumn(
                "TTFT", [](S s) { return differenceWords(s->row.measured.ttftMs, s->predicted.ttftMs); },
                Form::Text)
            .textColumn(
                "Note", [](S s) { return s->row.label.note; }, Form::Text));
}

void addNotes(Report& report, const Validation& validation) {
    for (const auto& [reason, rows] : validation.notModelled) {
        report.addCaveat(fmt::format("{} not modelled: {}.", counted(rows, "server"), reason));
    }
    for (const RowDiagnostic& one : validation.diagnostics) {
        report.addCaveat(one.sentence());
    }
    if (const std::size_t lost = validation.errors.judged.notModelled; lost > 0) {
        report.addCaveat(fmt::format("{} of the judged not modelled: each counts as an error of 100 %.",
                                     counted(lost, "server")));
    }
    for (const UsedTables& used : validation.sources) {
        const AtlasSource& source = used.source;
        report.provenance.push_back({fmt::format("{}: {} by {} {}", used.gpu, fmt::join(used.kinds, ", "),
                                                 source.engine, source.version),
                                     fmt::format("{} ({})", source.publisher, source.licence), source.date});
    }
}

} // namespace

Report validationReport(const Validation& validation, const ValidationQuestion& /*question*/) {
    Report report;
    report.schema = "loadline.validate/1";
    report.headline = headlineOfValidation(validation);
    report.say(fmt::format("{}, of which {} are judged: of tier A, not bound by KV, and measured.",
                           counted(validation.servers.size(), "server"), validation.errors.judged.n));
    addForPeople(report, validation);
    addWorst(report, validation.servers);
    addServers(report, validation.servers);
    addConstants(report);
    addGroups(report, validation.errors.groups);
    addJudged(report, validation.errors.judged);
    addCoverage(report, validation.coverage);
    addNotes(report, validation);
    addValidationPlots(report, validation);
    return report;
}

} // namespace loadline::ask
