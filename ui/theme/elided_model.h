// Names of models where room is short.
#pragma once

#include <QFontMetricsF>
#include <QString>

namespace loadline::ui {

/// "opus-4-5" as "o…4-5": the family gives way, the version and what stands behind it stay; of a name
/// without a version the middle.
QString elidedModel(const QFontMetricsF& metrics, const QString& name, double width);

} // namespace loadline::ui
