// Colours of the series of a server's log.
#include "ui/chart/serverlog/log_scene.h"

#include <QColor>

#include <array>

namespace loadline::ui {

QColor colourOf(LogInk ink, const Theme& theme) {
    switch (ink) {
    case LogInk::Prompt:
    case LogInk::OnePrompt:
        return theme.newInput;
    case LogInk::Running:
    case LogInk::Batch:
        return theme.model;
    case LogInk::Waiting:
        return theme.human;
    case LogInk::KvUse:
        return theme.cacheWrite;
    case LogInk::Hit:
    case LogInk::Accepted:
        return theme.cacheRead;
    default:
        return theme.output;
    }
}

QColor colourOfEngine(int place, const Theme& theme) {
    // Tol's muted colours, which the colour-blind tell apart: an engine has one in all lanes.
    constexpr std::array<QRgb, mostEnginesDrawn> engines = {0xff332288, 0xffcc6677, 0xff117733, 0xff88ccee,
                                                            0xff44aa99, 0xffaa4499, 0xffddaa33, 0xff882255};
    const QColor color(engines[static_cast<std::size_t>(place) % engines.size()]);
    constexpr int lighter = 160; // percent, on a dark ground
    constexpr int dark = 128;
    return theme.window.lightness() < dark && color.lightness() < dark ? color.lighter(lighter) : color;
}

QColor colourOf(const LogSeries& series, const Theme& theme) {
    return series.engine < 0 ? colourOf(series.ink, theme) : colourOfEngine(series.engine, theme);
}

} // namespace loadline::ui
