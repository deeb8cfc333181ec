// Cuts names of models before their versions.
#include "ui/theme/elided_model.h"

#include <QRegularExpression>

namespace loadline::ui {

QString elidedModel(const QFontMetricsF& metrics, const QString& name, double width) {
    if (metrics.horizontalAdvance(name) <= width) {
        return name;
    }
    static const QRegularExpression version(QStringLiteral("-(\\d[\\d.-]*(?: .*)?)$"));
    const QRegularExpressionMatch found = version.match(name);
    if (!found.hasMatch()) {
        return metrics.elidedText(name, Qt::ElideMiddle, width);
    }
    const QString end = found.captured(1);
    const QString family = metrics.elidedText(name.left(found.capturedStart(1)), Qt::ElideRight,
                                              width - metrics.horizontalAdvance(end));
    return !family.isEmpty() && metrics.horizontalAdvance(family + end) <= width
               ? family + end
               : metrics.elidedText(name, Qt::ElideLeft, width);
}

} // namespace loadline::ui
