// Tells what --profile, --shapes and --rule name: something built in, or a file.
#include "app/options/cost_option.h"

#include "app/files/bundled_atlas.h"
#include "app/files/profile_library.h"
#include "app/files/this_machine.h"
#include "app/options/shell_words.h"
#include "core/base/file/read_file.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/read_profile.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/shapes/shapes_json.h"
#include "core/cost/step/atlas_profile.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/text/plain_words.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::size_t mostProfileBytes = std::size_t{256} << 20;
constexpr std::size_t mostShapesBytes = std::size_t{16} << 20;
constexpr std::string_view rooflinePrefix = "roofline:";
const QString bundledFolder = QStringLiteral(":/profiles");

bool exists(const std::string& path) {
    std::error_code failed;
    return std::filesystem::exists(path, failed);
}

/// True if it is spelled like a path, not like a name of ours.
bool isPath(std::string_view name) {
    return name.find('/') != std::string_view::npos || name.ends_with(".json") || name.ends_with(".csv");
}

Error unknown(const std::string& what, const std::string& name, const std::string& remedy) {
    return {.what = fmt::format("there is no {} \"{}\"", what, name), .where = "", .remedy = remedy};
}

Result<TimesChoice> rooflineOf(const std::string& name) {
    const std::string device = name.substr(rooflinePrefix.size());
    const Hardware* hardware = findHardware(device);
    if (hardware == nullptr) {
        return unknown("device", device,
                       std::string(rooflinePrefix) + "GPU with one of " +
                           commaList(hardwareTable(), &Hardware::key));
    }
    return TimesChoice{.profile = nullptr, .hardware = hardware, .attention = nullptr};
}

Result<TimesChoice> modelOf(const std::string& name) {
    const Result<const GpuFacts*> gpu = resolveGpu(name.substr(modelPrefix.size()));
    if (!gpu) {
        return gpu.error();
    }
    return TimesChoice{.profile = std::make_shared<const Profile>(modelledProfile(**gpu)),
                       .hardware = findHardware((*gpu)->hardware),
                       .attention = nullptr};
}

/// Returns an engine's kernels beside the model of ours, for simulations.
TimesChoice engineTimesOf(std::shared_ptr<const AtlasSurfaces> surfaces) {
    const std::string& hardware = surfaces->hardware().key;
    TimesChoice times{.hardware = findHardware(hardware), .surfaces = std::move(surfaces)};
    if (const GpuFacts* const gpu = findGpu(hardware)) {
        Profile ours = modelledProfile(*gpu);
        ours.name = times.surfaces->atlas().gpu();
        times.profile = std::make_shared<const Profile>(std::move(ours));
    }
    return times;
}

/// Null for other names, and where a file is named so.
std::shared_ptr<const AtlasSurfaces> atlasNamed(const std::string& name) {
    return exists(name) ? nullptr : bundledAtlas(name);
}

/// The linear layers of a GPU that others measured.
Result<TimesChoice> atlasOf(const AtlasSurfaces& surfaces) {
    Result<Profile> profile = atlasProfile(surfaces);
    if (!profile) {
        return profile.error();
    }
    return TimesChoice{.profile = std::make_shared<const Profile>(std::move(*profile)),
                       .hardware = findHardware(surfaces.hardware().key),
                       .attention = nullptr};
}

/// The file of a folder whose name fits the pattern; "" if there is none or several.
std::string onlyFile(const QDir& folder, const QString& pattern) {
    const QStringList found = folder.entryList({pattern}, QDir::Files | QDir::Readable, QDir::Name);
    return found.size() == 1 ? folder.filePath(found.front()).toStdString() : std::string();
}

/// "" where the folder has none.
Result<std::string> tableIn(const QDir& folder, const QString& pattern) {
    const std::string path = onlyFile(folder, pattern);
    return path.empty() ? Result<std::string>(std::string())
                        : readWholeFile(path, "the attention table", mostProfileBytes);
}

using SharedAttention = std::shared_ptr<const AttentionTable>;

Result<SharedAttention> attentionIn(const QDir& folder, const std::string& device) {
    const auto decode = tableIn(folder, QStringLiteral("decode_attention*.csv"));
    const auto prefill = tableIn(folder, QStringLiteral("prefill_attention*.csv"));
    if (!decode || !prefill) {
        return decode ? prefill.error() : decode.error();
    }
    if (decode->empty() && prefill->empty()) {
        return SharedAttention();
    }
    const std::string source = "tables in " + folder.path().toStdString();
    auto table = attentionTableFromCsv(*decode, *prefill, source, device);
    if (!table) {
        return table.error();
    }
    return SharedAttention(std::make_shared<const AttentionTable>(std::move(table.value())));
}

