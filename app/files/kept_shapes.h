// Edited shapes as files: each named after its content, so that what names one always means the same.
#pragma once

#include "core/base/result.h"
#include "core/cost/shapes/shapes.h"

#include <QString>
#include <QStringList>

#include <string>

namespace loadline::app {

/// `loadline/shapes` in the user's data folder ($XDG_DATA_HOME).
QString keptShapesFolder();
/// Writes them there, unless they are there already; the path is what a simulation names.
Result<std::string> keepShapes(const ModelShapes& shapes);
/// Paths of what is kept there, newest first, at most `most`.
QStringList keptShapes(int most);

/// Writes a file of shapes anywhere, by way of a temporary one.
Status saveShapes(const ModelShapes& shapes, const QString& path);

} // namespace loadline::app
