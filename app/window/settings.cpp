// Settings as an ini file, every value checked on the way in.
#include "app/window/settings.h"

#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
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

template <typename T, std::size_t N>
using Words = std::array<std::pair<T, std::string_view>, N>;

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

/// Writes and reads fields by name, both with the same call: reading keeps the default of what is unusable.
class Reader {
public:
    explicit Reader(const QSettings& file) : file_(file) {}

    template <typename T, std::size_t N>
    void word(const char* key, T& value, const Words<T, N>& words) const {
        const std::string text = file_.value(key).toString().toStdString();
        const auto it =
            std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.second == text; });
        if (it != words.end())
            value = it->first;
    }

    void bytes(const char* key, QByteArray& value) const { value = file_.value(key).toByteArray(); }

    void flag(const char* key, bool& value) const {
        const QString text = file_.value(key).toString();
        if (text == "true" || text == "false")
            value = text == "true";
    }

    void text(const char* key, QString& value) const {
        if (file_.contains(key))
            value = file_.value(key).toString();
    }

    void list(const char* key, QStringList& value, qsizetype most) const {
        value = file_.value(key).toStringList();
        value.removeAll(QString());
        value = value.mid(0, most);
    }

    void size(const char* key, QSize& value) const {
        const QSize read = file_.value(key).toSize();
        if (read.width() >= 200 && read.height() >= 200 && read.width() <= 16384 && read.height() <= 16384)
            value = read;
    }

    void number(const char* key, double& value, double low, double high) const {
        bool good = false;
        const double read = file_.value(key).toDouble(&good);
        if (good && read >= low && read <= high)
            value = read;
    }

private:
    const QSettings& file_;
};

class Writer {
public:
    explicit Writer(QSettings& file) : file_(file) {}

    template <typename T, std::size_t N>
    void word(const char* key, const T& value, const Words<T, N>& words) {
        const auto it =
            std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == value; });
        if (it != words.end())
            file_.setValue(key, QString::fromUtf8(it->second.data(), qsizetype(it->second.size())));
    }

    void bytes(const char* key, const QByteArray& value) { file_.setValue(key, value); }

    void flag(const char* key, bool value) { file_.setValue(key, value ? "true" : "false"); }

    void text(const char* key, const QString& value) { file_.setValue(key, value); }

    void list(const char* key, const QStringList& value, qsizetype /*most*/) { file_.setValue(key, value); }

    void size(const char* key, QSize value) { file_.setValue(key, value); }

    void number(const char* key, double value, double /*low*/, double /*high*/) {
        file_.setValue(key, value);
    }

private:
    QSettings& file_;
};

template <typename Visitor, typename S>
void visit(Visitor& v, S& s) {
    v.list("files/recent", s.recentFolders, maxRecentFolders);
    v.list("files/last", s.lastPaths, 1000);
    v.flag("files/reopen_last", s.reopenLast);
    v.word("window/theme", s.theme, themeWords);
    v.word("window/page", s.page, pageWords);
    v.bytes("sessions/columns", s.sessionColumns);
    v.word("distributions/measure", s.distribution.measure, measureWords);
    v.word("distributions/bins", s.distribution.bins, binWords);
    v.flag("distributions/reference", s.distribution.reference);
    v.flag("composition/per_request", s.composition.perRequest);
    v.flag("composition/shares", s.composition.shares);
    v.word("timeline/axis", s.axis, axisWords);
    v.bytes("timeline/split", s.timelineSplit);
    v.text("self_check/run", s.checkedRun);
    v.text("self_check/prompts", s.checkedPrompts);
    v.text("export/folder", s.exports.folder);
    v.text("export/format", s.exports.format);
    v.size("export/size", s.exports.size);
    v.number("export/scale", s.exports.scale, 0.5, 4);
    v.word("export/theme", s.exports.theme, kindWords);
}

