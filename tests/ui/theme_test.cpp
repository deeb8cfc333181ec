// Palettes: contrast and distance for colour-blind eyes as numbers; icons: drawn in every theme.
#include "ui/theme/theme.h"

#include "core/cost/format/format.h"
#include "core/cost/kernel/kernel_ink.h"
#include "ui/chart/paint_help.h"
#include "ui/plot/plot_marks.h"
#include "ui/theme/icons.h"
#include "ui/theme/style.h"

#include <QImage>
#include <QPainter>
#include <QStyleOption>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

using namespace loadline;
using namespace loadline::ui;

namespace {

using Rgb = std::array<double, 3>;

Rgb linear(const QColor& color) {
    const auto channel = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {channel(color.redF()), channel(color.greenF()), channel(color.blueF())};
}

double luminance(const Rgb& c) {
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/// WCAG 2.1, relative contrast.
double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(linear(a)), luminance(linear(b))});
    return (high + 0.05) / (low + 0.05);
}

using Matrix = std::array<Rgb, 3>;

/// Machado, Oliveira and Fernandes (2009), severity 1.
constexpr Matrix protan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Matrix normal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// CIE L*a*b* (D65) of a colour as the eye sees it.
Rgb lab(const QColor& color, const Matrix& eye) {
    const Rgb in = linear(color);
    Rgb c{};
    for (std::size_t i = 0; i < 3; ++i) {
        c[i] = std::clamp(eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2], 0.0, 1.0);
    }
    const double x = (0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047;
    const double y = luminance(c);
    const double z = (0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883;
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double distance(const QColor& a, const QColor& b, const Matrix& eye) {
    const Rgb p = lab(a, eye);
    const Rgb q = lab(b, eye);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

    static void themes() {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << static_cast<int>(ThemeKind::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeKind::Dark);
    }

    static const Theme& theme() {
        QFETCH(const int, kind);
        return Theme::of(static_cast<ThemeKind>(kind));
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void textCanBeRead_data() { themes(); }

    void textCanBeRead() {
        const Theme& t = theme();
        for (const QColor& ground : {t.window, t.panel, t.plotGround}) {
            for (const QColor& ink : {t.text, t.textMuted, t.error, t.warning, t.good}) {
                QVERIFY2(contrast(ink, ground) >= 4.5, qPrintable(ink.name() + u' ' + ground.name()));
            }
        }
        QVERIFY(contrast(t.textOnAccent, t.accent) >= 4.5);
        QVERIFY(contrast(t.text, t.accentSoft) >= 4.5);
    }

    void fillsStandOutFromTheGround_data() { themes(); }

    void fillsStandOutFromTheGround() {
        const Theme& t = theme();
        for (const QColor& fill : {t.accent, t.cacheRead, t.cacheWrite, t.uncachedInput, t.output, t.newInput,
                                   t.cublas, t.scalarGemv, t.mma, t.dequantCublas, t.rest, t.model, t.tools,
                                   t.human, t.prompt, t.compaction, t.reference}) {
            QVERIFY2(contrast(fill, t.plotGround) >= 2.8,
                     qPrintable(fill.name() + QString::number(contrast(fill, t.plotGround))));
        }
    }

    void stackedColoursStayApartForEveryEye_data() { themes(); }

    void stackedColoursStayApartForEveryEye() {
        const Theme& t = theme();
        const std::pair<QColor, QColor> neighbours[] = {{t.cacheRead, t.cacheWrite},
                                                        {t.cacheWrite, t.uncachedInput},
                                                        {t.uncachedInput, t.output},
                                                        {t.cacheWrite, t.output},
                                                        {t.cacheRead, t.uncachedInput},
                                                        {t.cacheRead, t.newInput},
                                                        {t.newInput, t.output},
                                                        {t.model, t.tools},
                                                        {t.tools, t.human},
                                                        {t.model, t.human},
                                                        {t.human, t.idle},
                                                        {t.tools, t.idle}};
        for (const auto& [a, b] : neighbours) {
            for (const Matrix& eye : {normal, protan, deutan, tritan}) {
                QVERIFY2(
                    distance(a, b, eye) >= 15,
                    qPrintable(QStringLiteral("%1 %2: %3").arg(a.name(), b.name()).arg(distance(a, b, eye))));
            }
        }
    }

    void kernelsAndTheRestStayApartForEveryEye_data() { themes(); }

    /// In stacked bars and curves of the simulation pages.
    void kernelsAndTheRestStayApartForEveryEye() {
        const Theme& t = theme();
        std::vector<std::pair<QString, QColor>> inks{{QStringLiteral("rest"), colourOf(ask::Ink::Rest, t)}};
        for (const Kernel kernel :
             {Kernel::CublasFp16, Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::DequantCublas}) {
            inks.emplace_back(QString::fromUtf8(nameOf(kernel)), colourOf(inkOf(kernel), t));
            const QColor name = tinted(colourOf(inkOf(kernel), t), t.text, 0.6); // beside its line
            QVERIFY2(contrast(name, t.plotGround) >= 4.5, qPrintable(inks.back().first));
        }
        for (std::size_t i = 0; i < inks.size(); ++i) {
            QVERIFY2(contrast(inks[i].second, t.plotGround) >= 2.8, qPrintable(inks[i].first));
            for (std::size_t j = 0; j < i; ++j) {
                for (const Matrix& eye : {normal, protan, deutan, tritan}) {
                    const double apart = distance(inks[i].second, inks[j].second, eye);
                    QVERIFY2(apart >= 15,
                             qPrintable(
                                 QStringLiteral("%1, %2: %3").arg(inks[i].first, inks[j].first).arg(apart)));
                }
            }
        }
    }

    void everyKCanBeSeenAndToldApart_data() { themes(); }

    void everyKCanBeSeenAndToldApart() {
        const Theme& t = theme();
        const auto colourOfK = [&](int k, const Theme& of) {
            const ask::Mark mark{.ink = ask::Ink::Graded,
                                 .grade = (k - minKBits) / double{maxKBits - minKBits}};
            SceneMark drawn;
            drawn.mark = &mark;
            return colourOf(drawn, 0, of);
        };
        for (int k = minKBits; k <= maxKBits; ++k) {
            const double seen = contrast(colourOfK(k, t), t.plotGround);
            QVERIFY2(seen >= 4.5, qPrintable(QStringLiteral("k = %1: %2").arg(k).arg(seen)));
            for (const Matrix& eye : {normal, protan, deutan, tritan}) {
                QVERIFY(k == minKBits || distance(colourOfK(k, t), colourOfK(k - 1, t), eye) >= 9);
            }
        }
    }

    void theSystemKindFollowsThePalette_data() { themes(); }

    void theSystemKindFollowsThePalette() {
        QCOMPARE(Theme::systemKind(theme().palette()), theme().kind);
        QCOMPARE(theme().palette().color(QPalette::Window), theme().window);
        QVERIFY2(!theme().styleSheet().contains(u'@'), "a colour name without a colour");
    }

    void everyIconIsDrawn_data() { themes(); }

    void everyIconIsDrawn() {
        for (const char* name :
             {"open", "export", "copy", "table", "filter", "search", "undo", "redo", "sessions",
              "distributions", "timeline", "composition", "light", "dark", "help", "close", "diagnostics"}) {
            QVERIFY2(iconNames().contains(QLatin1String(name)), name);
        }
        for (const QString& name : iconNames()) {
            const QIcon made = icon(name, theme());
            for (const int side : {16, 48}) {
                const QImage image = made.pixmap(QSize(side, side)).toImage();
                QCOMPARE(image.size(), QSize(side, side));
                int inked = 0;
                for (int y = 0; y < side; ++y) {
                    for (int x = 0; x < side; ++x) {
                        inked += qAlpha(image.pixel(x, y)) > 100 ? 1 : 0;
                    }
                }
                QVERIFY2(inked > side / 2 && inked < side * side / 2, qPrintable(name));
            }
        }
        QVERIFY(icon(QStringLiteral("no such icon"), theme()).isNull());
    }

    void aTickIsSeen_data() { themes(); }

    /// Whether the box has the focus or not.
    void aTickIsSeen() {
        const Style style;
        for (const QStyle::State focus :
             {QStyle::State(QStyle::State_None), QStyle::State(QStyle::State_HasFocus)}) {
            const auto inkOf = [&](QStyle::State state, const QColor& ink) {
                QImage image(16, 16, QImage::Format_ARGB32);
                image.fill(theme().window);
                QPainter painter(&image);
                QStyleOptionButton option;
                option.rect = image.rect();
                option.palette = theme().palette();
                option.state = QStyle::State_Enabled | state | focus;
                style.drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter);
                painter.end();
                int count = 0;
                for (int y = 4; y < 12; ++y) { // inside of the outline
                    for (int x = 4; x < 12; ++x) {
                        count += contrast(image.pixelColor(x, y), ink) < 1.5 ? 1 : 0;
                    }
                }
                return count;
            };
            QVERIFY(inkOf(QStyle::State_On, theme().textOnAccent) >= 6);
            QVERIFY(inkOf(QStyle::State_On, theme().accent) >= 20);
            QCOMPARE(inkOf(QStyle::State_Off, theme().accent), 0);
        }
    }

    void fontsGrowByTheirFactor() {
        QCOMPARE(fontOf(2).pixelSize(), 2 * fontOf(1).pixelSize());
        QVERIFY(fontOf(1, true).bold());
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
