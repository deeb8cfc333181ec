// Calls and tokens by kind, as facts and as columns of documents.
#pragma once

#include "core/ask/table_of.h"
#include "core/session/usage.h"

#include <functional>
#include <span>
#include <string>

namespace loadline::ask {

/// One figure of a sum of calls.
struct UsageFigure {
    const char* key;
    Cell (*of)(const UsageTotals& totals);
};

/// Returns the figures in the order of documents.
std::span<const UsageFigure> usageFigures();

/// Appends a fact for each, below a path.
void addUsage(Report& report, const std::string& path, const UsageTotals& totals,
              std::span<const UsageFigure> figures = usageFigures());

/// Appends a column of documents for each; `read`: the totals of a row. `prefix`: "totals." or "".
template <typename Row, typename Read>
void addUsage(TableOf<Row>& table, const std::string& prefix, Read read) {
    for (const UsageFigure& figure : usageFigures()) {
        table.document(prefix + figure.key,
                       [read, of = figure.of](const Row& row) { return of(std::invoke(read, row)); });
    }
}

/// "final", "lower_bound", "start_only", "mixed"; "none" without calls.
std::string outputQualityKey(const UsageTotals& totals);
/// Dollars at list prices; no value where there are calls and none has a price.
Cell costOf(const UsageTotals& totals);

} // namespace loadline::ask
