// Stacked parts, fitting rows and read-outs of a composition.
#include "ui/chart/composition/composition_geometry.h"

#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {

namespace {

struct TokenPartLook {
    QColor Theme::*color;
    const char* name;
};

/// By TokenPart.
constexpr std::array<TokenPartLook, 5> tokenParts = {{{&Theme::cacheRead, "cache read"},
                                                      {&Theme::cacheWrite, "cache write"},
                                                      {&Theme::uncachedInput, "uncached input"},
                                                      {&Theme::newInput, "new input (write + uncached)"},
                                                      {&Theme::output, "output"}}};

QString exact(Tokens n) {
    return exactText(n);
}

QString withShare(Tokens n, Tokens all) {
    const double share = all == 0 ? 0 : static_cast<double>(n) / static_cast<double>(all);
    return exact(n) + QStringLiteral(" (") + shareText(share) + QStringLiteral(")");
}

CompositionRow merged(const std::vector<CompositionRow>& rows, std::size_t from) {
    CompositionRow other;
    for (std::size_t i = from; i < rows.size(); ++i) {
        other.totals += rows[i].totals;
    }
    const Usage& usage = other.totals.usage;
    other.hitRate = other.totals.hitRate();
    other.hitRatePerRequest = -1; // means of means would be another quantity
    if (usage.cacheWrite > 0) {
        other.readWriteRatio = static_cast<double>(usage.cacheRead) / static_cast<double>(usage.cacheWrite);
    } else if (usage.cacheRead > 0) {
        other.readWriteRatio = std::numeric_limits<double>::infinity();
    }
    return other;
}

} // namespace

Tokens tokensOf(const CompositionRow& row) {
    return row.totals.usage.context() + row.totals.usage.output;
}

QColor colorOf(TokenPart part, const Theme& theme) {
    return theme.*tokenParts.at(static_cast<std::size_t>(part)).color;
}

QString nameOf(TokenPart part) {
    return QString::fromUtf8(tokenParts.at(static_cast<std::size_t>(part)).name);
}

std::vector<TokenPart> partsShown(const CompositionView& view) {
    if (view.perRequest && view.shares) {
        return {TokenPart::CacheRead, TokenPart::NewInput, TokenPart::Output};
    }
    return {TokenPart::CacheRead, TokenPart::CacheWrite, TokenPart::UncachedInput, TokenPart::Output};
}

std::vector<StackedPart> partsOf(const CompositionRow& row, const CompositionView& view) {
    std::vector<StackedPart> parts;
    double sum = 0;
    const auto add = [&](TokenPart part, double amount, bool lowerBound = false) {
        if (amount > 0) {
            parts.push_back({part, sum, sum + amount, lowerBound});
            sum += amount;
        }
    };
    const Usage& usage = row.totals.usage;
    const Tokens final = std::min(row.totals.outputOfFinalCalls, usage.output);
    if (view.perRequest && view.shares) {
        // The mean does not tell which calls are exact: hatched as soon as some are not.
        add(TokenPart::CacheRead, row.meanPerRequest.cached);
        add(TokenPart::NewInput, row.meanPerRequest.newInput);
        add(TokenPart::Output, row.meanPerRequest.output, final < usage.output);
        return parts;
    }
    const Tokens all = tokensOf(row);
    const double unit = view.shares ? (all > 0 ? 1 / static_cast<double>(all) : 0) : 1;
    add(TokenPart::CacheRead, static_cast<double>(usage.cacheRead) * unit);
    add(TokenPart::CacheWrite, static_cast<double>(usage.cacheWrite) * unit);
    add(TokenPart::UncachedInput, static_cast<double>(usage.input) * unit);
    add(TokenPart::Output, static_cast<double>(final) * unit);
    add(TokenPart::Output, static_cast<double>(usage.output - final) * unit, true);
    return parts;
}

FittedRows fitRows(const Composition& composition, std::size_t most) {
    FittedRows fitted{composition.rows, 0};
    most = std::max<std::size_t>(most, 1);
    if (fitted.rows.size() <= most) {
        return fitted;
    }
    const std::size_t kept = most - 1;
    fitted.others = fitted.rows.size() - kept;
    CompositionRow other = merged(composition.rows, kept);
    const QString text = groupText(composition.group, fitted.others);
    other.label = QString(text).replace(QLatin1Char(' '), QStringLiteral(" other ")).toStdString();
    fitted.rows.resize(kept);
    fitted.rows.push_back(std::move(other));
    return fitted;
}

