// An answer, described once: headline, facts, tables, plots, notes. Window, text, JSON, CSV and Markdown
// follow.
#pragma once

#include "core/ask/cell.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace loadline::ask {

/// Who sees a fact or a column; documents hold all that have a key.
enum class Shown : std::uint8_t {
    Document, ///< documents alone
    Text      ///< text and tables too
};

/// One value. Its key is a path of literals: "composition.token_weighted.cached".
struct Fact {
    std::string key; ///< "": in no document
    Cell cell;
    std::string label = {}; ///< for people: "hit rate"
    Form form = Form::Plain;
    std::string meaning = {};         ///< how it is counted, in a sentence
    std::optional<double> error = {}; ///< 95 % of the time it errs by no more, in the unit of the value
    Shown shown = Shown::Document;
    std::string words = {}; ///< for people instead of cell and form: "at least 64.6 %, perhaps 94.2 %"
};

/// The meaning of a colour (ui's theme has the colours); Series: by the value of Mark::series.
enum class Ink : std::uint8_t {
    Series,
    Accent,
    Text,
    Muted,
    CacheRead,
    CacheWrite,
    Uncached,
    Output,
    Fp16, ///< dense GEMM on fp16 weights
    Scalar,
    Kernel, ///< k-bit tensor-core GEMM
    KernelVariant,
    Dequantise,
    Rest, ///< of a step beside its GEMMs
    Idle,
    Good,
    Warning,
    Error,
    NewInput,  ///< cache write and uncached input together
    Model,     ///< what a model predicts or does
    Reference, ///< published by others
    Graded     ///< one hue by Mark::grade
};

/// A column reads its rows and stores nothing.
struct Column {
    /// In JSON and CSV; "": in neither. Its dots make objects in JSON; one that has a column of its own name
    /// is null where all of its cells are empty, and so is a table within.
    std::string key;
    std::string title; ///< for people
    Form form = Form::Plain;
    std::function<Cell(std::size_t row)> at;
    std::string help = {};    ///< what it means and how it is counted
    std::string readOut = {}; ///< before its value under the cursor: "kept for {}"; "": it is not told there
    bool omitsEmpty = false;  ///< documents leave out an empty cell instead of writing null
    Shown shown = Shown::Text;
    std::function<std::string(std::size_t row)> words = {}; ///< for people instead of `at` and form
    /// For drawn tables: length of a bar under the cell's text, as a share of the cell's width; NaN: no bar.
    std::function<double(std::size_t row)> bar = {};
    std::function<Ink(std::size_t row)> ink = {};      ///< of that bar, without it of the words
    std::function<bool(std::size_t row)> isThere = {}; ///< false: documents leave it out of this row

    [[nodiscard]] bool isOmitted(std::size_t row) const {
        return (omitsEmpty && at(row).isEmpty()) || (isThere && !isThere(row));
    }
};

/// A table's form in JSON.
enum class Shape : std::uint8_t {
    Rows,    ///< [{column: value, ..}, ..]
    Map,     ///< {first column: second column, ..}
    MapRows, ///< {first column: {other columns}, ..}
    Scalars, ///< [only column, ..]
    Lists    ///< [[column, ..], ..]
};

struct Table {
    std::string
        path; ///< "breaks"; of a table within the rows of that one: "breaks.reasons"; "": in no document
    std::string title; ///< for people; "": text does not show it
    std::size_t rows = 0;
    std::vector<Column> columns;
    Shape shape = Shape::Rows;
    std::size_t textRows = 20; ///< so many in text; the rest is counted
    /// Set for a table within the rows of another: the first of its rows that belong to an outer row, and the
    /// one past the last.
    std::function<std::pair<std::size_t, std::size_t>(std::size_t outer)> within = {};

    /// Makes the cells of some rows unknown, but those of the columns whose keys begin with one of `kept`.
    void forgetRows(const std::function<bool(std::size_t row)>& where,
                    std::initializer_list<std::string_view> kept);
};

enum class Scale : std::uint8_t { Linear, Log, Time, Category };

/// Logarithmic for positive values over more than a decade: a linear axis would show the smallest at 0.
constexpr Scale scaleOver(double least, double most) {
    constexpr double decade = 10;
    return least > 0 && most > decade * least ? Scale::Log : Scale::Linear;
}

struct Axis {
    std::string title = {}; ///< with its unit
    Form form = Form::Plain;
    Scale scale = Scale::Linear;
    std::optional<double> low = {}, high = {}; ///< else from the marks
    std::string lowField = {}, highField = {}; ///< the fields that a zoom sets
    std::optional<double> lastTick = {};       ///< places beyond it are no values and have no tick

    bool operator==(const Axis&) const = default;
};

enum class Kind : std::uint8_t {
    Line,
    Step,
    Area,
    Points,
    Bars,
    Spans,
    Cells,
    Flags,
    Labels,
    Ranges ///< a thin line to x2 or y2, which no axis follows
};

