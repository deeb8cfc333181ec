// Settings as an ini file, every value checked on the way in.
#include "app/window/settings.h"

#include "app/files/ini.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "app/window/settings_values.h"
#include "core/base/write_file.h"
#include "ui/panel/sessions/session_columns.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

/// Window states of an other arrangement of docks must not be restored: raise it when docks change.
constexpr int layoutVersion = 1;

constexpr Words<ThemeChoice, 3> themeWords = {
    {{ThemeChoice::System, "system"}, {ThemeChoice::Light, "light"}, {ThemeChoice::Dark, "dark"}}};
const Words<Page, pageCount> pageWords = [] {
    Words<Page, pageCount> words;
    for (const Page page : pages)
        words[indexOf(page)] = {page, pageKeys[indexOf(page)]};
    return words;
}();
constexpr Words<TimelineAxis, 3> axisWords = {{{TimelineAxis::WallClock, "wall-clock"},
                                               {TimelineAxis::CompressedGaps, "compressed-gaps"},
                                               {TimelineAxis::TurnIndex, "turn-index"}}};
constexpr Words<Measure, 3> measureWords = {
    {{Measure::Count, "count"}, {Measure::Share, "share"}, {Measure::Cumulative, "cumulative"}}};
constexpr Words<BinKind, 2> binWords = {{{BinKind::PowerOfTwo, "power-of-two"}, {BinKind::FineLog, "fine"}}};
constexpr Words<ui::ThemeKind, 2> kindWords = {
    {{ui::ThemeKind::Light, "light"}, {ui::ThemeKind::Dark, "dark"}}};

template <typename Visitor, typename S>
void visit(Visitor& v, S& s) {
    v.list("files/recent", s.recentFolders, maxRecentFolders);
    v.list("files/last", s.lastPaths, 1000);
    v.flag("files/reopen_last", s.reopenLast);
    v.blob("window/place", s.geometry);
    v.word("window/theme", s.theme, themeWords);
    v.word("window/page", s.page, pageWords);
    v.text("sessions/columns_shown", s.sessionColumns);
    v.word("distributions/measure", s.distribution.measure, measureWords);
    v.word("distributions/bins", s.distribution.bins, binWords);
    v.flag("distributions/reference", s.distribution.reference);
    v.flag("composition/per_request", s.composition.perRequest);
    v.flag("composition/shares", s.composition.shares);
    v.word("timeline/axis", s.axis, axisWords);
    v.numbers("timeline/parts", s.timelineSplit, 0, 100000, 2);
    v.text("self_check/run", s.checkedRun);
    v.text("self_check/prompts", s.checkedPrompts);
    v.text("export/folder", s.exports.folder);
    v.text("export/format", s.exports.format);
    v.size("export/size", s.exports.size);
    v.number("export/scale", s.exports.scale, 0.5, 4);
    v.word("export/theme", s.exports.theme, kindWords);
}

/// Nothing where the words are not those of a request that can be simulated.
std::optional<SimulationRequest> simulationOf(const QStringList& list) {
    std::vector<std::string> words;
    for (const QString& word : list)
        words.push_back(word.toStdString());
    const Result<SimulationRequest> read = simulationRequestFrom(words);
    return read && !problemOf(*read) ? std::optional(*read) : std::nullopt;
}

QStringList listOf(const SimulationRequest& request) {
    QStringList words;
    for (const std::string& word : wordsOf(request))
        words << QString::fromStdString(word);
    return words;
}

bool isKBits(int k) {
    return k >= minKBits && k <= maxKBits;
}

/// Names are taken as they are: what is not there any more says so on its page.
void readKernels(SettingsReader& reader, KernelsView& view) {
    const auto name = [&](const char* key, std::string& value, bool mayBeEmpty) {
        QString text = QString::fromStdString(value);
        reader.text(key, text);
        value = text.isEmpty() && !mayBeEmpty ? value : text.toStdString();
    };
    name("kernels/shown", view.shown, false);
    name("kernels/compared", view.compared, true);
    name("kernels/shape", view.shape, true);
    reader.one("kernels/k", [&](const QString& text) {
        const int k = text.toInt();
        view.kBits = isKBits(k) ? k : view.kBits;
        return isKBits(k);
    });
    reader.one("kernels/bench_shapes", [&](const QString& text) {
        const bool known = findShapePreset(text.toStdString()) != nullptr;
        view.bench.shapes = known ? text.toStdString() : view.bench.shapes;
        return known;
    });
    reader.one("kernels/bench_preset", [&](const QString& text) {
        const std::string preset = text.toStdString();
        const bool known = std::ranges::find(ui::benchPresets, preset) != std::end(ui::benchPresets);
        view.bench.preset = known ? preset : view.bench.preset;
        return known;
    });
    reader.any("kernels/bench_k", [&](const QStringList& listed) {
        std::vector<int> bits;
        for (int k = minKBits; k <= maxKBits; ++k)
            if (listed.contains(QString::number(k)))
                bits.push_back(k);
        view.bench.kBits = bits.empty() ? view.bench.kBits : bits;
        return bits.size() == static_cast<std::size_t>(listed.size());
    });
}

