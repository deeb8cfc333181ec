// One simulated step: everybody in it, and which kernel each shape took.
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/batch_drawing.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

class StepDrawing : public PlotDrawing {
public:
    explicit StepDrawing(BatchView view) : recording_(std::move(view.recording)) {
        if (recording_->steps() > 0) {
            step_ = batchStepOf(*recording_, std::clamp<std::int64_t>(view.step, 0, recording_->steps() - 1));
        }
    }

    [[nodiscard]] QString title() const override { return QStringLiteral("One step"); }

    [[nodiscard]] QString sentence() const override {
        return recording_->steps() == 0 ? QStringLiteral("No step was simulated.")
                                        : QString::fromStdString(sentenceOf(*recording_, step_));
    }

    [[nodiscard]] Table table() const override { return tableOf(*recording_, step_); }

    /// A line for each request, as many as fit; kernels at the right.
    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (step_.rows.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no request in this step"));
            return;
        }
        const double split = area.left() + 0.62 * area.width();
        paintRequests(painter,
                      QRectF(area.left(), area.top(), split - area.left() - 2 * spacing, area.height()),
                      theme);
        paintKernels(painter, QRectF(split, area.top(), area.right() - split, area.height()), theme);
    }

private:
    static QColor colourOf(BatchRow::Kind kind, const Theme& theme) {
        switch (kind) {
        case BatchRow::Kind::Decode:
            return theme.output;
        case BatchRow::Kind::Prefill:
            return theme.uncachedInput;
        case BatchRow::Kind::Preempted:
            return theme.error;
        default:
            return theme.idle;
        }
    }

    [[nodiscard]] QString wordsOf(const BatchRow& row) const {
        const BatchRequest& request = recording_->requests[static_cast<std::size_t>(row.request)];
        QString text = QString::fromUtf8(nameOf(row.kind));
        if (row.kind == BatchRow::Kind::Prefill) {
            text += QStringLiteral(" %1, %2 of %3 before")
                        .arg(exactText(row.tokens), exactText(row.computedBefore),
                             exactText(request.promptTokens));
        } else if (row.kind == BatchRow::Kind::Decode) {
            text += QStringLiteral(", %1 of %2 emitted")
                        .arg(exactText(row.emittedBefore), exactText(request.outputTokens));
        } else if (row.reason != WaitReason::None) {
            text += QStringLiteral(": ") + QString::fromUtf8(describe(row.reason));
        }
        return text;
    }

    void paintRequests(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const QFont font = fontOf(0.9);
        const double line = heightOf(font) + 4;
        const double head = widthOf(font, QStringLiteral("user 10 000 ")) + spacing;
        const auto fit = static_cast<std::size_t>(std::max(1.0, std::floor(area.height() / line)));
        for (std::size_t i = 0; i < std::min(fit, step_.rows.size()); ++i) {
            const QRectF row(area.left(), area.top() + static_cast<double>(i) * line, area.width(), line);
            if (i + 1 == fit && fit < step_.rows.size()) {
                drawText(painter, row, leftMiddle, font, theme.textMuted,
                         QStringLiteral("and %1 more: see the table")
                             .arg(exactText(static_cast<std::int64_t>(step_.rows.size() - i))));
                return;
            }
            const BatchRow& one = step_.rows[i];
            const BatchRequest& request = recording_->requests[static_cast<std::size_t>(one.request)];
            const bool closed = recording_->inputs.arrivals.kind == ArrivalKind::Closed;
            drawText(painter, QRectF(row.left(), row.top(), head, line), leftMiddle, font, theme.text,
                     (closed ? QStringLiteral("user %1") : QStringLiteral("request %1"))
                         .arg(exactText(request.user + 1)));
            painter.fillRect(QRectF(row.left() + head, row.center().y() - 4, 10, 8),
                             colourOf(one.kind, theme));
            drawText(painter, row.adjusted(head + 16, 0, 0, 0), leftMiddle, font, theme.text, wordsOf(one));
        }
    }

    void paintKernels(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const QFont font = fontOf(0.9);
        const double line = heightOf(font) + 4;
        double y = area.top();
        const auto next = [&](const QString& text, const QColor& ink, const Kernel* kernel) {
            if (y + line > area.bottom()) {
                return;
            }
            double x = area.left();
            if (kernel != nullptr) {
                paintKernel(painter, QRectF(x, y + line / 2 - 4, 10, 8), *kernel, theme);
                x += 16;
            }
            drawText(painter, QRectF(x, y, area.right() - x, line), leftMiddle, font, ink, text);
            y += line;
        };
        for (const BatchForward& forward : step_.forwards) {
            next(QStringLiteral("%1: M = %2 rows")
                     .arg(QString::fromStdString(forward.name), exactText(forward.rowsM)),
                 theme.textMuted, nullptr);
            for (std::size_t i = 0; i < forward.services.size(); ++i) {
                const GemmService& service = forward.services[i];
                const LayerGemm& gemm = recording_->inputs.cost.model.gemms[i];
                const std::int64_t rows = forward.rowsOf(gemm);
                if (rows == 0) {
                    continue;
                }
                next(QStringLiteral("%1: %2, %3%4")
                         .arg(QString::fromStdString(gemm.name),
                              nameText(service.kernel, namingOf(recording_->inputs)),
                              secondsText(1e-6 * service.us),
                              rows == forward.rowsM ? QString()
                                                    : QStringLiteral(", M = %1 rows").arg(exactText(rows))),
                     theme.text, &service.kernel);
            }
        }
        for (const auto& [name, us] :
             {std::pair("attention", step_.attentionUs), std::pair("host", step_.hostUs)}) {
            if (us > 0) {
                next(QStringLiteral("%1: %2").arg(QString::fromLatin1(name), secondsText(1e-6 * us)),
                     theme.text, nullptr);
            }
        }
    }

    std::shared_ptr<const BatchRecording> recording_;
    BatchStep step_;
};

} // namespace

std::unique_ptr<PlotDrawing> stepDrawingOf(const BatchView& view) {
    return std::make_unique<StepDrawing>(view);
}

} // namespace loadline::ui