/// A file that the user named: not one that the program keeps or has compiled in.
bool isFileOfUser(const std::string& path) {
    const std::vector<std::string> bundled = bundledProfiles();
    const QFileInfo file(QString::fromStdString(path));
    return std::ranges::find(bundled, path) == bundled.end() &&
           file.absolutePath() != QFileInfo(QString::fromStdString(profileFolder())).absoluteFilePath();
}

/// Those of the k that the rule cannot serve with what was timed.
std::vector<int> unservedOf(const Profile& profile, const DispatchRule& rule, const ModelShapes& shapes,
                            const std::vector<int>& kBits) {
    std::vector<int> unserved;
    for (const int k : kBits) {
        const DispatchRule& used = rule.key == autoRuleKey ? defaultRule(&profile, k, shapes) : rule;
        if (!serves(profile, used, k, shapes)) {
            unserved.push_back(k);
        }
    }
    return unserved;
}

/// "FILE, measured on this machine, cannot serve k = 4: --profile FILE --k 5 takes it."
std::string lackingWords(const SavedProfile& saved, const DispatchRule& rule, const ModelShapes& shapes,
                         const std::vector<int>& kBits) {
    const std::vector<int> unserved = unservedOf(*saved.profile, rule, shapes, kBits);
    std::string remedy = "it lacks kernels that the dispatch rule needs.";
    for (int k = maxKBits; k >= minKBits; --k) {
        if (unservedOf(*saved.profile, rule, shapes, {k}).empty()) {
            remedy = fmt::format("--profile {} --k {} takes it.", quotedForShell(saved.path), k);
        }
    }
    return fmt::format("{}, measured on this machine, cannot serve k = {}: {}", saved.path,
                       fmt::join(unserved, ", "), remedy);
}

Result<std::string> profileText(const std::string& name) {
    const std::vector<std::string> bundled = bundledProfiles();
    if (std::ranges::find(bundled, name) != bundled.end()) {
        QFile file(bundledFolder + u'/' + QString::fromStdString(name) + QStringLiteral(".json"));
        if (!file.open(QIODevice::ReadOnly)) {
            return Error{.what = "cannot read a bundled profile", .where = name, .remedy = ""};
        }
        return file.readAll().toStdString();
    }
    if (!exists(name)) {
        const std::string remedy = commaList(bundled) + ", " + commaList(atlasNames(), &AtlasName::key) +
                                   ", roofline:GPU, model:GPU, or a file written by `loadline bench --out`";
        return isPath(name) ? Error{.what = "there is no such file", .where = name, .remedy = remedy}
                            : unknown("profile", name, remedy);
    }
    return readWholeFile(name, "the profile", mostProfileBytes);
}

} // namespace

std::vector<std::string> bundledProfiles() {
    std::vector<std::string> names;
    for (const QString& file : QDir(bundledFolder).entryList({QStringLiteral("*.json")}, QDir::Files)) {
        names.push_back(file.chopped(5).toStdString());
    }
    return names;
}

const ask::Field& profileField() {
    static const std::string help =
        "Kernel times: " + commaList(bundledProfiles(), [](const std::string& one) { return one; }) +
        ";\nan engine's kernels on a GPU, measured by others:\n" +
        brokenAfterCommas(commaList(atlasNames(), &AtlasName::key)) +
        ";\na profile file (loadline bench --out) or kernel table, a folder of these with "
        "tables of attention; roofline:GPU,\neverything modelled, as roofline:H100-SXM; or "
        "model:GPU, Loadline's CUDA\nkernels by their instruction counts, unvalidated, as "
        "model:B200\n"
        "(rtx4090-published; once this machine has been measured, its newest profile)";
    static const ask::Field field = [] {
        ask::Field profile = simulationField("profile");
        profile.words.help = help;
        return profile;
    }();
    return field;
}

std::string takeLocalProfile(CostOption& option, const std::vector<int>& kBits) {
    const std::vector<SavedProfile> own = profilesOfThisMachine();
    if (own.empty()) {
        return {};
    }
    const Result<DispatchRule> rule = resolveRule(option.rule);
    const Result<ModelShapes> shapes = resolveShapes(option.shapes);
    const auto lacks = [&](const SavedProfile& saved) {
        return rule && shapes && !unservedOf(*saved.profile, *rule, *shapes, kBits).empty();
    };
    const auto taken = std::ranges::find_if_not(own, lacks);
    std::string words;
    if (taken != own.end()) {
        const std::string published = std::exchange(option.profile, taken->path);
        words =
            fmt::format("Kernel times: {}, measured on this machine. --profile {} takes the published ones.",
                        option.profile, published);
    } else {
        words = fmt::format("Kernel times: {}, published.", option.profile);
    }
    if (taken != own.begin()) {
        words += ' ' + lackingWords(own.front(), *rule, *shapes, kBits);
    }
    return words;
}

