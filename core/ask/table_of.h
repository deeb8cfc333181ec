// Tables over rows of a type, a line a column.
#pragma once

#include "core/ask/grouped.h"
#include "core/ask/report.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace loadline::ask {

/// Builds a table whose columns read rows that something in Report::keeps holds; -> reaches the table itself.
/// `read`: a member of a row, or a function of it that gives what a Cell is made of.
template <typename Row>
class TableOf {
public:
    explicit TableOf(std::string path, const std::vector<Row>& rows, Shape shape = Shape::Rows)
        : rows_(&rows), table_(emptyTable(std::move(path), rows.size(), shape)) {}

    operator Table() const { return table_; }
    Table* operator->() { return &table_; }
    const Table* operator->() const { return &table_; }

    /// For people: with this title, `most` rows of it in text.
    TableOf& titled(const std::string& title, std::size_t most = 20) {
        table_.title = title;
        table_.textRows = most;
        return *this;
    }

    /// A column of documents and of text.
    template <typename Read>
    TableOf& column(std::string key, std::string title, Read read, Form form = Form::Plain) {
        table_.columns.push_back(columnOf(*rows_, std::move(key), std::move(title), std::move(read), form));
        return *this;
    }

    /// A column of documents alone.
    template <typename Read>
    TableOf& document(std::string key, Read read) {
        column(std::move(key), {}, std::move(read));
        table_.columns.back().shown = Shown::Document;
        return *this;
    }

    /// A column of documents that leave its empty cells out.
    template <typename Read>
    TableOf& ifThere(std::string key, Read read) {
        document(std::move(key), std::move(read));
        table_.columns.back().omitsEmpty = true;
        return *this;
    }

    /// A column of documents, only in the rows of which `isThere` is true.
    template <typename Read, typename Is>
    TableOf& where(Is isThere, std::string key, Read read) {
        document(std::move(key), std::move(read));
        table_.columns.back().isThere = [rows = rows_, isThere](std::size_t row) {
            return std::invoke(isThere, (*rows)[row]);
        };
        return *this;
    }

    /// Columns that others made, of documents alone.
    TableOf& with(const std::vector<Column>& more) {
        table_.columns.insert(table_.columns.end(), more.begin(), more.end());
        return *this;
    }

    /// A column of text alone.
    template <typename Read>
    TableOf& textColumn(std::string title, Read read, Form form = Form::Plain) {
        return column({}, std::move(title), std::move(read), form);
    }

private:
    const std::vector<Row>* rows_;
    Table table_;
};

/// A table of the values of each row of another: `path` "sessions.tools".
template <typename T>
TableOf<T> tableWithin(std::string path, const Grouped<T>& groups, Shape shape = Shape::Rows) {
    TableOf<T> table(std::move(path), groups.values(), shape);
    table->within = [&groups](std::size_t outer) { return groups.range(outer); };
    return table;
}

/// [value, ..] of each row of another.
template <typename T>
Table listsWithin(std::string path, const Grouped<T>& groups) {
    return tableWithin(std::move(path), groups, Shape::Scalars).document("value", std::identity());
}

} // namespace loadline::ask
