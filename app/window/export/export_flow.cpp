// Exports run on worker threads: a big picture takes longer than a frame.
#include "app/window/export/export_flow.h"

#include "app/chart/session_chart.h"
#include "app/page/page_picture.h"
#include "ui/theme/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace loadline::app {
namespace {

using CorpusPointer = std::shared_ptr<const Corpus>;

/// The drawing, whose caption `options` get.
Result<std::shared_ptr<const ui::Drawing>> captioned(const ChartRequest& request, const CorpusPointer& corpus,
                                                     ui::ExportOptions& options, ChartMemory& answers) {
    auto drawing = drawingFor(request, corpus, &answers);
    options.caption = QString::fromStdString(captionFor(writtenDown(request, answers), corpus));
    options.incomplete = QString::fromStdString(incompleteFor({&request, 1}, answers, corpus));
    return drawing;
}

QString fileName(const QStringList& words, const QString& format) {
    QString name = words.join('-').toLower();
    name.replace(QRegularExpression("[^a-z0-9]+"), "-");
    name.truncate(64);
    while (name.endsWith('-')) {
        name.chop(1);
    }
    return name + '.' + format;
}

/// Tab-separated, as spreadsheets take it from the clipboard.
QString tabSeparated(const Table& table) {
    QStringList lines{ui::listFromUtf8(table.columns).join('\t')};
    for (const auto& row : table.rows) {
        QStringList cells;
        for (const Cell& cell : row) {
            cells << QString::fromStdString(textOf(cell)).replace('\t', ' ').replace('\n', ' ');
        }
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

} // namespace

ExportFlow::ExportFlow(QObject* parent) : QObject(parent) {
    const auto fail = [this](const Error& error) { emit failed(error); };
    saving_.onFailure([this](const Error& error) {
        waiting_.clear();
        emit failed(error);
    });
    copying_.onFailure(fail);
    previewing_.onFailure(fail);
}

void ExportFlow::save(const ChartRequest& request, CorpusPointer corpus, const QString& path,
                      ui::ExportOptions options) {
    enqueue({{request}, std::nullopt, std::move(corpus), path, std::move(options)});
}

void ExportFlow::savePage(Page page, std::vector<ChartRequest> charts, CorpusPointer corpus,
                          const QString& path, ui::ExportOptions options) {
    enqueue({std::move(charts), page, std::move(corpus), path, std::move(options)});
}

Status ExportFlow::write(const Save& save, const std::stop_token& stop) {
    ChartMemory memory;
    memory.stop = stop;
    return save.page ? writePage(save, memory) : writeChart(save, memory);
}

Status ExportFlow::writeChart(const Save& save, ChartMemory& memory) {
    ui::ExportOptions options = save.options;
    const std::string path = save.path.toStdString();
    const ChartRequest& chart = save.charts.front();
    const auto drawing = captioned(chart, save.corpus, options, memory);
    if (!drawing) {
        return drawing.error();
    }
    options.command = QString::fromStdString(commandFor(writtenDown(chart, memory), options, path));
    return ui::exportDrawing(**drawing, path, options);
}

Status ExportFlow::writePage(const Save& save, ChartMemory& memory) {
    ui::ExportOptions options = save.options;
    const std::string path = save.path.toStdString();
    const Result<PagePicture> picture = pictureOf(*save.page, save.charts, save.corpus, memory);
    if (!picture) {
        return picture.error();
    }
    std::vector<ChartRequest> written;
    for (const ChartRequest& chart : save.charts) {
        written.push_back(writtenDown(chart, memory));
    }
    options.caption = QString::fromStdString(captionFor(written.front(), save.corpus));
    options.incomplete = QString::fromStdString(incompleteFor(written, memory, save.corpus));
    options.command = QString::fromStdString(commandFor(*save.page, written, options, path));
    return ui::exportDrawing(*picture->drawing, path, options);
}

void ExportFlow::enqueue(Save save) {
    waiting_.push_back(std::move(save));
    if (waiting_.size() == 1) {
        saveNext();
    }
}

void ExportFlow::saveNext() {
    saving_.start(
        this, [save = waiting_.front()](const std::stop_token& stop) { return write(save, stop); },
        [this](const Status& status) {
            const QString path = waiting_.front().path;
            waiting_.pop_front();
            if (!waiting_.empty()) {
                saveNext();
            }
            if (status) {
                emit saved(path);
            } else {
                emit failed(status.error());
            }
        });
}

void ExportFlow::copy(const ChartRequest& request, CorpusPointer corpus, ui::ExportOptions options) {
    struct Copy {
        QImage image;
        QString text;
    };

    copying_.start(
        this,
        [=, corpus = std::move(corpus)](const std::stop_token& stop) mutable -> Result<Copy> {
            ChartMemory memory;
            memory.stop = stop;
            const auto drawing = captioned(request, corpus, options, memory);
            if (!drawing) {
                return drawing.error();
            }
            return Copy{ui::imageOf(**drawing, options), tabSeparated(ui::exportedTable(**drawing, options))};
        },
        [this](const Result<Copy>& copy) {
            if (!copy) {
                emit failed(copy.error());
                return;
            }
            auto* data = new QMimeData; // the clipboard takes it over
            data->setImageData(copy->image);
            data->setText(copy->text);
            QGuiApplication::clipboard()->setMimeData(data);
            emit copied();
        });
}

void ExportFlow::preview(const ChartRequest& request, CorpusPointer corpus, ui::ExportOptions options,
                         QSize size) {
    const double fit = std::min(static_cast<double>(size.width()) / options.size.width(),
                                static_cast<double>(size.height()) / options.size.height());
    options.scale = std::min(options.scale, fit);
    previewing_.start(
        this,
        [=, corpus = std::move(corpus)](const std::stop_token& stop) mutable -> Result<QImage> {
            ChartMemory memory;
            memory.stop = stop;
            const auto drawing = captioned(request, corpus, options, memory);
            if (!drawing) {
                return drawing.error();
            }
            return ui::imageOf(**drawing, options);
        },
        [this](const Result<QImage>& image) {
            if (image) {
                emit previewed(*image);
            } else {
                emit failed(image.error());
            }
        });
}

QString suggestedName(const ChartRequest& request, const Corpus* corpus, const QString& format) {
    QStringList words{"loadline", QString::fromStdString(std::string(request.chart->key))};
    if (request.chart == &charts::timeline && corpus) {
        for (const Session& session : corpus->sessions) {
            if (session.key == request.asked.sessions.session) {
                words << QString::fromStdString(session.title);
            }
        }
    }
    return fileName(words, format);
}

QString suggestedName(const QString& page, const QString& format) {
    return fileName({"loadline", page}, format);
}

ui::ExportOptions optionsOf(const ExportChoices& choices) {
    ui::ExportOptions options;
    options.size = choices.size;
    options.scale = choices.scale;
    options.theme = choices.theme;
    return options;
}

} // namespace loadline::app
