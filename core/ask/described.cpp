// Fills the gaps of plots.
#include "core/ask/described.h"

#include <algorithm>
#include <string>

namespace loadline::ask {
namespace {

void fillAxis(Axis& axis, const Report& report, const Mark& mark, const std::string& key) {
    const Table* const table = report.find(mark.table);
    if (!axis.title.empty() || table == nullptr) {
        return;
    }
    const auto column = std::ranges::find(table->columns, key, &Column::key);
    if (column != table->columns.end()) {
        axis.title = column->title;
        axis.form = axis.form == Form::Plain ? column->form : axis.form;
    }
}

} // namespace

Report described(const Study& study, const Answer& answer, const Question& question) {
    Report report = study.report(answer, question);
    for (Plot& plot : report.plots) {
        const auto words = std::ranges::find(study.plots, plot.key, &PlotWords::key);
        if (words != study.plots.end()) {
            plot.title = plot.title.empty() ? std::string(words->title) : plot.title;
            plot.description = plot.description.empty() ? std::string(words->description) : plot.description;
        }
        plot.sentence = plot.sentence.empty() ? report.headline : plot.sentence;
        if (!plot.marks.empty()) {
            fillAxis(plot.x, report, plot.marks.front(), plot.marks.front().x);
            fillAxis(plot.y, report, plot.marks.front(), plot.marks.front().y);
        }
    }
    return report;
}

} // namespace loadline::ask