Result<TimesChoice> resolveTimes(const std::string& profile) {
    if (profile.starts_with(rooflinePrefix)) {
        return rooflineOf(profile);
    }
    if (isModelName(profile)) {
        return modelOf(profile);
    }
    if (const auto surfaces = atlasNamed(profile)) {
        return atlasOf(*surfaces);
    }
    const std::vector<std::string> bundled = bundledProfiles();
    const QDir folder(QString::fromStdString(profile));
    const bool isFolder =
        !profile.empty() && std::ranges::find(bundled, profile) == bundled.end() && folder.exists();
    std::string path = profile;
    if (isFolder) {
        path = onlyFile(folder, QStringLiteral("*gemm*.csv"));
        path = path.empty() ? onlyFile(folder, QStringLiteral("*.json")) : path;
        if (path.empty()) {
            return Error{.what = "the folder holds no GEMM table and no profile, or several",
                         .where = profile,
                         .remedy = "one gemm*.csv or one profile.json in it, or name the file"};
        }
    }
    const Result<std::string> text = profileText(path);
    if (!text) {
        return text.error();
    }
    Result<Profile> read = readProfile(*text, path);
    if (!read) {
        return read.error();
    }
    if ((read->name.empty() || read->name == read->device) && !isFolder && isFileOfUser(path)) {
        read->name = QFileInfo(QString::fromStdString(path)).completeBaseName().toStdString();
    }
    TimesChoice times;
    times.profile = std::make_shared<const Profile>(seenFrom(std::move(read.value()), thisMachine()));
    times.hardware = findHardware(times.profile->hardware);
    if (isFolder) {
        auto attention = attentionIn(folder, times.profile->device);
        if (!attention) {
            return attention.error();
        }
        times.attention = std::move(attention.value());
    }
    if (!times.attention) {
        if (auto timed = attentionTableOf(*times.profile)) {
            times.attention = std::make_shared<const AttentionTable>(std::move(*timed));
        }
    }
    return times;
}

Result<const GpuFacts*> resolveGpu(const std::string& gpu) {
    const GpuFacts* const found = findGpu(gpu);
    return found != nullptr ? Result<const GpuFacts*>(found)
                            : unknown("model of a GPU", gpu, commaList(gpuTable(), &GpuFacts::hardware));
}

Result<ModelShapes> resolveShapes(const std::string& shapes) {
    if (const ModelShapes* preset = findShapePreset(shapes)) {
        return *preset;
    }
    if (isShapesText(shapes)) {
        return shapesFromJson(shapes, "shapes given as text");
    }
    if (!exists(shapes)) {
        return unknown("model", shapes,
                       commaList(shapePresets(), &ModelShapes::key) + ", or a JSON file of shapes");
    }
    const Result<std::string> text = readWholeFile(shapes, "the shapes", mostShapesBytes);
    if (!text) {
        return text.error();
    }
    return shapesFromJson(*text, shapes);
}

Result<DispatchRule> resolveRule(const std::string& rule) {
    if (rule == autoRuleKey) {
        return autoRule();
    }
    if (const DispatchRule* preset = findDispatchPreset(rule)) {
        return *preset;
    }
    if (rule.find_first_of(":,;") == std::string::npos && !kernelFromKey(rule)) {
        return unknown("dispatch rule", rule,
                       std::string(autoRuleKey) + ", " + commaList(dispatchPresets(), &DispatchRule::key) +
                           ", or kernels with bounds like scalar:4,mma:16,dequant_cublas");
    }
    return dispatchRuleFromText(rule);
}

Result<CostChoice> resolveCost(const CostOption& option) {
    auto surfaces = atlasNamed(option.profile);
    Result<TimesChoice> times = surfaces ? engineTimesOf(std::move(surfaces)) : resolveTimes(option.profile);
    if (!times) {
        return times.error();
    }
    Result<ModelShapes> shapes = resolveShapes(option.shapes);
    if (!shapes) {
        return shapes.error();
    }
    Result<DispatchRule> rule = resolveRule(withKeysForNames(option.rule, namingOf(times->profile.get())));
    if (!rule) {
        return rule.error();
    }
    return CostChoice{.profile = std::move(times->profile),
                      .hardware = times->hardware,
                      .attention = std::move(times->attention),
                      .surfaces = std::move(times->surfaces),
                      .shapes = std::move(shapes.value()),
                      .rule = std::move(rule.value())};
}

} // namespace loadline::app
