// Printed figures as hollow diamonds, ours as lines with their spread over seeds.
#include "ui/chart/simulation/study_drawing.h"

#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double studyLegendHeight = 18;

struct Column {
    QString title;
    double (*printed)(const PublishedUsers&);
    Spread (*ours)(const ReproducedUsers&);
    bool log = false;
    bool share = false;
    bool ofTime = false; ///< printed at one k alone
};

const std::array<Column, 3>& columns() {
    static const std::array<Column, 3> all = {
        Column{QStringLiteral("rows M on average"), [](const PublishedUsers& p) { return p.averageM; },
               [](const ReproducedUsers& r) { return r.averageM; }, true, false},
        Column{QStringLiteral("steps that only decode"),
               [](const PublishedUsers& p) { return p.decodeOnlyFraction; },
               [](const ReproducedUsers& r) { return r.decodeOnlyFraction; }, false, true},
        Column{QStringLiteral("time / fp16 time"), [](const PublishedUsers& p) { return p.timeVsFp16; },
               [](const ReproducedUsers& r) { return r.timeVsFp16; }, false, false, true}};
    return all;
}

QColor colourOf(StudyReading reading, const Theme& theme) {
    switch (reading) {
    case StudyReading::Plain:
        return theme.text;
    case StudyReading::StudyLike:
        return theme.cacheRead;
    case StudyReading::VllmV1:
        return theme.output;
    }
    return theme.text;
}

Qt::PenStyle styleOf(StudyReading reading) {
    return reading == StudyReading::StudyLike ? Qt::DashLine : Qt::SolidLine;
}

QString textOf(std::string_view text) {
    return QString::fromUtf8(text);
}

void paintDiamond(QPainter& painter, const QPointF& at, const Theme& theme) {
    painter.setPen(QPen(theme.error, 1.6));
    painter.setBrush(theme.plotGround);
    painter.drawPolygon(
        QPolygonF({at + QPointF(0, -5), at + QPointF(5, 0), at + QPointF(0, 5), at + QPointF(-5, 0)}));
}

QString previewMark(const StudyTables& tables) {
    return tables.isPreview ? QStringLiteral(" (preview)") : QString();
}

class StudyUsersDrawing : public PlotDrawing {
public:
    explicit StudyUsersDrawing(std::shared_ptr<const StudyTables> tables) : tables_(std::move(tables)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("Published tables"); }

    [[nodiscard]] QString sentence() const override {
        if (tables_->readings.empty() || tables_->readings.front().users.empty()) {
            return QStringLiteral("Nothing was simulated.");
        }
        const ReproducedUsers& ours = tables_->readings.front().users.back();
        const PublishedUsers* printed = publishedUsersOf(ours.users);
        QString text =
            QStringLiteral("Taken literally, the study's words give %1 rows on average at %2 users%3")
                .arg(realText(ours.averageM.mean, 3))
                .arg(ours.users)
                .arg(previewMark(*tables_));
        if (printed != nullptr) {
            text += QStringLiteral("; it printed %1").arg(realText(printed->averageM, 3));
        }
        text += QStringLiteral(". Its script was never published.");
        return tables_->kBits == publishedKBits
                   ? text
                   : text +
                         QStringLiteral(" Times are at k = %1 here; the study printed those of k = %2 alone.")
                             .arg(tables_->kBits)
                             .arg(publishedKBits);
    }

