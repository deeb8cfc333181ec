// Renders the SVG line icons in a theme's ink: own engine, so that no image plugin is needed.
#include "ui/theme/icons.h"

#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>

namespace loadline::ui {

namespace {

const QString folder = QStringLiteral(":/icons/");

QByteArray inked(const QByteArray& svg, const QColor& color) {
    QByteArray result = svg;
    result.replace("#000000", color.name().toLatin1());
    return result;
}

class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QString name, QByteArray svg, const Theme& theme)
        : name_(std::move(name)), svg_(std::move(svg)), theme_(&theme) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        QSvgRenderer renderer(inked(svg_, ink(mode, state)));
        const int side = std::min(rect.width(), rect.height());
        const QRectF square(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0,
                            side, side);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (mode == QIcon::Disabled) {
            painter->setOpacity(painter->opacity() * 0.45);
        }
        renderer.render(painter, square);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return result;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new LineIconEngine(*this); }

    [[nodiscard]] QString key() const override { return QStringLiteral("loadline-line"); }

    QString iconName() override { return name_; }

    bool isNull() override { return svg_.isEmpty(); }

private:
    [[nodiscard]] QColor ink(QIcon::Mode mode, QIcon::State state) const {
        const bool strong = mode == QIcon::Active || mode == QIcon::Selected || state == QIcon::On;
        return strong ? theme_->text : theme_->textMuted;
    }

    QString name_;
    QByteArray svg_;
    const Theme* theme_; // one of the two static themes
};

} // namespace

QIcon icon(const QString& name, const Theme& theme) {
    QFile file(folder + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QIcon(new LineIconEngine(name, file.readAll(), Theme::of(theme.kind)));
}

QStringList iconNames() {
    QStringList names;
    const QStringList files = QDir(folder).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name);
    for (const QString& file : files) {
        names << file.chopped(4);
    }
    names.sort();
    return names;
}

} // namespace loadline::ui
