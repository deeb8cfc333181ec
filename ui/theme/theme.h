// Colours, fonts and measures: one meaning per colour in every page, light and dark.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

namespace loadline::ui {

enum class ThemeKind { Light, Dark };

/// All colours a view may use. Values from the design's Okabe-Ito proposal, checked for contrast on both
/// grounds.
struct Theme {
    ThemeKind kind = ThemeKind::Light;

    QColor window, panel, plotGround, border, grid; ///< grounds and lines
    QColor text, textMuted, textOnAccent;
    QColor accent, accentSoft; ///< selection only
    QColor cacheRead, cacheWrite, uncachedInput, output;
    QColor newInput; ///< cache write + uncached input together: what a turn adds to the prompt
    QColor cublas, scalarGemv, mma, dequantCublas;
    QColor rest;                      ///< of a step beside its GEMMs: attention and the host
    QColor model, tools, human, idle; ///< where time goes
    QColor prompt, compaction, error, warning, good;
    QColor reference; ///< published data drawn over ours

    static const Theme& light();
    static const Theme& dark();

    static const Theme& of(ThemeKind kind) { return kind == ThemeKind::Dark ? dark() : light(); }

    /// Returns the kind that the system's palette asks for (Qt 6.4 has no colorScheme: uses the lightness of
    /// the window colour).
    static ThemeKind systemKind(const QPalette& palette);

    [[nodiscard]] QPalette palette() const; ///< for QApplication with the Fusion style
    [[nodiscard]] QString styleSheet() const;
};

/// The 8 px rhythm.
inline constexpr int spacing = 8;

/// System font at a relative size, with tabular figures where the font has them.
QFont fontOf(double relativeSize, bool bold = false);

} // namespace loadline::ui
