// Settings as an ini file, every value checked on the way in.
#include "app/window/settings/settings.h"

#include "app/files/ini.h"
#include "app/files/own_folder.h"
#include "app/options/scope_words.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "app/page/page_spec.h"
#include "app/study/studies.h"
#include "app/window/settings/settings_fields.h"
#include "core/base/file/write_file.h"
#include "ui/panel/sessions/session_columns.h"
#include "ui/theme/format.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

constexpr qsizetype mostOpenRows = 1000;

/// Window states of an other arrangement of docks must not be restored: raise it when docks change.
constexpr int layoutVersion = 2;

constexpr Words<ThemeChoice, 3> themeWords = {
    {{ThemeChoice::System, "system"}, {ThemeChoice::Light, "light"}, {ThemeChoice::Dark, "dark"}}};
std::vector<std::pair<Page, std::string_view>> pageWords() {
    std::vector<std::pair<Page, std::string_view>> words;
    for (const PageSpec& page : pageSpecs()) {
        words.emplace_back(page.page, page.key);
    }
    return words;
}

constexpr Words<ui::ThemeKind, 2> kindWords = {
    {{ui::ThemeKind::Light, "light"}, {ui::ThemeKind::Dark, "dark"}}};

template <typename Visitor, typename S>
void visit(Visitor& v, S& s) {
    v.list("files/recent", s.recentFolders, maxRecentFolders);
    v.list("files/last", s.lastPaths, 1000);
    v.flag("files/reopen_last", s.reopenLast);
    v.list("sessions/open", s.openRows, mostOpenRows);
    v.blob("window/place", s.geometry);
    v.word("window/theme", s.theme, themeWords);
    v.word("window/page", s.page, pageWords());
    v.text("sessions/columns_shown", s.sessionColumns);
    v.flag("window/diagnostics_by_hand", s.diagnosticsByHand);
    v.flag("window/evidence_by_hand", s.evidenceByHand);
    v.flag("simulation/more", s.moreParameters);
    v.text("export/folder", s.exports.folder);
    v.text("export/format", s.exports.format);
    v.size("export/size", s.exports.size);
    v.number("export/scale", s.exports.scale, 0.5, 4);
    v.word("export/theme", s.exports.theme, kindWords);
}

/// Nothing where the words are not those of a request that can be simulated.
std::optional<SimulationRequest> simulationOf(const QStringList& list) {
    std::vector<std::string> words;
    for (const QString& word : list) {
        words.push_back(word.toStdString());
    }
    const Result<SimulationRequest> read = simulationRequestFrom(words);
    return read && !problemOf(*read) ? std::optional(*read) : std::nullopt;
}

/// Returns the value that `from` reads from the words; nothing if the words would not be saved as they are.
template <typename From>
auto valueOf(const QStringList& list, From from) {
    std::vector<std::string> words;
    for (const QString& word : list) {
        words.push_back(word.toStdString());
    }
    const bool sane = std::all_of(list.begin(), list.end(), isText);
    return sane ? from(words) : std::nullopt;
}

std::optional<Scope> scopeOf(const QStringList& list) {
    return valueOf(list, scopeFrom);
}

std::optional<ChosenRows> chosenRowsOf(const QStringList& list) {
    return valueOf(list, chosenRowsFrom);
}

/// A list of older versions, or one word; "" where nothing is chosen.
bool readAsked(const AskedField& one, const QStringList& words, Asked& asked) {
    const std::string text = words.join(u',').toStdString();
    const bool isOpen = text.empty() && one.field->access.mayBeNone;
    return one.read(asked, isOpen ? std::string(one.field->traits.none) : text);
}

/// Calls `read` for each name, those of older files first, so that the newest holds.
template <typename Read>
void eachName(const std::vector<std::string>& names, const Read& read) {
    std::for_each(names.rbegin(), names.rend(), [&](const std::string& name) { read(name.c_str()); });
}

