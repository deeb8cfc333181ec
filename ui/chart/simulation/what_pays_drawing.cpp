// What each kernel takes of the time, and what making it faster would buy.
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

QString factorText(double factor) {
    return std::isinf(factor) ? QStringLiteral("free") : QString::number(factor, 'g', 3) + QChar(0x00D7);
}

QString gainText(const Improvement& improvement) {
    const double saved = improvement.speedUp > 0 ? 1 - 1 / improvement.speedUp : 0;
    return saved < 0.001 ? QStringLiteral("nothing") : QChar(0x2212) + shareText(saved);
}

QString crossingText(const Improvement& improvement) {
    if (!improvement.crossingKnown) {
        return {};
    }
    if (improvement.crossing) {
        return QStringLiteral("cross at %1").arg(exactText(firstUsersBehind(*improvement.crossing)));
    }
    return improvement.fasterAtFirst ? QStringLiteral("k-bit wins") : QStringLiteral("fp16 wins");
}

QString withCrossing(const QString& text, const Improvement& gain) {
    const QString crossing = crossingText(gain);
    return crossing.isEmpty() ? text : text + QStringLiteral(", ") + crossing;
}

double savedBy(const Improvement& improvement) {
    return improvement.speedUp > 0 ? std::clamp(1 - 1 / improvement.speedUp, 0.0, 1.0) : 0;
}

/// One line of the picture.
struct PayRow {
    QString name;
    double share = 0;
    std::optional<Kernel> kernel;          ///< whose colour it has; none: the rest's
    std::vector<const Improvement*> gains; ///< by column; null: nothing is said there
    QString last;                          ///< words in place of the last column
    QString change;                        ///< a choice: what is changed, across the columns
    QString why;                           ///< of that gain
    bool isChoice = false;
};

