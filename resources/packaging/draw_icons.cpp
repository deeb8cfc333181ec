// Draws the program's icon at every size that desktops look for: draw_icons ICON.svg FOLDER (a hicolor
// theme).
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

namespace {

bool draw(QSvgRenderer& drawing, const QString& folder, int side) {
    const QString size = QStringLiteral("%1x%1/apps").arg(side);
    QImage picture(side, side, QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    drawing.render(&painter);
    painter.end();
    return QDir(folder).mkpath(size) && picture.save(folder + "/" + size + "/loadline.png");
}

} // namespace

int main(int argc, char** argv) {
    QSvgRenderer drawing(QString::fromLocal8Bit(argc == 3 ? argv[1] : ""));
    if (!drawing.isValid()) {
        std::fputs("draw_icons ICON.svg FOLDER: there is no such drawing\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[2]);
    for (const int side : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
        if (!draw(drawing, folder, side)) {
            std::fprintf(stderr, "draw_icons: cannot write into %s\n", argv[2]);
            return 1;
        }
    }
    const QString scalable = folder + "/scalable/apps";
    QFile::remove(scalable + "/loadline.svg");
    return QDir().mkpath(scalable) && QFile::copy(QString::fromLocal8Bit(argv[1]), scalable + "/loadline.svg")
               ? 0
               : 1;
}