/// Something drawn for each row of a table of the report: its columns by key.
struct Mark {
    Kind kind = Kind::Line;
    std::string table = {};       ///< Table::path of one of Report::parts or Report::tables
    std::string x = {}, y = {};   ///< columns
    std::string x2 = {}, y2 = {}; ///< other end of spans, areas, whiskers, bars
    std::string series = {};      ///< column: one line, or stack, for each of its values
    std::string label = {};       ///< column: text at the mark; of a line at its end
    std::string value = {};       ///< column: shade of cells
    std::string basisColumn = {}; ///< column of a Basis, by its number
    std::string legend = {};      ///< words; "{}" is the series
    Ink ink = Ink::Series;
    std::vector<Ink> inks = {};    ///< of the series, in the order in which they appear; empty: `ink`
    bool pale = false;             ///< of what is compared with
    Basis basis = Basis::Measured; ///< solid, hatched or dashed (published), dotted (modelled)
    bool dashed = false;           ///< dashed, boxes hatched: a second thing in the same ink
    double grade = 1;              ///< of Ink::Graded, 0 to 1
    /// For cells: the value between two colours, which reach full strength at half and at twice this value.
    std::optional<double> middle = {};
    bool onRight = false;        ///< read at Plot::right
    bool background = false;     ///< below all others, and not in the read-out's search
    std::string pickField = {};  ///< a click sets this field ..
    std::string pickColumn = {}; ///< .. to this column of the row
    std::string leadColumn = {}; ///< column: where a double click leads

    bool operator==(const Mark&) const = default;
};

/// A line across the plot; one that can be dragged sets a field.
struct Rule {
    enum class Across : std::uint8_t {
        X,
        Y,
        Diagonal
    } across = Across::X;          ///< the axis that it has a value of; Diagonal: y = at * x
    std::optional<double> at = {}; ///< where; of a field: the field's value
    std::optional<double> to = {}; ///< a band up to there
    std::string label = {};
    std::string field = {};  ///< set by dragging; "": it stays
    std::string onMark = {}; ///< the y column of the line that carries its dot
    int part = -1;           ///< of a field of several parts
    bool factor = false;     ///< the drag multiplies the field by how far the hand went
    Ink ink = Ink::Muted;
    /// The field's value with the line there; {}: the same number.
    std::function<double(double at)> fieldAt = {};
    double step = 0;                       ///< an arrow key multiplies by so much; 0: a digit of the field
    std::vector<std::string> readOut = {}; ///< lines under the cursor at its grip, or on it
};

struct Plot {
    std::string key;              ///< "cache-ttl"
    std::string title = {};       ///< "Hits by time to live"
    std::string description = {}; ///< one line for `export --list`
    std::string sentence = {};    ///< what it shows, computed
    Axis x = {}, y = {};
    std::vector<Mark> marks = {};
    std::vector<Rule> rules = {};
    std::optional<Axis> right = {};
    std::string empty = {}; ///< why there is nothing to draw; "": there is
    /// Plots of one facet lie beside each other in one picture, under one legend.
    std::string facet = {};
    /// Shares of the room beside others; where heights differ they lie one above the other, where widths do,
    /// in a row.
    int width = 1, height = 1;
    std::string table = {};  ///< Table::path of its CSV and table twin; "": the first mark's
    std::string drawn = {};  ///< Table::path of a table that is drawn instead of marks
    std::string corner = {}; ///< in small ink at its top right: which of several caches it is of
};

struct Note {
    std::string text; ///< one sentence
    enum class Kind : std::uint8_t { Caveat, Diagnostic, Hint } kind = Kind::Caveat;
    std::string field = {};   ///< the field that mends it
    bool isElsewhere = false; ///< another part of the text holds these words: text leaves the note out
};

/// The source of figures.
struct Provenance {
    std::string what, source, date;
};

struct Report {
    std::string schema = {};                           ///< "loadline.cache/1"
    std::string headline = {};                         ///< the answer in at most 20 words
    std::vector<std::variant<Fact, Table>> parts = {}; ///< of documents, in their order
    std::vector<Table> tables = {};                    ///< of plots, in no document
    std::vector<Plot> plots = {};
    std::vector<Note> notes = {}; ///< caveats strongest first
    std::vector<Provenance> provenance = {};
    std::optional<Error> problem = {}; ///< why there is no answer
    /// Values that the accessors of columns read.
    std::vector<std::shared_ptr<const void>> keeps = {};

    /// Appends a fact, of documents alone where it has no label.
    void add(std::string key, Cell cell, std::string label = {}, Form form = Form::Plain,
             std::string words = {}) {
        const Shown shown = label.empty() ? Shown::Document : Shown::Text;
        parts.emplace_back(Fact{.key = std::move(key),
                                .cell = std::move(cell),
                                .label = std::move(label),
                                .form = form,
                                .shown = shown,
                                .words = std::move(words)});
    }