    [[nodiscard]] Table table() const override { return usersTable(*tables_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        std::vector<LegendEntry> entries = {
            {theme.error, false, Qt::NoPen, QStringLiteral("printed by the study (diamonds)")}};
        for (const Reproduction& one : tables_->readings) {
            entries.push_back(
                {colourOf(one.reading, theme), false, styleOf(one.reading), textOf(nameOf(one.reading))});
        }
        paintLegend(painter, QRectF(area.left(), area.top(), area.width(), studyLegendHeight), entries,
                    theme);
        for (std::size_t i = 0; i < columns().size(); ++i) {
            paintColumn(painter, axesOf(i, area), columns()[i], theme);
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        for (std::size_t i = 0; i < columns().size(); ++i) {
            if (!partOf(i, area).contains(at)) {
                continue;
            }
            const XyAxes axes = axesOf(i, area);
            const PublishedUsers* best = nullptr;
            for (const PublishedUsers& printed : publishedUsers()) {
                const auto far = [&](const PublishedUsers& p) {
                    return std::abs(axes.x(static_cast<double>(p.users)) - at.x());
                };
                best = best == nullptr || far(printed) < far(*best) ? &printed : best;
            }
            return best == nullptr ? QStringList() : wordsOf(columns()[i], *best);
        }
        return {};
    }

private:
    static QString valueText(const Column& column, double value) {
        return column.share ? shareText(value) : realText(value);
    }

    [[nodiscard]] bool isPrinted(const Column& column) const {
        return !column.ofTime || tables_->kBits == publishedKBits;
    }

    [[nodiscard]] QStringList wordsOf(const Column& column, const PublishedUsers& printed) const {
        QStringList lines{QStringLiteral("%1 users, %2").arg(printed.users).arg(column.title),
                          isPrinted(column)
                              ? QStringLiteral("printed: %1").arg(valueText(column, column.printed(printed)))
                              : QStringLiteral("printed at k = %1 alone").arg(publishedKBits)};
        for (const Reproduction& one : tables_->readings) {
            for (const ReproducedUsers& ours : one.users) {
                if (ours.users == printed.users) {
                    const Spread spread = column.ours(ours);
                    lines << QStringLiteral("%1: %2 \u00B1 %3")
                                 .arg(textOf(nameOf(one.reading)), valueText(column, spread.mean),
                                      valueText(column, spread.sd));
                }
            }
        }
        return lines;
    }

    static QRectF partOf(std::size_t i, const QRectF& whole) {
        return panelOf(i, columns().size(), whole.adjusted(0, studyLegendHeight, 0, 0), 1.4);
    }

    [[nodiscard]] XyAxes axesOf(std::size_t i, const QRectF& area) const {
        double left = 0; // the same users lie one above the other
        for (const Column& column : columns()) {
            left = std::max(left, XyAxes::roomFor(yAxisOf(column)));
        }
        return {{QStringLiteral("users"), 1, 64, true}, yAxisOf(columns()[i]), partOf(i, area), left};
    }

    [[nodiscard]] XyAxis yAxisOf(const Column& column) const {
        double most = column.share ? 1 : 0;
        for (const PublishedUsers& printed : publishedUsers()) {
            most = std::max(most, column.printed(printed));
        }
        for (const Reproduction& one : tables_->readings) {
            for (const ReproducedUsers& ours : one.users) {
                most = std::max(most, column.ours(ours).mean + column.ours(ours).sd);
            }
        }
        const double high = column.share ? 1 : niceAbove(std::max(most, 2.0));
        return {column.title, column.log ? 1.0 : 0.0, high, column.log, column.share};
    }

    void paintColumn(QPainter& painter, const XyAxes& axes, const Column& column, const Theme& theme) const {
        axes.paint(painter, theme);
        for (const Reproduction& one : tables_->readings) {
            const QColor color = colourOf(one.reading, theme);
            QPolygonF line;
            painter.setPen(QPen(color, 1.4));
            for (const ReproducedUsers& ours : one.users) {
                const Spread spread = column.ours(ours);
                if (!std::isfinite(spread.mean) || !std::isfinite(spread.sd)) {
                    continue;
                }
                const double x = axes.x(static_cast<double>(ours.users));
                line << QPointF(x, axes.y(spread.mean));
                painter.drawLine(QPointF(x, axes.y(spread.mean - spread.sd)),
                                 QPointF(x, axes.y(spread.mean + spread.sd)));
            }
            painter.setPen(QPen(color, 1.8, styleOf(one.reading)));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(line);
        }
        for (const PublishedUsers& printed : publishedUsers()) {
            if (isPrinted(column)) {
                const QPointF at(axes.x(static_cast<double>(printed.users)), axes.y(column.printed(printed)));
                paintDiamond(painter, at, theme);
            }
        }
    }

    std::shared_ptr<const StudyTables> tables_;
};

class StudyTurnDrawing : public PlotDrawing {
public:
    explicit StudyTurnDrawing(std::shared_ptr<const StudyTables> tables) : tables_(std::move(tables)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("A single user's turn"); }

    [[nodiscard]] QString sentence() const override {
        const PublishedTurn printed;
        if (tables_->readings.empty()) {
            return QStringLiteral("Nothing was simulated.");
        }
        const ReproducedTurn& ours = tables_->readings.front().turn;
        if (tables_->kBits != publishedKBits) {
            return QStringLiteral(
                       "A single user's turn at k = %1 takes %2 of fp16's time when the study's words "
                       "are taken literally%3; it printed that of k = %4 alone.")
                .arg(tables_->kBits)
                .arg(shareOfFp16Text(ours.timeVsFp16.mean), previewMark(*tables_))
                .arg(publishedKBits);
        }
        return QStringLiteral(
                   "A single user's turn takes %1 of fp16's time by the study, %2 when its words are "
                   "taken literally%3.")
            .arg(shareOfFp16Text(printed.timeVsFp16), shareOfFp16Text(ours.timeVsFp16.mean),
                 previewMark(*tables_));
    }

    [[nodiscard]] Table table() const override { return turnTable(*tables_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const QFont font = fontOf(0.9);
        const double line = heightOf(font) + spacing;
        double y = area.top();
        const auto row = [&](const QStringList& cells, const QColor& ink, bool bold) {
            if (y + line > area.bottom()) {
                return;
            }
            const double first = 0.31 * area.width();
            const double width = (area.width() - first) / 3;
            for (int i = 0; i < cells.size(); ++i) {
                const QRectF place = i == 0 ? QRectF(area.left(), y, first, line)
                                            : QRectF(area.left() + first + (i - 1) * width, y, width, line);
                drawText(painter, place, (i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                         fontOf(0.9, bold), ink, cells[i]);
            }
            painter.setPen(QPen(theme.grid, 1));
            painter.drawLine(QPointF(area.left(), y + line), QPointF(area.right(), y + line));
            y += line;
        };
        row({QString(), QStringLiteral("decode, \u00b5s"), QStringLiteral("prefill, \u00b5s"),
             QStringLiteral("/ fp16")},
            theme.textMuted, false);
        const PublishedTurn printed;
        const auto number = [this](double figure, int digits) {
            return printedAt(*tables_, figure) ? fixedText(figure, digits) : QStringLiteral("\u2013");
        };
        row({QStringLiteral("printed"), number(printed.decodeUs, 0), number(printed.prefillUs, 0),
             number(printed.timeVsFp16, 2)},
            theme.text, true);
        const auto spread = [](const Spread& s, int digits) {
            return QStringLiteral("%1 \u00B1 %2").arg(fixedText(s.mean, digits), fixedText(s.sd, digits));
        };
        for (const Reproduction& one : tables_->readings) {
            row({textOf(nameOf(one.reading)), spread(one.turn.decodeUs, 0), spread(one.turn.prefillUs, 0),
                 spread(one.turn.timeVsFp16, 2)},
                theme.text, false);
        }
    }

private:
    std::shared_ptr<const StudyTables> tables_;
};

} // namespace

std::unique_ptr<PlotDrawing> usersDrawingOf(std::shared_ptr<const StudyTables> tables) {
    return std::make_unique<StudyUsersDrawing>(std::move(tables));
}

std::unique_ptr<PlotDrawing> turnDrawingOf(std::shared_ptr<const StudyTables> tables) {
    return std::make_unique<StudyTurnDrawing>(std::move(tables));
}

} // namespace loadline::ui