void writeKernels(SettingsWriter& writer, const KernelsView& view) {
    QStringList bits;
    for (const int k : view.bench.kBits)
        bits << QString::number(k);
    writer.text("kernels/shown", QString::fromStdString(view.shown));
    writer.text("kernels/compared", QString::fromStdString(view.compared));
    writer.text("kernels/shape", QString::fromStdString(view.shape));
    writer.text("kernels/k", QString::number(view.kBits));
    writer.text("kernels/bench_shapes", QString::fromStdString(view.bench.shapes));
    writer.text("kernels/bench_preset", QString::fromStdString(view.bench.preset));
    writer.list("kernels/bench_k", bits, bits.size());
}

QString text(std::string_view word) {
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

} // namespace

QString settingsPath() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/loadline/loadline.ini";
}

SettingsRead readSettings(const QString& path) {
    SettingsRead read;
    const Result<Ini> file = readIni(path);
    if (!file) {
        read.damaged << QString::fromStdString(file.error().sentence());
        return read;
    }
    Settings& settings = read.settings;
    SettingsReader reader(*file, read.damaged);
    visit(reader, settings);
    const auto layout = file->find(QStringLiteral("window/layout"));
    if (layout != file->end() && layout->second == QStringList(QString::number(layoutVersion)))
        reader.blob("window/docks", settings.windowState);
    const auto keyed = [&](const char* key, auto& value, auto fromKey) {
        reader.one(key, [&](const QString& text) {
            const auto found = fromKey(text.toStdString());
            value = found.value_or(value);
            return found.has_value();
        });
    };
    keyed("distributions/method", settings.distribution.method,
          [](const std::string& key) { return turnMethodFromKey(key); });
    keyed("composition/group", settings.group,
          [](const std::string& key) { return compositionGroupFromKey(key); });
    if (!settings.sessionColumns.isEmpty() && !ui::sessionColumnsFrom(settings.sessionColumns)) {
        settings.sessionColumns.clear();
        read.damaged << QStringLiteral("sessions/columns_shown");
    }
    readKernels(reader, settings.kernels);
    reader.any("simulation/request", [&](const QStringList& words) {
        const auto request = simulationOf(words);
        settings.simulation = request.value_or(SimulationRequest{});
        return request.has_value();
    });
    reader.any("simulation/against", [&](const QStringList& words) {
        settings.against = simulationOf(words);
        return settings.against.has_value();
    });
    if (const QStringList formats = {"png", "svg", "pdf", "csv"};
        !formats.contains(settings.exports.format)) {
        settings.exports.format = "png";
        read.damaged << QStringLiteral("export/format");
    }
    return read;
}

Settings loadSettings(const QString& path) {
    return readSettings(path).settings;
}

bool saveSettings(const Settings& settings, const QString& path) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    Ini file;
    SettingsWriter writer(file);
    visit(writer, settings);
    writer.text("window/layout", QString::number(layoutVersion));
    writer.blob("window/docks", settings.windowState);
    writer.text("distributions/method", text(keyOf(settings.distribution.method)));
    writer.text("composition/group", text(keyOf(settings.group)));
    writeKernels(writer, settings.kernels);
    writer.list("simulation/request", listOf(settings.simulation), 0);
    if (settings.against)
        writer.list("simulation/against", listOf(*settings.against), 0);
    return writeFile(QFile::encodeName(path).toStdString(), iniText(file).toStdString()).hasValue();
}

void remember(Settings& settings, const QStringList& paths) {
    for (qsizetype i = paths.size(); i-- > 0;) { // the first path ends up first
        const QString folder = QDir::cleanPath(paths[i]);
        settings.recentFolders.removeAll(folder);
        settings.recentFolders.prepend(folder);
    }
    settings.recentFolders = settings.recentFolders.mid(0, maxRecentFolders);
}

} // namespace loadline::app