    void add(Fact fact) { parts.emplace_back(std::move(fact)); }

    void add(Table table) { parts.emplace_back(std::move(table)); }

    /// Appends a sentence for people, in no document; "": nothing.
    void say(std::string sentence) {
        if (!sentence.empty()) {
            parts.emplace_back(
                Fact{.key = {}, .cell = std::move(sentence), .form = Form::Text, .shown = Shown::Text});
        }
    }

    /// Appends a caveat, with a full stop; nothing where `words` are empty, or where a caveat before holds
    /// them. `isElsewhere`: another part of the text holds them too.
    void addCaveat(std::string words, bool isElsewhere = false);
    [[nodiscard]] bool holdsCaveat(std::string_view words) const;
    /// The texts of the notes of kind Caveat.
    [[nodiscard]] std::vector<std::string> caveats() const;

    /// Appends a table: in documents where it has a path, for people where it has a title.
    void add(std::string path, std::string title, std::size_t rows, std::vector<Column> columns,
             Shape shape = Shape::Rows) {
        parts.emplace_back(Table{.path = std::move(path),
                                 .title = std::move(title),
                                 .rows = rows,
                                 .columns = std::move(columns),
                                 .shape = shape});
    }

    /// Keeps a value for the accessors of columns; returns it where it lies.
    template <typename T>
    const T& keep(T value) {
        auto held = std::make_shared<const T>(std::move(value));
        const T& kept = *held;
        keeps.push_back(std::move(held));
        return kept;
    }

    /// Appends the cells of a row as facts of documents alone, below a path ("": at the top): {column: cell,
    /// ..}.
    void addRow(std::string_view path, std::span<const Column> columns, std::size_t row = 0);

    /// Makes all at and below a path unknown: null in documents, nothing in text. Order is kept.
    void forget(std::string_view path);
    /// Makes all parts from number `first` on unknown but those at or below `kept`, keys of the top; what was
    /// for people alone goes.
    void forgetAllBut(std::size_t first, std::initializer_list<std::string_view> kept);
    /// The table of this path, of `parts` or `tables`; null: there is none.
    [[nodiscard]] const Table* find(std::string_view path) const;
};

/// Adds facts below a path: {"path": {key: cell, ..}}.
class Below {
public:
    Below(Report& report, std::string path) : report_(report), path_(std::move(path) + ".") {}

    void add(const char* key, Cell cell, std::string label = {}, Form form = Form::Plain,
             std::string words = {}) const {
        report_.add(path_ + key, std::move(cell), std::move(label), form, std::move(words));
    }

private:
    Report& report_;
    std::string path_;
};

/// A column of rows that something in Report::keeps holds: `read` of a row, a member or a function.
template <typename Rows, typename Read>
Column columnOf(const Rows& rows, std::string key, std::string title, Read read, Form form = Form::Plain,
                std::string readOut = {}) {
    Column column{.key = std::move(key), .title = std::move(title), .form = form, .at = {}};
    column.at = [&rows, read](std::size_t row) { return Cell(std::invoke(read, rows[row])); };
    column.readOut = std::move(readOut);
    return column;
}

/// A column of rows by their number: `at` gives what a Cell is made of. Of documents alone where it has no
/// title.
template <typename At>
Column columnAt(std::string key, At at, std::string title = {}, Form form = Form::Plain,
                std::string help = {}) {
    const Shown shown = title.empty() ? Shown::Document : Shown::Text;
    Column column{.key = std::move(key), .title = std::move(title), .form = form, .at = {}};
    column.at = [at](std::size_t row) { return Cell(at(row)); };
    column.help = std::move(help);
    column.shown = shown;
    return column;
}

/// The name of a group of columns that is null where all of its cells are empty.
inline Column groupOf(std::string key) {
    return columnAt(std::move(key), [](std::size_t) { return Cell(); });
}

/// The name of a group or of a table within that is null where `isThere` is false.
template <typename Is>
Column groupOf(std::string key, Is isThere) {
    return columnAt(std::move(key),
                    [isThere](std::size_t row) { return isThere(row) ? Cell(true) : Cell(); });
}

/// A table with no columns yet.
inline Table emptyTable(std::string path, std::size_t rows, Shape shape) {
    Table table;
    table.path = std::move(path);
    table.rows = rows;
    table.shape = shape;
    return table;
}

/// A list of values, in JSON [a, b, ..]; it holds them.
template <typename T>
Table listOf(std::string path, std::vector<T> values) {
    Table table = emptyTable(std::move(path), values.size(), Shape::Scalars);
    Column column{.key = "value", .title = {}, .form = Form::Plain, .at = {}};
    column.at = [held = std::move(values)](std::size_t row) { return Cell(held[row]); };
    table.columns.push_back(std::move(column));
    return table;
}

} // namespace loadline::ask
