// The form of the Server log page, and what was found for what it leaves open.
#include "app/asked/asked.h"
#include "app/pages/serverlog/server_log_page.h"
#include "core/cache/split/cache_model.h"
#include "core/cost/device/hardware.h"
#include "ui/form/field_form.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QLabel>

#include <vector>

namespace loadline::app {
namespace {

/// The first entry of a list: as the log says.
ui::NamedChoice autoEntry(const QString& found) {
    return {"",
            found.isEmpty() ? QObject::tr("auto: not in the log")
                            : QObject::tr("auto: %1").arg(ui::lineText(found, 60)),
            {},
            {}};
}

} // namespace

/// Offers the models and devices; `model` and `device`: those inferred for the ones left open.
void ServerLogPage::showForm(const QString& model, const QString& device) {
    std::vector<ui::NamedChoice> models{autoEntry(model)};
    for (const CacheModel& one : cacheModels()) {
        models.push_back({std::string(one.key), ui::fromUtf8(one.key), ui::fromUtf8(one.source), {}});
    }
    std::vector<ui::NamedChoice> devices{autoEntry(device)};
    for (const Hardware& one : hardwareTable()) {
        devices.push_back(
            {one.key,
             QString::fromStdString(one.key),
             tr("%1 GB/s (%2)").arg(ui::realText(one.bandwidthGbS), QString::fromStdString(one.source)),
             {}});
    }
    panel_->setSources({}, {{"log-model", std::move(models)}, {"log-device", std::move(devices)}});
}

/// Shows the inferred model and device, and the resulting ceiling.
void ServerLogPage::showFound() {
    const ServedSettings found = settled(*shown_);
    const auto& light = shown_->figure->verdict.light;
    const bool expects = light && light->band().high > 0;
    QString words =
        !light
            ? tr("With a model and a device there is a ceiling to compare with.")
            : tr("%1 GB of weights are read for a token, at %2\u00a0GB/s.%3")
                  .arg(ui::realText(light->weightsGB()), ui::realText(light->bandwidthGBs()),
                       expects ? tr(" Published rates of like hardware reach %1 to %2 of that.")
                                     .arg(ui::shareText(light->band().low), ui::shareText(light->band().high))
                               : QString());
    if (const std::string& assumed = shown_->figure->assumption; !assumed.empty()) {
        words += ' ' + ui::capitalised(assumed) + '.';
    }
    const bool openModel = shown_->served.model.empty();
    const bool openDevice = shown_->served.device.empty();
    if (const std::string_view named = factOf(shown_->log(), "device");
        found.device.empty() && !named.empty()) {
        words +=
            ' ' +
            tr("The log names %1: choose which device that is.").arg(ui::lineText(std::string(named), 60));
    }
    ceiling_->setText(ui::linesText(words));
    showForm(openModel ? QString::fromStdString(found.model) : QString(),
             openDevice ? QString::fromStdString(found.device) : QString());
}

} // namespace loadline::app