class WhatPaysDrawing : public PlotDrawing {
public:
    explicit WhatPaysDrawing(std::shared_ptr<const WhatPays> pays) : pays_(std::move(pays)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("What pays"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(pays_->sentence); }

    [[nodiscard]] Table table() const override {
        Table table;
        table.columns = {"kernel",       "share_of_time",  "modelled_share", "factor", "speed_up",
                         "time_vs_fp16", "crossing_users", "change",         "ours",   "kernel_name"};
        const auto add = [&table](std::string_view what, double share, Cell modelled, const Improvement& i,
                                  Cell factor, Cell change, bool ours) {
            table.rows.push_back({std::string(what), share, std::move(modelled), std::move(factor),
                                  std::isinf(i.speedUp) ? Cell() : Cell(i.speedUp),
                                  i.timeVsFp16 ? Cell(*i.timeVsFp16) : Cell(),
                                  i.crossing ? Cell(*i.crossing) : Cell(), std::move(change),
                                  std::string(ours ? "true" : "false"), Cell()});
        };
        const auto name = [&](Kernel kernel) { table.rows.back().back() = nameOf(kernel, pays_->naming); };
        const auto factorCell = [](double factor) {
            return std::isinf(factor) ? Cell(std::string("free")) : Cell(factor);
        };
        for (const KernelPay& kernel : pays_->kernels) {
            const bool ours = isOurs(kernel.kernel, pays_->naming);
            for (const Improvement& i : kernel.improvements) {
                add(keyOf(kernel.kernel), kernel.share, kernel.modelledShare, i, factorCell(i.factor), Cell(),
                    ours);
                name(kernel.kernel);
            }
            if (kernel.limit) {
                add(keyOf(kernel.kernel), kernel.share, kernel.modelledShare, *kernel.limit,
                    kernel.limit->factor, "limit: " + pays_->limits, ours);
                name(kernel.kernel);
            }
        }
        for (const OtherPay& other : pays_->others) {
            const bool choice = other.improvements.size() == 1;
            for (const Improvement& i : other.improvements) {
                add(keyOf(other.kind), other.share, Cell(), i, choice ? Cell() : factorCell(i.factor),
                    choice ? Cell(other.change + (other.why.empty() ? "" : ": " + other.why)) : Cell(), true);
            }
        }
        if (pays_->restShare > 0) {
            std::vector<Cell> rest(table.columns.size());
            rest[0] = std::string("attention_and_host");
            rest[1] = pays_->restShare;
            table.rows.push_back(std::move(rest));
        }
        return table;
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const QFont font = fontOf(0.9);
        const double line = heightOf(font);
        if (pays_->kernels.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no step"));
            return;
        }
        const std::vector<PayRow> rows = rowsOf();
        const double names = nameWidth(rows, font) + 2 * spacing;
        const double bars = std::max(60.0, (area.width() - names) * 0.22);
        const double column = (area.width() - names - bars - spacing) / columns;
        const auto placeOf = [&](std::size_t i) {
            return area.left() + names + bars + spacing + static_cast<double>(i) * column;
        };
        drawText(painter, QRectF(area.left() + names, area.top(), bars, line), Qt::AlignLeft, font,
                 theme.textMuted, QStringLiteral("share of the time"));
        const std::array heads = {QStringLiteral("if 1.5%1").arg(QChar(0x00D7)),
                                  QStringLiteral("if 2%1").arg(QChar(0x00D7)),
                                  QStringLiteral("at its limit")};
        for (std::size_t i = 0; i < heads.size(); ++i) {
            drawText(painter, QRectF(placeOf(i), area.top(), column - 4, line), Qt::AlignLeft, font,
                     theme.textMuted, heads.at(i));
        }
        const double room = (area.height() - line - spacing) / static_cast<double>(rows.size());
        const double height = std::min(room, 3.2 * line);
        double top = area.top() + line + spacing;
        for (const PayRow& row : rows) {
            const QRectF place(area.left(), top, area.width(), height);
            if (row.isChoice) {
                paintChoice(painter, place, names, row, theme);
            } else {
                paintShare(painter, place, names, bars, row, theme);
                paintGains(painter, place, placeOf(0), column, row, theme);
            }
            painter.setPen(QPen(theme.grid, 1));
            painter.drawLine(place.bottomLeft(), place.bottomRight());
            top += height;
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!area.contains(at) || pays_->kernels.empty()) {
            return {};
        }
        QStringList lines = {QStringLiteral("1.5%1, 2%1: this part takes so many times less time; beside it, "
                                            "how much less the same turns take")
                                 .arg(QChar(0x00D7))};
        if (!pays_->limits.empty()) {
            lines << QStringLiteral("its limit: all bytes read, or all arithmetic done, at %1")
                         .arg(QString::fromStdString(pays_->limits));
        }
        lines << QStringLiteral("cross at: from so many users on the quantised kernels are slower");
        return lines;
    }

private:
    static constexpr int columns = 3;

    [[nodiscard]] std::vector<PayRow> rowsOf() const {
        std::vector<PayRow> ours, theirs;
        for (const KernelPay& kernel : pays_->kernels) {
            PayRow row{
                nameText(kernel.kernel, pays_->naming), kernel.share, kernel.kernel, {}, {}, {}, {}, false};
            for (std::size_t i = 0; i + 1 < columns && i < kernel.improvements.size(); ++i) {
                row.gains.push_back(&kernel.improvements[i]);
            }
            const bool isMine = isOurs(kernel.kernel, pays_->naming);
            if (kernel.limit) {
                row.gains.resize(columns - 1, nullptr);
                row.gains.push_back(&*kernel.limit);
            }
            row.last = !isMine                    ? QStringLiteral("not ours to change")
                       : !kernel.limit            ? QStringLiteral("limit not known")
                       : kernel.limit->factor > 1 ? QString()
                                                  : QStringLiteral("is there");
            (isMine && readsKBits(kernel.kernel) ? ours : theirs).push_back(std::move(row));
        }
        for (const OtherPay& other : pays_->others) {
            PayRow row{
                QString::fromUtf8(nameOf(other.kind)), other.share, std::nullopt, {}, {}, {}, {}, false};
            row.isChoice = other.share <= 0;
            row.change = QString::fromStdString(other.change);
            row.why = QString::fromStdString(other.why);
            for (const Improvement& improvement : other.improvements) {
                row.gains.push_back(&improvement);
            }
            ours.push_back(std::move(row));
        }
        const bool restIsSplit = std::ranges::any_of(
            pays_->others, [](const OtherPay& other) { return other.kind == PayKind::Attention; });
        if (pays_->restShare > 0 && !restIsSplit) {
            ours.push_back({restText(), pays_->restShare, std::nullopt, {}, {}, {}, {}, false});
        }
        ours.insert(ours.end(), theirs.begin(), theirs.end());
        return ours;
    }

    /// Its name, and its share of the time as a bar with the number.
    static void paintShare(QPainter& painter, const QRectF& place, double names, double bars,
                           const PayRow& row, const Theme& theme) {
        drawText(painter, QRectF(place.left(), place.top(), names - spacing, place.height()), leftMiddle,
                 fontOf(0.9), theme.text, row.name);
        const double thick = std::min(22.0, place.height() - 4);
        const double widest = bars - widthOf(fontOf(0.82), QStringLiteral("100.0 %")) - 4;
        const QRectF bar(place.left() + names, place.center().y() - thick / 2, widest * row.share, thick);
        if (row.kernel) {
            paintKernel(painter, bar, *row.kernel, theme);
        } else {
            painter.fillRect(bar, restColour(theme));
        }
        drawText(painter, QRectF(bar.right() + 4, place.top(), bars, place.height()), leftMiddle,
                 fontOf(0.82), theme.text, shareText(row.share));
    }

    static void paintGains(QPainter& painter, const QRectF& place, double left, double column,
                           const PayRow& row, const Theme& theme) {
        const double line = heightOf(fontOf(0.82));
        const bool twoLines = place.height() >= 2 * line + 4;
        for (std::size_t i = 0; i < columns; ++i) {
            const QRectF cell(left + static_cast<double>(i) * column, place.top(), column - 8,
                              place.height());
            const bool isLast = i + 1 == columns;
            const Improvement* const gain = i < row.gains.size() ? row.gains[i] : nullptr;
            if (gain == nullptr || (isLast && !row.last.isEmpty())) {
                drawText(painter, cell, leftMiddle, fontOf(0.82), theme.textMuted,
                         isLast ? row.last : QString());
                continue;
            }
            QString text = gainText(*gain);
            if (isLast) {
                text += QStringLiteral(" (%1)").arg(factorText(gain->factor));
            }
            painter.fillRect(QRectF(cell.left(), cell.bottom() - 5, cell.width() * savedBy(*gain), 3),
                             theme.good);
            if (twoLines) {
                drawText(painter, QRectF(cell.left(), cell.center().y() - line, cell.width(), line),
                         leftMiddle, fontOf(0.9), theme.text, text);
                drawText(painter, QRectF(cell.left(), cell.center().y(), cell.width(), line), leftMiddle,
                         fontOf(0.82), theme.textMuted, crossingText(*gain));
            } else {
                const QString full = withCrossing(text, *gain); // else the tooltip has it
                const bool fits = widthOf(fontOf(0.82), full) <= cell.width();
                drawText(painter, cell, leftMiddle, fontOf(0.82), theme.text, fits ? full : text);
            }
        }
    }

    static void paintChoice(QPainter& painter, const QRectF& place, double names, const PayRow& row,
                            const Theme& theme) {
        drawText(painter, QRectF(place.left(), place.top(), names - spacing, place.height()), leftMiddle,
                 fontOf(0.9), theme.text, row.name);
        const QRectF rest(place.left() + names, place.top(), place.width() - names, place.height());
        if (row.gains.empty()) {
            drawText(painter, rest, leftMiddle, fontOf(0.9), theme.textMuted,
                     row.change.isEmpty() ? QStringLiteral("follows when refined") : row.change);
            return;
        }
        const Improvement& gain = *row.gains.front();
        const double width = 0.5 * rest.width();
        painter.fillRect(
            QRectF(rest.left() + width, rest.bottom() - 5, (rest.width() - width - 8) * savedBy(gain), 3),
            theme.good);
        const double line = heightOf(fontOf(0.82));
        const bool twoLines = !row.why.isEmpty() && rest.height() >= 2 * line + 4; // else the sentence has it
        const double top = twoLines ? rest.center().y() - line : rest.top();
        const double height = twoLines ? line : rest.height();
        drawText(painter, QRectF(rest.left(), top, width - 4, height), leftMiddle, fontOf(0.9), theme.text,
                 row.change);
        drawText(painter, QRectF(rest.left() + width, top, rest.width() - width, height), leftMiddle,
                 fontOf(0.9), theme.text, withCrossing(gainText(gain), gain));
        if (twoLines) {
            drawText(painter, QRectF(rest.left(), rest.center().y(), rest.width() - 8, line), leftMiddle,
                     fontOf(0.82), theme.textMuted, row.why);
        }
    }

    static double nameWidth(const std::vector<PayRow>& rows, const QFont& font) {
        double width = 0;
        for (const PayRow& row : rows) {
            width = std::max(width, widthOf(font, row.name));
        }
        return width;
    }

    std::shared_ptr<const WhatPays> pays_;
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(std::shared_ptr<const WhatPays> pays) {
    if (pays->memory.isTooLarge()) {
        return memoryDrawing(QStringLiteral("What pays"), pays->sentence, pays->memory);
    }
    return std::make_unique<WhatPaysDrawing>(std::move(pays));
}

} // namespace loadline::ui
