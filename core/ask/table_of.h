// Tables over rows of a type, a line a column.
#pragma once

#include "core/ask/grouped.h"
#include "core/ask/report.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace loadline::ask {

/// A table whose columns read rows that something in Report::keeps holds. `read`: a member of a row, or a
/// function of it that gives what a Cell is made of.
template <typename Row>
class TableOf : public Table {
public:
    explicit TableOf(std::string name, const std::vector<Row>& all, Shape form = Shape::Rows) : all_(&all) {
        path = std::move(name);
        rows = all.size();
        shape = form;
    }

    /// For people: with this title, `most` rows of it in text.
    TableOf& titled(std::string words, std::size_t most = 20) {
        title = std::move(words);
        textRows = most;
        return *this;
    }

    /// A column of documents and of text.
    template <typename Read>
    TableOf& column(std::string key, std::string words, Read read, Form form = Form::Plain) {
        columns.push_back(columnOf(*all_, std::move(key), std::move(words), std::move(read), form));
        return *this;
    }

    /// A column of documents alone.
    template <typename Read>
    TableOf& document(std::string key, Read read) {
        column(std::move(key), {}, std::move(read));
        columns.back().shown = Shown::Document;
        return *this;
    }

    /// A column of documents that leave its empty cells out.
    template <typename Read>
    TableOf& ifThere(std::string key, Read read) {
        document(std::move(key), std::move(read));
        columns.back().omitsEmpty = true;
        return *this;
    }

    /// A column of documents, only in the rows of which `isThere` is true.
    template <typename Read, typename Is>
    TableOf& where(Is isThere, std::string key, Read read) {
        document(std::move(key), std::move(read));
        columns.back().isThere = [all = all_, isThere](std::size_t row) {
            return std::invoke(isThere, (*all)[row]);
        };
        return *this;
    }

    /// Columns that others made, of documents alone.
    TableOf& with(std::vector<Column> more) {
        std::ranges::move(more, std::back_inserter(columns));
        return *this;
    }

    /// A column of text alone.
    template <typename Read>
    TableOf& textColumn(std::string words, Read read, Form form = Form::Plain) {
        return column({}, std::move(words), std::move(read), form);
    }

private:
    const std::vector<Row>* all_;
};

/// A table of the values of each row of another: `path` "sessions.tools".
template <typename T>
TableOf<T> tableWithin(std::string path, const Grouped<T>& groups, Shape shape = Shape::Rows) {
    TableOf<T> table(std::move(path), groups.values(), shape);
    table.within = [&groups](std::size_t outer) { return groups.range(outer); };
    return table;
}

/// [value, ..] of each row of another.
template <typename T>
Table listsWithin(std::string path, const Grouped<T>& groups) {
    return tableWithin(std::move(path), groups, Shape::Scalars).document("value", std::identity());
}

} // namespace loadline::ask