void readQuestion(SettingsReader& reader, Questions& questions, const ask::Study& study) {
    ask::Question question = questions[study];
    for (const ask::Field& field : study.fields()) {
        if (!field.traits.isSetting) {
            continue;
        }
        eachName(settingNames(questionNameOf(study), field), [&](const char* name) {
            reader.one(name, [&](const QString& text) {
                return isText(text) && ask::readText(field, text.toStdString(), question.data());
            });
        });
    }
    questions.set(study, question);
}

void writeQuestion(SettingsWriter& writer, const Questions& questions, const ask::Study& study) {
    const ask::Question question = questions[study];
    for (const ask::Field& field : study.fields()) {
        if (field.traits.isSetting) {
            writer.text(settingNames(questionNameOf(study), field).front().c_str(),
                        QString::fromStdString(ask::textOf(field, question.data())));
        }
    }
}

std::string keyOfParts(const PageSpec& page) {
    return page.key + "/parts";
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
    if (layout != file->end() && layout->second == QStringList(QString::number(layoutVersion))) {
        reader.blob("window/docks", settings.windowState);
    }
    for (const AskedField& one : askedFields()) {
        if (one.field->traits.isSetting) {
            eachName(one.settings(), [&](const char* name) {
                reader.any(name,
                           [&](const QStringList& words) { return readAsked(one, words, settings.asked); });
            });
        }
    }
    for (const ask::Study& study : studies()) {
        readQuestion(reader, settings.questions, study);
    }
    for (const PageSpec& page : pageSpecs()) {
        QList<int> parts;
        reader.numbers(keyOfParts(page).c_str(), parts, 0, 100000, 2);
        if (!parts.isEmpty()) {
            settings.parts[page.page] = parts;
        }
    }
    if (!settings.sessionColumns.isEmpty() && !ui::sessionColumnsFrom(settings.sessionColumns)) {
        settings.sessionColumns.clear();
        read.damaged << QStringLiteral("sessions/columns_shown");
    }
    reader.any("sessions/scope", [&](const QStringList& words) {
        const auto scope = scopeOf(words);
        settings.scope = scope.value_or(Scope{});
        return scope.has_value();
    });
    reader.any("sessions/rows", [&](const QStringList& words) {
        settings.rows = chosenRowsOf(words);
        return settings.rows.has_value();
    });
    reader.any("simulation/request", [&](const QStringList& words) {
        const auto request = simulationOf(words);
        settings.simulation = request.value_or(firstRequest());
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
    makeOwnFolder(QFileInfo(path).absolutePath());
    Ini file;
    SettingsWriter writer(file);
    visit(writer, settings);
    writer.text("window/layout", QString::number(layoutVersion));
    writer.blob("window/docks", settings.windowState);
    for (const AskedField& one : askedFields()) {
        if (one.field->traits.isSetting) {
            writer.text(one.settings().front().c_str(), QString::fromStdString(one.textIn(settings.asked)));
        }
    }
    for (const ask::Study& study : studies()) {
        writeQuestion(writer, settings.questions, study);
    }
    for (const auto& [page, parts] : settings.parts) {
        writer.numbers(keyOfParts(specOf(page)).c_str(), parts, 0, 100000, 2);
    }
    const QStringList scope = ui::listFromUtf8(wordsOf(settings.scope));
    if (!scope.isEmpty() && scopeOf(scope) == settings.scope) {
        writer.list("sessions/scope", scope, 0);
    }
    if (settings.rows && chosenRowsOf(ui::listFromUtf8(wordsOf(*settings.rows))) == settings.rows) {
        writer.list("sessions/rows", ui::listFromUtf8(wordsOf(*settings.rows)), 0);
    }
    writer.list("simulation/request", ui::listFromUtf8(wordsOf(settings.simulation)), 0);
    if (settings.against) {
        writer.list("simulation/against", ui::listFromUtf8(wordsOf(*settings.against)), 0);
    }
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
