// Both forms walk the same parts in the same order.
#include "core/ask/write_text.h"

#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/text_table.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace loadline::ask {
bool isShown(const Fact& fact) {
    return fact.shown != Shown::Document && !(fact.cell.isEmpty() && fact.words.empty());
}

std::string wordsOf(const Fact& fact) {
    const std::string value = fact.words.empty() ? wordsOf(fact.cell, fact.form) : fact.words;
    return fact.error ? fmt::format("{} ± {}", value, wordsOf(Cell(*fact.error), fact.form)) : value;
}

std::string wordsOf(const Provenance& one) {
    std::string line = one.what;
    for (const std::string& more : {one.source, one.date}) {
        line += more.empty() ? "" : (line.empty() ? "" : ", ") + more;
    }
    return line;
}

namespace {

std::string valueOf(const Column& column, std::size_t row) {
    return column.words ? column.words(row) : wordsOf(column.at(row), column.form);
}

bool isNumeric(const Column& column) {
    return column.form != Form::Text && column.form != Form::Time;
}

std::vector<const Column*> shownColumns(const Table& table) {
    std::vector<const Column*> columns;
    for (const Column& column : table.columns) {
        if (column.shown != Shown::Document) {
            columns.push_back(&column);
        }
    }
    return columns;
}

TextTable aligned(const Table& table, const std::vector<const Column*>& columns) {
    TextTable text;
    for (const Column* column : columns) {
        text.columns.push_back({column->title, isNumeric(*column)});
    }
    for (std::size_t row = 0; row < std::min(table.rows, table.textRows); ++row) {
        std::vector<std::string>& cells = text.rows.emplace_back();
        for (const Column* column : columns) {
            cells.push_back(valueOf(*column, row));
        }
    }
    return text;
}

std::string moreRows(const Table& table) {
    return table.rows > table.textRows
               ? fmt::format("({} more)", formatExact(static_cast<std::int64_t>(table.rows - table.textRows)))
               : std::string();
}

bool isShown(const Table& table) {
    return !table.title.empty() && table.rows > 0 && !table.within && !shownColumns(table).empty();
}

/// Paragraphs, apart by an empty line.
class Paragraphs {
public:
    void add(std::string_view paragraph) {
        if (!paragraph.empty()) {
            text_ += text_.empty() ? "" : "\n";
            text_ += paragraph;
            text_ += paragraph.ends_with('\n') ? "" : "\n";
        }
    }

    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

template <typename FactText, typename TableText>
void addParts(const Report& report, Paragraphs& text, const FactText& facts, const TableText& table) {
    std::vector<const Fact*> run;
    const auto end = [&] {
        if (!run.empty()) {
            text.add(facts(run));
            run.clear();
        }
    };
    for (const auto& part : report.parts) {
        if (const auto* fact = std::get_if<Fact>(&part)) {
            if (!isShown(*fact)) {
                continue;
            }
            if (fact->label.empty()) { // prose
                end();
                text.add(visibleLines(wordsOf(*fact)));
            } else {
                run.push_back(fact);
            }
        } else if (isShown(std::get<Table>(part))) {
            end();
            text.add(table(std::get<Table>(part)));
        }
    }
    end();
}

/// Nothing in a name ends a cell or begins a mark-up.
std::string markdownCell(const std::string& text) {
    std::string cell;
    for (const char c : visibleText(text)) {
        cell += std::string_view("|*_`<>[]\\").find(c) == std::string_view::npos ? std::string(1, c)
                                                                                 : std::string{'\\', c};
    }
    return cell;
}

std::string markdownTable(const Table& table) {
    const std::vector<const Column*> columns = shownColumns(table);
    std::string text = fmt::format("### {}\n\n|", table.title);
    std::string rule = "|";
    for (const Column* column : columns) {
        text += fmt::format(" {} |", markdownCell(column->title));
        rule += isNumeric(*column) ? " ---: |" : " --- |";
    }
    text += "\n" + rule + "\n";
    for (std::size_t row = 0; row < std::min(table.rows, table.textRows); ++row) {
        text += "|";
        for (const Column* column : columns) {
            text += fmt::format(" {} |", markdownCell(valueOf(*column, row)));
        }
        text += "\n";
    }
    const std::string more = moreRows(table);
    return text + (more.empty() ? "" : "\n" + more + "\n");
}

} // namespace

std::string textOfReport(const Report& report) {
    Paragraphs text;
    text.add(report.headline);
    if (report.problem) {
        text.add(report.problem->sentence());
    }
    addParts(
        report, text,
        [](const std::vector<const Fact*>& facts) {
            TextTable table;
            table.columns = {{""}, {"", true}};
            for (const Fact* fact : facts) {
                table.rows.push_back({fact->label, wordsOf(*fact)});
            }
            return alignedText(std::move(table));
        },
        [](const Table& table) {
            return table.title + "\n" + alignedText(aligned(table, shownColumns(table))) + moreRows(table);
        });
    std::string notes;
    for (const Note& note : report.notes) {
        notes += note.isElsewhere ? "" : visibleText(note.text) + "\n";
    }
    text.add(notes);
    std::string sources;
    for (const Provenance& one : report.provenance) {
        sources += visibleText(wordsOf(one)) + "\n";
    }
    text.add(sources);
    return text.take();
}

std::string markdownOfReport(const Report& report) {
    Paragraphs text;
    text.add(report.headline.empty() ? "" : "**" + markdownCell(report.headline) + "**");
    if (report.problem) {
        text.add(markdownCell(report.problem->sentence()));
    }
    addParts(
        report, text,
        [](const std::vector<const Fact*>& facts) {
            std::string list;
            for (const Fact* fact : facts) {
                list += fmt::format("- {}: {}\n", markdownCell(fact->label), markdownCell(wordsOf(*fact)));
            }
            return list;
        },
        markdownTable);
    std::string notes;
    for (const Note& note : report.notes) {
        notes += note.isElsewhere ? "" : "- " + markdownCell(note.text) + "\n";
    }
    for (const Provenance& one : report.provenance) {
        notes += "- " + markdownCell(wordsOf(one)) + "\n";
    }
    text.add(notes);
    return text.take();
}

} // namespace loadline::ask
