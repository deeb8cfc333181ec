// What each kernel takes of the time, and what making it faster would buy.
#include "core/simulate/study/sensitivity_words.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

QString factorText(double factor) {
    return std::isinf(factor) ? QStringLiteral("free") : realText(factor, 3) + QChar(0x00D7);
}

/// In no more digits than the error of a preview leaves.
QString gainText(const Improvement& improvement, double error) {
    const double saved = improvement.speedUp > 0 ? 1 - 1 / improvement.speedUp : 0;
    if (saved < 0.001) {
        return QStringLiteral("nothing");
    }
    const QString share = QString::fromStdString(roughShare(saved, error));
    const bool isNumber = !share.isEmpty() && share.front().isDigit();
    return isNumber ? QChar(0x2212) + share : share + QStringLiteral(" less");
}

QString crossingText(const Improvement& improvement) {
    if (!improvement.crossingKnown) {
        return {};
    }
    if (improvement.crossing) {
        const std::int64_t users = firstUsersBehind(*improvement.crossing);
        return users == 1 ? QStringLiteral("cross at 1 user")
                          : QStringLiteral("cross at %1 users").arg(exactText(users));
    }
    return improvement.fasterAtFirst ? QStringLiteral("k-bit wins") : QStringLiteral("fp16 wins");
}

QString withCrossing(const QString& text, const Improvement& gain) {
    const QString crossing = crossingText(gain);
    return crossing.isEmpty() ? text : text + QStringLiteral(", ") + crossing;
}

/// "TTFT p50 0.15 s, TPOT p99 1.07 s; then 0.14 s, 1.20 s; with 2 048: 0.50 s, 0.34 s, in 8.0 % more time"
QString latencyText(const ChoiceLatency& latency) {
    QString text = QStringLiteral("TTFT p50 %1, TPOT p99 %2")
                       .arg(secondsText(latency.ttftP50S), secondsText(latency.tpotP99S));
    if (latency.bestTpotP99S > 0) {
        text += QStringLiteral("; then %1, %2")
                    .arg(secondsText(latency.bestTtftP50S), secondsText(latency.bestTpotP99S));
    }
    if (latency.leastTpotP99S < latency.tpotP99S) {
        const double more = latency.leastTime - 1;
        text +=
            QStringLiteral("; with %1: %2, %3, in %4 %5 time")
                .arg(exactText(latency.leastAt), secondsText(latency.leastTtftP50S),
                     secondsText(latency.leastTpotP99S), QString::fromStdString(formatShare(std::abs(more))),
                     more < 0 ? QStringLiteral("less") : QStringLiteral("more"));
    }
    return text;
}

double savedBy(const Improvement& improvement) {
    return improvement.speedUp > 0 ? std::clamp(1 - 1 / improvement.speedUp, 0.0, 1.0) : 0;
}

/// One line of the picture.
struct PayRow {
    QString name;
    QString note = {}; ///< under the name, where there is room
    double share = 0;
    std::optional<Kernel> kernel = {};          ///< whose colour it has; none: the rest's
    std::vector<const Improvement*> gains = {}; ///< by column; null: nothing is said there
    QString last = {};                          ///< words in place of the last column
    QString change = {};                        ///< a choice: what is changed, across the columns
    QString why = {};                           ///< of that gain
    bool isChoice = false;
    QString latency = {};   ///< a choice: what it does to latencies
    QStringList words = {}; ///< read out over it
};

