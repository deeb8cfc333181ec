// Workloads and kernel times by name: built in, open in the window, or from files.
#include "app/simulation/simulation_sources.h"

#include "app/files/bundled_servers.h"
#include "app/files/kept_shapes.h"
#include "app/options/cost_option.h"
#include "core/cache/cache_files.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/shapes/shapes_json.h"
#include "core/session/files/read_sessions.h"
#include "core/session/files/session_formats.h"
#include "core/workload/source/read_workload.h"
#include "core/workload/source/workload_of_traces.h"

#include <QObject>
#include <fmt/format.h>

#include <array>

namespace loadline::app {
namespace {

constexpr int hashedEnd = 22; // "-0123456789abcdef.json"

Result<Workload> sessionsAt(const SimulationNames& names, const std::stop_token& stop, Progress& progress) {
    const std::string& path = names.workload.name;
    const std::array paths = {path};
    const Corpus corpus =
        buildCorpus(readSessionFiles(findSessionFiles(paths, stop), ReadOptions{}, stop, progress));
    if (corpus.files.empty()) {
        const Result<CacheFiles> found = cacheFilesIn(paths, stop);
        if (found && !found->traces.empty()) {
            return readTraceFiles(found->traces, path, 0, stop, progress);
        }
    }
    if (corpus.files.empty() && !corpus.notRead.empty()) {
        return Error{sentencesOf(corpus.notRead).front(), path,
                     "a folder of " + sessionPrograms(" or ") + " sessions, or the published reference"};
    }
    Workload workload = workloadOfSessions(corpus, select(corpus, Scope{}, TurnMethod::ApiCall), path,
                                           "Sessions in " + path, names.outputs);
    if (workload.sessions.empty()) {
        return Error{"there are no API calls with tokens in these sessions", path,
                     "another folder, or the published reference"};
    }
    return workload;
}

Result<Workload> openSessions(const SimulationNames& names, const Scoped& open) {
    if (!open) {
        return Error{"no sessions are open", "",
                     "open a folder of sessions, or take the published reference"};
    }
    Workload workload =
        workloadOfSessions(*open->corpus, open->selection, openWorkload, open->description, names.outputs);
    if (workload.sessions.empty()) {
        return Error{"no API call with tokens is in scope", open->description,
                     "a wider scope, or the published reference"};
    }
    return workload;
}

Result<Workload> workloadNamed(const SimulationNames& names, const Scoped& open, const std::stop_token& stop,
                               Progress& progress) {
    if (names.workload.isAuto() && !open) {
        return referenceWorkload();
    }
    switch (kindOf(names.workload, true)) {
    case SourceKind::Reference:
        return referenceWorkload();
    case SourceKind::Open:
        return openSessions(names, open);
    case SourceKind::Logs:
        return sessionsAt(names, stop, progress);
    case SourceKind::File:
        return readWorkload(names.workload.name, {0, stop, &progress});
    case SourceKind::Missing:
        break;
    }
    return Error{"there is no such workload", names.workload.name,
                 "another file, or the published reference"};
}

ui::NamedChoice choice(std::string key, const std::string& name, const std::string& tip) {
    return {std::move(key), QString::fromStdString(name), QString::fromStdString(tip), {}};
}

/// Adds the edited choices: the rule and the shapes in force, and shapes that were kept.
void addEdited(ui::FieldLists& lists, const SourcesShown* sources) {
    constexpr int mostKept = 8;
    const bool read = sources != nullptr && !sources->costFailed;
    if (read && sources->names.rule != autoRuleKey && findDispatchPreset(sources->names.rule) == nullptr) {
        const DispatchRule& rule = sources->sources.rule;
        const KernelNaming naming = namingOf(sources->sources.profile.get());
        lists["rule"].push_back(
            choice(sources->names.rule, rule.key,
                   wordsOf(rule.dense, naming) + "; edited; experts: " + wordsOf(rule.grouped, naming)));
    }
    std::string shown;
    if (read && findShapePreset(sources->names.shapes) == nullptr) {
        const ModelShapes& shapes = sources->sources.shapes;
        shown = sources->names.shapes;
        lists["shapes"].push_back(
            choice(shown, shapes.name, isShapesText(shown) ? shapes.source : shapes.source + "\n" + shown));
    }
    for (const QString& path : keptShapes(mostKept)) {
        if (path.toStdString() != shown) {
            const QString file = path.section('/', -1);
            const QString name = file.size() > hashedEnd ? file.chopped(hashedEnd) : file;
            lists["shapes"].push_back({path.toStdString(), name, path, {}});
        }
    }
}

/// Returns the sessions of a source, given those in scope.
Scoped sessionsOf(const Source& source, const Scoped& open) {
    if (!source.isOpen() || !open || !source.scope || *source.scope == open->scope) {
        return source.isOpen() ? open : nullptr;
    }
    return std::make_shared<const ScopedCorpus>(scopedCorpus(open->corpus, *source.scope, open->method));
}

} // namespace

SourcesKey sourcesKey(const SimulationRequest& request, const Scoped& open) {
    SourcesKey key{namesOf(request), nullptr, {}};
    if (open && request.workload.isOpen()) {
        key.corpus = open->corpus;
        key.scope = request.workload.scope.value_or(open->scope);
    }
    return key;
}

SourcesShown sourcesOf(const SimulationNames& names, const Scoped& open, const SourcesShown* last,
                       std::stop_token stop, Progress* progress) {
    SourcesShown shown{names, sessionsOf(names.workload, open), {}, {}, std::nullopt, false};
    Result<CostChoice> cost = resolveCost({names.profile, names.shapes, names.rule});
    if (!cost) {
        shown.error = cost.error();
        shown.costFailed = true;
        return shown;
    }
    shown.sources.profile = std::move(cost->profile);
    shown.sources.hardware = cost->hardware;
    shown.sources.attention = std::move(cost->attention);
    shown.sources.surfaces = std::move(cost->surfaces);
    shown.sources.judged = judgedServers();
    shown.sources.shapes = std::move(cost->shapes);
    shown.sources.rule = std::move(cost->rule);
    if (last != nullptr && last->sources.workload && last->open == shown.open &&
        last->names.workload == names.workload && last->names.outputs == names.outputs) {
        shown.summary = last->summary;
        shown.sources.workload = last->sources.workload;
        return shown;
    }
    Progress unseen;
    Result<Workload> workload =
        workloadNamed(names, shown.open, stop, progress != nullptr ? *progress : unseen);
    if (!workload) {
        shown.error = workload.error();
        return shown;
    }
    shown.summary = summaryOf(*workload);
    shown.sources.workload = std::make_shared<const Workload>(std::move(*workload));
    return shown;
}

SimulationChoices choicesOf(const SourcesShown* sources, const Scoped& open) {
    SimulationChoices choices;
    auto& workloads = choices.lists["workload"];
    auto& profiles = choices.lists["profile"];
    auto& shapes = choices.lists["shapes"];
    auto& rules = choices.lists["rule"];
    workloads.push_back(choice(autoWorkload, "sessions, else reference",
                               "The sessions in scope; while none are open the published reference"));
    workloads.push_back(choice("reference", "published reference", publishedReference().description));
    ui::NamedChoice here = choice(openWorkload, "sessions in scope",
                                  open ? open->description : "The sessions that are open in the window");
    if (!open) {
        here.whyNot = QObject::tr("No sessions are open: open a folder first");
    }
    workloads.push_back(std::move(here));
    for (const std::string& name : bundledProfiles()) {
        const bool read = sources != nullptr && sources->names.profile == name && sources->sources.profile;
        profiles.push_back(choice(name, read ? sources->sources.profile->name : name,
                                  "Bundled timings, published by others"));
    }
    for (const AtlasName& gpu : atlasNames()) {
        profiles.push_back(choice(std::string(gpu.key), fmt::format("{}, kernels of vLLM", gpu.hardware),
                                  "vLLM's kernels, measured by others; k-bit kernels are modelled"));
    }
    for (const Hardware& hardware : hardwareTable()) {
        profiles.push_back(choice("roofline:" + hardware.key, hardware.key + ", roofline",
                                  "Everything from a roofline: " + hardware.source));
    }
    for (const GpuFacts& gpu : gpuTable()) {
        profiles.push_back(
            choice(modelNameOf(gpu), fmt::format("Model of {}, unvalidated", gpu.hardware),
                   "Loadline's CUDA kernels by their instruction counts; no measured GPU was compared"));
    }
    for (const ModelShapes& preset : shapePresets()) {
        shapes.push_back(choice(preset.key, preset.name, preset.name));
    }
    const DispatchRule byTimes = autoRule();
    rules.push_back(choice(byTimes.key, byTimes.name, byTimes.source));
    for (const DispatchRule& rule : dispatchPresets()) {
        rules.push_back(choice(rule.key, rule.name, rule.source));
    }
    addEdited(choices.lists, sources);
    if (sources != nullptr && sources->sources.workload) {
        const Workload& workload = *sources->sources.workload;
        choices.facts.knowsArrivals = workload.kind == WorkloadKind::Trace;
        choices.facts.knowsSessions = workload.kind == WorkloadKind::Sessions;
        choices.facts.knowsGaps = sources->summary.knowsGaps;
        choices.facts.knowsOutputs = workload.outputs.calls > 0;
        choices.facts.knowsAttention = sources->sources.shapes.attention.has_value();
        const SimulationInputs inputs = inputsOf(SimulationRequest(), sources->sources);
        choices.facts.autoBudget = budgetOf(inputs.policy);
        choices.facts.autoSeqs = seqsOf(inputs.policy);
    }
    return choices;
}

} // namespace loadline::app