/// Nothing where the words are not those of a request that can be simulated.
std::optional<SimulationRequest> simulationIn(const QSettings& file, const char* key) {
    std::vector<std::string> words;
    for (const QString& word : file.value(key).toStringList())
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
void readKernels(const QSettings& file, KernelsView& view) {
    const auto name = [&](const char* key, std::string& value) {
        if (file.contains(key))
            value = file.value(key).toString().left(4096).toStdString();
    };
    name("kernels/shown", view.shown);
    name("kernels/compared", view.compared);
    name("kernels/shape", view.shape);
    if (view.shown.empty())
        view.shown = KernelsView{}.shown;
    if (const int k = file.value("kernels/k").toInt(); isKBits(k))
        view.kBits = k;
    if (const std::string shapes = file.value("kernels/bench_shapes").toString().toStdString();
        findShapePreset(shapes))
        view.bench.shapes = shapes;
    if (const std::string preset = file.value("kernels/bench_preset").toString().toStdString();
        std::ranges::find(ui::benchPresets, preset) != std::end(ui::benchPresets))
        view.bench.preset = preset;
    const QStringList listed = file.value("kernels/bench_k").toStringList();
    std::vector<int> bits;
    for (int k = minKBits; k <= maxKBits; ++k)
        if (listed.contains(QString::number(k)))
            bits.push_back(k);
    if (!bits.empty())
        view.bench.kBits = bits;
}

void writeKernels(QSettings& file, const KernelsView& view) {
    QStringList bits;
    for (const int k : view.bench.kBits)
        bits << QString::number(k);
    file.setValue("kernels/shown", QString::fromStdString(view.shown));
    file.setValue("kernels/compared", QString::fromStdString(view.compared));
    file.setValue("kernels/shape", QString::fromStdString(view.shape));
    file.setValue("kernels/k", view.kBits);
    file.setValue("kernels/bench_shapes", QString::fromStdString(view.bench.shapes));
    file.setValue("kernels/bench_preset", QString::fromStdString(view.bench.preset));
    file.setValue("kernels/bench_k", bits);
}

QString text(std::string_view word) {
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

} // namespace

QString settingsPath() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/loadline/loadline.ini";
}

Settings loadSettings(const QString& path) {
    Settings settings;
    const QSettings file(path, QSettings::IniFormat);
    Reader reader(file);
    visit(reader, settings);
    if (file.value("window/layout").toInt() == layoutVersion) {
        reader.bytes("window/geometry", settings.geometry);
        reader.bytes("window/state", settings.windowState);
    }
    if (const auto method = turnMethodFromKey(file.value("distributions/method").toString().toStdString()))
        settings.distribution.method = *method;
    if (const auto group = compositionGroupFromKey(file.value("composition/group").toString().toStdString()))
        settings.group = *group;
    readKernels(file, settings.kernels);
    settings.simulation = simulationIn(file, "simulation/request").value_or(SimulationRequest{});
    if (file.contains("simulation/against"))
        settings.against = simulationIn(file, "simulation/against");
    if (const QStringList formats = {"png", "svg", "pdf", "csv"}; !formats.contains(settings.exports.format))
        settings.exports.format = "png";
    return settings;
}

bool saveSettings(const Settings& settings, const QString& path) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSettings file(path, QSettings::IniFormat);
    Writer writer(file);
    visit(writer, settings);
    file.setValue("window/layout", layoutVersion);
    file.setValue("window/geometry", settings.geometry);
    file.setValue("window/state", settings.windowState);
    file.setValue("distributions/method", text(keyOf(settings.distribution.method)));
    file.setValue("composition/group", text(keyOf(settings.group)));
    writeKernels(file, settings.kernels);
    file.setValue("simulation/request", listOf(settings.simulation));
    if (settings.against)
        file.setValue("simulation/against", listOf(*settings.against));
    else
        file.remove("simulation/against");
    file.sync();
    return file.status() == QSettings::NoError;
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
