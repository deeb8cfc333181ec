// Properties of a corpus that one can filter by.
#include "ui/panel/scope/filter_choices.h"

#include "ui/model/session_tree_model.h"

#include <algorithm>
#include <map>

namespace loadline::ui {

namespace {

std::vector<FilterChoice> modelChoices(const Corpus& corpus) {
    std::vector<FilterChoice> choices;
    for (const std::string& model : corpus.models) {
        choices.push_back(
            {model, model.empty() ? QStringLiteral("no model named") : shortModelName(model), 0});
    }
    for (const CorpusCall& call : corpus.calls) {
        ++choices[call.model].count;
    }
    return choices;
}

std::vector<FilterChoice> agentChoices(const Corpus& corpus) {
    std::map<std::string, std::uint64_t> programs;
    std::uint64_t main = 0;
    std::uint64_t sub = 0;
    for (const CorpusCall& call : corpus.calls) {
        const SessionFile& file = *corpus.files[call.file].file;
        ++programs[file.agent];
        const bool isSub = call.sidechain || file.role == FileRole::SubAgent;
        ++(isSub ? sub : main);
    }
    std::vector<FilterChoice> choices{{"main", QStringLiteral("main agent"), main},
                                      {"sub-agent", QStringLiteral("sub-agents"), sub}};
    if (programs.size() > 1) {
        for (const auto& [name, count] : programs) {
            choices.push_back({name, QString::fromStdString(name), count});
        }
    }
    return choices;
}

std::vector<FilterChoice> projectChoices(const Corpus& corpus) {
    std::map<std::string, std::uint64_t> sessions;
    for (const Session& session : corpus.sessions) {
        ++sessions[session.project];
    }
    std::vector<FilterChoice> choices;
    choices.reserve(sessions.size());
    for (const auto& [path, count] : sessions) {
        choices.push_back(
            {path, QString::fromStdString(path).section(u'/', -2, -1, QString::SectionSkipEmpty), count});
    }
    return choices;
}

} // namespace

std::vector<FilterChoice> choicesOf(const Corpus& corpus, ScopePart part) {
    std::vector<FilterChoice> choices = part == ScopePart::Models   ? modelChoices(corpus)
                                        : part == ScopePart::Agents ? agentChoices(corpus)
                                                                    : projectChoices(corpus);
    std::erase_if(choices,
                  [](const FilterChoice& choice) { return choice.count == 0 || choice.value.empty(); });
    std::ranges::stable_sort(choices, std::ranges::greater(), &FilterChoice::count);
    return choices;
}

std::vector<std::string>& choicesIn(Scope& scope, ScopePart part) {
    return part == ScopePart::Models   ? scope.models
           : part == ScopePart::Agents ? scope.agents
                                       : scope.projects;
}

std::pair<TimeMs, TimeMs> extentOf(const Corpus& corpus) {
    TimeMs first = unknownTime;
    TimeMs last = unknownTime;
    for (const Session& session : corpus.sessions) {
        if (isKnown(session.firstTime) && (!isKnown(first) || session.firstTime < first)) {
            first = session.firstTime;
        }
        if (isKnown(session.lastTime) && (!isKnown(last) || session.lastTime > last)) {
            last = session.lastTime;
        }
    }
    return {first, last};
}

} // namespace loadline::ui