bool othersDwarf(const FittedRows& fitted, const CompositionView& view) {
    if (view.shares || fitted.others == 0 || fitted.rows.size() < 2) {
        return false;
    }
    const std::vector<CompositionRow> rows(fitted.rows.begin(), std::prev(fitted.rows.end()));
    return static_cast<double>(tokensOf(fitted.rows.back())) > largestRow(rows);
}

double largestRow(const std::vector<CompositionRow>& rows) {
    Tokens most = 1;
    for (const CompositionRow& row : rows) {
        most = std::max(most, tokensOf(row));
    }
    return static_cast<double>(most);
}

QString groupText(CompositionGroup group, std::size_t n) {
    const QString name = QString::fromUtf8(keyOf(group));
    return exactText(static_cast<std::int64_t>(n)) + QLatin1Char(' ') + name +
           (n == 1 ? QString() : QStringLiteral("s"));
}

QRectF roomBeside(double height, const QRectF& row, double endOfRows, const QRectF& bounds) {
    const auto room = [&](double top, double bottom) {
        return QRectF(QPointF(bounds.left(), std::max(top, bounds.top())),
                      QPointF(bounds.right(), std::min(bottom, bounds.bottom())));
    };
    const QRectF above = room(bounds.top(), row.top());
    const QRectF below = room(row.bottom(), bounds.bottom());
    const QRectF free = room(endOfRows, bounds.bottom());
    for (const QRectF& one : {free, above, below}) {
        if (one.height() >= height) {
            return one;
        }
    }
    return above.height() > below.height() ? above : below;
}

QString ratioText(double readWriteRatio) {
    if (std::isinf(readWriteRatio)) {
        return QStringLiteral("no writes");
    }
    return readWriteRatio > 0 ? QString::fromStdString(formatRatio(readWriteRatio)) : QStringLiteral("–");
}

QStringList readOut(const CompositionRow& row) {
    const Usage& usage = row.totals.usage;
    const Tokens all = tokensOf(row);
    const bool bound = row.totals.outputOfFinalCalls < usage.output;
    QStringList lines{QString::fromStdString(row.label)};
    lines << QStringLiteral("cache read ") + withShare(usage.cacheRead, all)
          << QStringLiteral("cache write ") + withShare(usage.cacheWrite, all)
          << QStringLiteral("uncached input ") + withShare(usage.input, all)
          << QStringLiteral("output ") + (bound ? QStringLiteral("≥ ") : QString()) +
                 withShare(usage.output, all)
          << exact(static_cast<Tokens>(row.totals.calls)) +
                 (row.totals.calls == 1 ? QStringLiteral(" API call") : QStringLiteral(" API calls"));
    QString hit = QStringLiteral("hit rate ") + shareText(row.hitRate) + QStringLiteral(" of tokens");
    if (!row.totals.recordsCache()) {
        hit = QStringLiteral("hit rate not recorded");
    } else if (row.hitRatePerRequest >= 0) {
        hit += QStringLiteral(", ") + shareText(row.hitRatePerRequest) + QStringLiteral(" per request");
    }
    lines << hit << QStringLiteral("read ÷ write ") + ratioText(row.readWriteRatio);
    return lines;
}

QString describeRow(const CompositionRow& row) {
    QStringList lines = readOut(row);
    const QString label = lines.takeFirst();
    return label + QStringLiteral(": ") + lines.join(QStringLiteral(", "));
}

DayAxis dayAxisOf(const Composition& composition) {
    DayAxis axis;
    QDate last;
    std::vector<QDate> dates;
    for (const CompositionRow& row : composition.rows) {
        const QDate date = QDate::fromString(QString::fromStdString(row.key), Qt::ISODate);
        dates.push_back(date);
        if (date.isValid()) {
            axis.first = axis.first.isValid() ? std::min(axis.first, date) : date;
            last = last.isValid() ? std::max(last, date) : date;
        }
    }
    const int days = axis.first.isValid() ? static_cast<int>(axis.first.daysTo(last)) + 1 : 0;
    axis.count = days;
    for (const QDate& date : dates) {
        if (date.isValid()) {
            axis.slotOf.push_back(static_cast<int>(axis.first.daysTo(date)));
        } else {
            axis.slotOf.push_back(days);
            axis.count = days + 1;
        }
    }
    return axis;
}

} // namespace loadline::ui
