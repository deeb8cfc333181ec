// A chart request becomes a file or the clipboard's content, in a job; and the dialog that asks how.
#pragma once

#include "app/chart/chart_request.h"
#include "app/job/latest_job.h"
#include "app/page/page.h"
#include "app/window/settings/settings.h"

#include <QDialog>
#include <QImage>
#include <QObject>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace loadline::app {

class ExportFlow : public QObject {
    Q_OBJECT

public:
    explicit ExportFlow(QObject* parent = nullptr);

    /// Writes the chart to `path` (format by its ending); the command that makes it again goes with it.
    /// Several saves are written one after the other.
    void save(const ChartRequest& request, std::shared_ptr<const Corpus> corpus, const QString& path,
              ui::ExportOptions options);
    /// The same of all charts of a page as one picture.
    void savePage(Page page, std::vector<ChartRequest> charts, std::shared_ptr<const Corpus> corpus,
                  const QString& path, ui::ExportOptions options);
    /// Puts the picture and its numbers (as tab-separated text) on the clipboard.
    void copy(const ChartRequest& request, std::shared_ptr<const Corpus> corpus, ui::ExportOptions options);
    /// A picture of at most `size` pixels as the export would look; a newer preview replaces an older one.
    void preview(const ChartRequest& request, std::shared_ptr<const Corpus> corpus, ui::ExportOptions options,
                 QSize size);

signals:
    void saved(const QString& path);
    void copied();
    void previewed(const QImage& image);
    void failed(const loadline::Error& error);

private:
    struct Save {
        std::vector<ChartRequest> charts;
        std::optional<Page> page; ///< whose charts they are; nothing: one chart
        std::shared_ptr<const Corpus> corpus;
        QString path;
        ui::ExportOptions options;
    };

    static Status write(const Save& save, const std::stop_token& stop);
    static Status writeChart(const Save& save, ChartMemory& memory);
    static Status writePage(const Save& save, ChartMemory& memory);
    void enqueue(Save save);
    void saveNext();

    std::deque<Save> waiting_; ///< the front one is under way
    LatestJob saving_, copying_, previewing_;
};

/// "loadline-timeline-fix-the-parser.png": chart, what it shows, format.
QString suggestedName(const ChartRequest& request, const Corpus* corpus, const QString& format);
QString suggestedName(const QString& page, const QString& format);
ui::ExportOptions optionsOf(const ExportChoices& choices);

/// Size, scale and colours of an export, with a picture of how it will look.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    ExportDialog(ChartRequest request, std::shared_ptr<const Corpus> corpus, const ExportChoices& choices,
                 QWidget* parent = nullptr);

    [[nodiscard]] ExportChoices choices() const;

signals:
    void previewShown();

private:
    void build(const ExportChoices& choices);
    void refresh();

    ChartRequest request_;
    std::shared_ptr<const Corpus> corpus_;
    ExportFlow flow_;
    QString folder_;
    QComboBox* format_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QDoubleSpinBox* scale_ = nullptr;
    QComboBox* theme_ = nullptr;
    QLabel* pixels_ = nullptr;
    QLabel* preview_ = nullptr;
};

} // namespace loadline::app