class WhatPaysDrawing : public PlotDrawing {
public:
    explicit WhatPaysDrawing(std::shared_ptr<const WhatPays> pays) : pays_(std::move(pays)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("What pays"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(pays_->sentence); }

    [[nodiscard]] Table table() const override { return whatPaysTable(*pays_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const QFont font = fontOf(0.9);
        const double line = heightOf(font);
        if (pays_->kernels.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no step"));
            return;
        }
        const std::vector<PayRow> rows = rowsOf();
        const double names = nameWidth(rows) + 2 * spacing;
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
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const PayRow& row = rows[i];
            const QRectF place = rowPlace(area, i, rows.size());
            if (row.isChoice) {
                paintChoice(painter, place, names, row, theme);
            } else {
                paintShare(painter, place, names, bars, row, theme);
                paintGains(painter, place, placeOf(0), column, row, theme);
            }
            painter.setPen(QPen(theme.grid, 1));
            painter.drawLine(place.bottomLeft(), place.bottomRight());
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!area.contains(at) || pays_->kernels.empty()) {
            return {};
        }
        QStringList lines = rowWords(at, area);
        lines += {QStringLiteral("1.5%1, 2%1: this part takes so many times less time; beside it, "
                                 "how much less the same turns take")
                      .arg(QChar(0x00D7))};
        if (!pays_->limits.empty()) {
            lines << QStringLiteral("its limit: all bytes read, or all arithmetic done, at %1")
                         .arg(QString::fromStdString(pays_->limits));
        }
        lines << (pays_->memory.fp16Fits() == false
                      ? QStringLiteral("fp16 does not fit: there is no crossover")
                      : QStringLiteral(
                            "cross at so many users: from there on the quantised kernels are slower"));
        return lines;
    }

private:
    static constexpr int columns = 3;
    static constexpr double gainBar = 6; ///< under a text, with what parts them

    static QRectF rowPlace(const QRectF& area, std::size_t i, std::size_t rows) {
        const double line = heightOf(fontOf(0.9));
        const double room = (area.height() - line - spacing) / static_cast<double>(rows);
        const double height = std::min(room, 3.2 * line);
        return {area.left(), area.top() + line + spacing + static_cast<double>(i) * height, area.width(),
                height};
    }

    /// A share of the time.
    [[nodiscard]] QString percentText(double share) const {
        return QString::fromStdString(roughShare(share, pays_->shareError));
    }

    /// What the row at a place has to say for itself.
    [[nodiscard]] QStringList rowWords(const QPointF& at, const QRectF& area) const {
        const std::vector<PayRow> rows = rowsOf();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rowPlace(area, i, rows.size()).contains(at)) {
                return rows[i].words;
            }
        }
        return {};
    }

    /// Of a kernel that serves GEMMs by itself and behind dequantise: elsewhere the latter count with the
    /// pair.
    [[nodiscard]] QStringList aloneWords(const KernelPay& pay) const {
        const QString gemms = lineText(pays_->fp16Gemms);
        if (readsKBits(pay.kernel) || !(pay.aloneShare > 0) || gemms.isEmpty()) {
            return {};
        }
        const QString name = nameText(pay.kernel, pays_->naming);
        if (pay.aloneShare >= pay.share) {
            return {QStringLiteral("%1: %2 of the time, all of it for %3")
                        .arg(name, percentText(pay.share), gemms)};
        }
        return {QStringLiteral("%1: %2 of the time, %3 for %4 and %5 behind dequantise")
                    .arg(name, percentText(pay.share), percentText(pay.aloneShare), gemms,
                         percentText(pay.share - pay.aloneShare)),
                QStringLiteral("where the time goes (Simulator) counts the latter with dequantise")};
    }

    [[nodiscard]] std::vector<PayRow> rowsOf() const {
        std::vector<PayRow> ours, theirs;
        for (const KernelPay& kernel : pays_->kernels) {
            PayRow row{.name = nameText(kernel.kernel, pays_->naming),
                       .share = kernel.share,
                       .kernel = kernel.kernel,
                       .words = aloneWords(kernel)};
            if (!row.words.isEmpty()) {
                row.note =
                    QStringLiteral("%1: %2").arg(lineText(pays_->fp16Gemms), percentText(kernel.aloneShare));
            }
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
            PayRow row{.name = QString::fromUtf8(nameOf(other.kind)),
                       .share = other.share,
                       .change = QString::fromStdString(other.change),
                       .why = QString::fromStdString(other.why),
                       .isChoice = other.share <= 0};
            if (other.kind == PayKind::Attention && other.improvements.empty()) {
                row.last = QStringLiteral("is there: a roofline");
            }
            if (other.kind == PayKind::Dispatch) {
                row.words = {QStringLiteral("rows a step are M in the kernels' charts")};
            }
            for (const Improvement& improvement : other.improvements) {
                row.gains.push_back(&improvement);
                if (improvement.saved) {
                    row.words << QStringLiteral("%1 to %2 less in 9 of 10 runs")
                                     .arg(percentText(improvement.saved->low),
                                          percentText(improvement.saved->high));
                }
            }
            if (!other.turns.empty()) {
                row.words << QString::fromStdString(other.turns);
            }
            if (other.latency) {
                if (const std::string price = priceOf(*other.latency); !price.empty()) {
                    row.change += QStringLiteral(": ") + QString::fromStdString(price);
                }
                row.latency = latencyText(*other.latency);
                row.words << row.latency;
            }
            ours.push_back(std::move(row));
        }
        const bool restIsSplit = std::ranges::any_of(
            pays_->others, [](const OtherPay& other) { return other.kind == PayKind::Attention; });
        if (pays_->restShare > 0 && !restIsSplit) {
            ours.push_back({.name = restText(), .share = pays_->restShare});
        }
        ours.insert(ours.end(), theirs.begin(), theirs.end());
        return ours;
    }

    /// Its name, and its share of the time as a bar with the number.
    void paintShare(QPainter& painter, const QRectF& place, double names, double bars, const PayRow& row,
                    const Theme& theme) const {
        const double line = heightOf(fontOf(0.9));
        const bool isNoted = !row.note.isEmpty() && place.height() >= 2 * line;
        const QRectF name(place.left(), place.top(), names - spacing,
                          isNoted ? place.height() / 2 : place.height());
        drawText(painter, name, isNoted ? Qt::AlignLeft | Qt::AlignBottom : leftMiddle, fontOf(0.9),
                 theme.text, row.name);
        if (isNoted) {
            drawText(painter, name.translated(0, name.height()), Qt::AlignLeft | Qt::AlignTop, fontOf(0.82),
                     theme.textMuted, row.note);
        }
        const double thick = std::min(22.0, place.height() - 4);
        const double widest = bars - widthOf(fontOf(0.82), QStringLiteral("100.0 %")) - 4;
        const QRectF bar(place.left() + names, place.center().y() - thick / 2, widest * row.share, thick);
        if (row.kernel) {
            paintKernel(painter, bar, *row.kernel, theme);
        } else {
            painter.fillRect(bar, restColour(theme));
        }
        drawText(painter, QRectF(bar.right() + 4, place.top(), bars, place.height()), leftMiddle,
                 fontOf(0.82), theme.text, percentText(row.share));
    }

    void paintGains(QPainter& painter, const QRectF& place, double left, double column, const PayRow& row,
                    const Theme& theme) const {
        const double line = heightOf(fontOf(0.82));
        const bool twoLines = place.height() >= 2 * line + 2 * gainBar;
        for (std::size_t i = 0; i < columns; ++i) {
            const QRectF cell = textOver(
                QRectF(left + static_cast<double>(i) * column, place.top(), column - 8, place.height()),
                line);
            const bool isLast = i + 1 == columns;
            const Improvement* const gain = i < row.gains.size() ? row.gains[i] : nullptr;
            if (gain == nullptr || (isLast && !row.last.isEmpty())) {
                drawText(painter, cell, leftMiddle, fontOf(0.82), theme.textMuted,
                         isLast ? row.last : QString());
                continue;
            }
            QString text = gainText(*gain, pays_->shareError);
            if (isLast) {
                text += QStringLiteral(" (%1)").arg(factorText(gain->factor));
            }
            paintGain(painter, cell, place, *gain, theme);
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

    /// What a text has of its cell above the bar; all of it where there is no room for both.
    static QRectF textOver(const QRectF& cell, double line) {
        return cell.height() >= line + gainBar ? cell.adjusted(0, 0, 0, -gainBar) : cell;
    }

    /// How much less the same turns take, under the text of it.
    static void paintGain(QPainter& painter, const QRectF& text, const QRectF& place, const Improvement& gain,
                          const Theme& theme) {
        if (text.bottom() < place.bottom()) {
            painter.fillRect(QRectF(text.left(), text.bottom() + 1, text.width() * savedBy(gain), 3),
                             theme.good);
        }
    }

    void paintChoice(QPainter& painter, const QRectF& place, double names, const PayRow& row,
                     const Theme& theme) const {
        drawText(painter, QRectF(place.left(), place.top(), names - spacing, place.height()), leftMiddle,
                 fontOf(0.9), theme.text, row.name);
        const QRectF rest(place.left() + names, place.top(), place.width() - names, place.height());
        if (row.gains.empty()) {
            const QString now = row.change.isEmpty() ? QStringLiteral("follows when refined") : row.change;
            drawText(painter, rest, leftMiddle, fontOf(0.9), theme.textMuted,
                     row.latency.isEmpty() ? now : now + QStringLiteral("; ") + row.latency);
            return;
        }
        const Improvement& gain = *row.gains.front();
        const double width = 0.5 * rest.width();
        const double line = heightOf(fontOf(0.82));
        const bool twoLines = (!row.why.isEmpty() || !row.latency.isEmpty()) &&
                              rest.height() >= 2 * line + gainBar; // else the sentence has it
        const QRectF text =
            textOver(QRectF(rest.left() + width, rest.top(), rest.width() - width - 8, rest.height()),
                     twoLines ? 2 * line : heightOf(fontOf(0.9)));
        paintGain(painter, text, place, gain, theme);
        const double height = twoLines ? text.height() / 2 : text.height();
        drawText(painter, QRectF(rest.left(), text.top(), width - 4, height), leftMiddle, fontOf(0.9),
                 theme.text, row.change);
        drawText(painter, QRectF(text.left(), text.top(), text.width(), height), leftMiddle, fontOf(0.9),
                 theme.text, withCrossing(gainText(gain, pays_->shareError), gain));
        if (twoLines) {
            drawText(painter, QRectF(rest.left(), text.top() + height, rest.width() - 8, height), leftMiddle,
                     fontOf(0.82), theme.textMuted, row.latency.isEmpty() ? row.why : row.latency);
        }
    }

    static double nameWidth(const std::vector<PayRow>& rows) {
        double width = 0;
        for (const PayRow& row : rows) {
            width = std::max({width, widthOf(fontOf(0.9), row.name), widthOf(fontOf(0.82), row.note)});
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
