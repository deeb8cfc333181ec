// A scope made ready to ask of one call or record after the other.
#include "core/workload/scope/scope_filter.h"

#include "core/workload/scope/fold_case.h"
#include "core/workload/scope/session_calls.h"

#include <algorithm>
#include <string_view>

namespace loadline {
namespace {

bool listed(const std::vector<std::string>& list, std::string_view entry) {
    return list.empty() || std::ranges::find(list, entry) != list.end();
}

bool isMain(const SessionFile& file, LaneIndex lane) {
    return file.role == FileRole::Main &&
           (lane >= file.lanes.size() || file.lanes[lane].kind == LaneKind::Main);
}

} // namespace

ScopeFilter::ScopeFilter(const Corpus& corpus, const Scope& scope) : corpus_(corpus), scope_(scope) {
    const std::string wanted = foldCase(scope.text);
    const auto holds = [&wanted](std::string_view text) {
        return wanted.empty() || foldCase(text).find(wanted) != std::string::npos;
    };
    for (const Session& session : corpus.sessions) {
        sessionListed_.push_back(
            (listed(scope.sessions, session.key) && listed(scope.projects, session.project)) ? 1 : 0);
        sessionText_.push_back(
            (holds(session.title) || holds(session.project) || holds(session.sessionId)) ? 1 : 0);
    }
    for (const FileInCorpus& file : corpus.files) {
        fileText_.push_back((sessionText_[file.session] != 0 || holds(file.file->path)) ? 1 : 0);
    }
    for (const std::string& model : corpus.models) {
        modelListed_.push_back(listed(scope.models, model) ? 1 : 0);
        modelText_.push_back(holds(model) ? 1 : 0);
    }
    const auto isRole = [](const std::string& agent) { return agent == "main" || agent == "sub-agent"; };
    if (!std::ranges::all_of(scope.agents, isRole)) {
        laneListed_.resize(corpus.files.size());
        for (std::size_t i = 0; i < corpus.sessions.size(); ++i) {
            listLanes(static_cast<SessionIndex>(i));
        }
    }
}

/// Lists the lanes that the scope names as a timeline does.
void ScopeFilter::listLanes(SessionIndex session) {
    const SessionLanes lanes = sessionLanesOf(corpus_, session);
    const std::vector<FileIndex>& files = corpus_.sessions[session].files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (const std::uint32_t lane : lanes.laneOf[i]) {
            laneListed_[files[i]].push_back(listed(scope_.agents, lanes.lanes[lane].name) ? 1 : 0);
        }
    }
}

bool ScopeFilter::agentIn(FileIndex file, LaneIndex lane) const {
    if (scope_.agents.empty()) {
        return true;
    }
    const SessionFile& read = *corpus_.files[file].file;
    if (!laneListed_.empty() && lane < laneListed_[file].size() && laneListed_[file][lane] != 0) {
        return true;
    }
    const std::string_view role = isMain(read, lane) ? "main" : "sub-agent";
    return std::ranges::any_of(
        scope_.agents, [&](const std::string& agent) { return agent == role || agent == read.agent; });
}

bool ScopeFilter::timeIn(TimeMs time) const {
    if (!scope_.from && !scope_.to) {
        return true;
    }
    return isKnown(time) && (!scope_.from || time >= *scope_.from) && (!scope_.to || time < *scope_.to);
}

bool ScopeFilter::accepts(FileIndex file, LaneIndex lane, TimeMs time, ModelIndex model) const {
    if (sessionListed_[corpus_.files[file].session] == 0 || !timeIn(time) || !agentIn(file, lane)) {
        return false;
    }
    if (model == noModel) {
        return scope_.models.empty() && fileText_[file] != 0;
    }
    return modelListed_[model] != 0 && (fileText_[file] != 0 || modelText_[model] != 0);
}

bool ScopeFilter::acceptsEmpty(SessionIndex index) const {
    const Session& session = corpus_.sessions[index];
    if (sessionListed_[index] == 0) {
        return false;
    }
    if ((scope_.from && (!isKnown(session.lastTime) || session.lastTime < *scope_.from)) ||
        (scope_.to && (!isKnown(session.firstTime) || session.firstTime >= *scope_.to))) {
        return false;
    }
    const auto anyModel = [&](const std::vector<std::uint8_t>& flags) {
        return std::ranges::any_of(session.models, [&](ModelIndex model) { return flags[model] != 0; });
    };
    if (!scope_.models.empty() && !anyModel(modelListed_)) {
        return false;
    }
    const bool text = sessionText_[index] != 0 || anyModel(modelText_);
    return std::ranges::any_of(
        session.files, [&](FileIndex file) { return agentIn(file, 0) && (text || fileText_[file] != 0); });
}

} // namespace loadline
