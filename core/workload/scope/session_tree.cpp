// The Sessions list as a value: project > session > agents with what each used.
#include "core/workload/scope/session_tree.h"

#include <algorithm>
#include <map>
#include <utility>

namespace loadline {

namespace {

constexpr std::size_t titleIdLength = 8;

std::string lastComponent(const std::string& path) {
    std::size_t end = path.size();
    while (end > 1 && (path[end - 1] == '/' || path[end - 1] == '\\')) {
        --end;
    }
    const std::size_t slash = path.find_last_of("/\\", end - 1);
    return path.substr(slash == std::string::npos ? 0 : slash + 1,
                       end - (slash == std::string::npos ? 0 : slash + 1));
}

std::string agentName(const Lane& lane) {
    switch (lane.kind) {
    case LaneKind::Main:
        return "main";
    case LaneKind::SubAgent:
        return lane.agentType.empty() ? "sub-agent" : lane.agentType;
    case LaneKind::InlineSidechain:
        return lane.agentType.empty() ? "sidechain" : lane.agentType;
    case LaneKind::Compaction:
        return "compaction";
    case LaneKind::PromptSuggestion:
        return "prompt suggestion";
    }
    return {};
}

void widen(SessionNode& node, TimeMs first, TimeMs last) {
    if (isKnown(first) && (!isKnown(node.firstTime) || first < node.firstTime)) {
        node.firstTime = first;
    }
    if (isKnown(last) && (!isKnown(node.lastTime) || last > node.lastTime)) {
        node.lastTime = last;
    }
}

bool loses(const SessionFile& file) {
    return std::ranges::any_of(file.diagnostics, [](const Diagnostic& d) { return leavesOut(d.kind); });
}

/// Adds calls to nodes, each call once per node of a level.
class Builder {
public:
    Builder(std::shared_ptr<const Corpus> corpus, const Scope& scope, TurnMethod method) : corpus_(*corpus) {
        tree_.corpus = std::move(corpus);
        Scope listed = scope;
        listed.sessions.clear();
        listed_ = select(corpus_, listed, method);
        // Whether a call of a listed session counts must not depend on whether its home is listed too.
        Scope counted;
        counted.models = listed.models;
        counted.agents = listed.agents;
        counted.from = listed.from;
        counted.to = listed.to;
        counted.turnInput = listed.turnInput;
        counted.turnOutput = listed.turnOutput;
        counted_ = select(corpus_, counted, method);
        const std::size_t calls = corpus_.calls.size();
        ofProject_.assign(calls, none);
        ofSession_.assign(calls, none);
        callsOfModel_.assign(corpus_.models.size(), 0);
    }

    SessionTree build() {
        addProjects();
        tree_.projects = static_cast<std::uint32_t>(tree_.nodes.size());
        for (std::uint32_t project = 0; project < tree_.projects; ++project) {
            addSessions(project);
        }
        const auto end = static_cast<std::uint32_t>(tree_.nodes.size());
        for (std::uint32_t node = tree_.projects; node < end; ++node) {
            addAgents(node);
        }
        for (std::uint32_t project = 0; project < tree_.projects; ++project) {
            sumUpProject(project);
        }
        tree_.sessions = end - tree_.projects;
        sumUpList();
        return std::move(tree_);
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    void addProjects() {
        std::map<std::string, std::vector<SessionIndex>> byPath;
        for (SessionIndex i = 0; i < corpus_.sessions.size(); ++i) {
            if (listed_.sessionIn[i]) {
                byPath[corpus_.sessions[i].project].push_back(i);
            }
        }
        std::map<std::string, int> named;
        for (auto& [path, sessions] : byPath) {
            SessionNode node;
            node.key = path;
            node.name = path.empty() ? "no project" : lastComponent(path);
            ++named[node.name];
            tree_.nodes.push_back(std::move(node));
            sessionsOf_.push_back(std::move(sessions));
        }
        for (SessionNode& node : tree_.nodes) {
            if (named[node.name] > 1 && node.key.size() > node.name.size()) {
                node.note = node.key.substr(0, node.key.rfind(node.name));
            }
        }
    }

    void addSessions(std::uint32_t project) {
        tree_.nodes[project].firstChild = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes[project].children = static_cast<std::uint32_t>(sessionsOf_[project].size());
        for (const SessionIndex index : sessionsOf_[project]) {
            const Session& session = corpus_.sessions[index];
            SessionNode node;
            node.kind = SessionNodeKind::Session;
            node.parent = project;
            node.session = index;
            node.file = session.files.empty() ? 0 : session.files.front();
            node.key = session.key;
            const std::string shortId = session.sessionId.substr(0, titleIdLength);
            node.name = session.title.empty() ? shortId : session.title;
            node.note = session.title.empty() ? std::string() : shortId;
            node.firstTime = session.firstTime;
            node.lastTime = session.lastTime;
            node.turns = session.promptTurns;
            node.inheritedCalls = session.inheritedCalls;
            node.diagnostics = session.diagnostics;
            node.losesData = std::ranges::any_of(
                session.files, [&](FileIndex file) { return loses(*corpus_.files[file].file); });
            tree_.nodes.push_back(std::move(node));
        }
    }

    void count(SessionNode& node, CallIndex call) {
        const CorpusCall& c = corpus_.calls[call];
        node.totals.add(c.usage, c.quality, c.contentCharacters / 4, c.cost);
    }

    /// The agents of one session and, in the same pass over its calls, the session's own figures.
    void addAgents(std::uint32_t sessionNode) {
        const Session& session = corpus_.sessions[tree_.nodes[sessionNode].session];
        std::vector<SessionNode> agents;
        std::vector<CallIndex> calls;
        for (const FileIndex fileIndex : session.files) {
            const FileInCorpus& in = corpus_.files[fileIndex];
            const std::size_t firstAgent = agents.size();
            for (std::size_t lane = 0; lane < in.file->lanes.size(); ++lane) {
                agents.push_back(agentOf(session, fileIndex, static_cast<LaneIndex>(lane)));
            }
            for (std::size_t i = 0; i < in.calls.size(); ++i) {
                const CallIndex call = in.calls[i];
                if (!counted_.callHit[call]) {
                    continue;
                }
                const ApiCall& own = in.file->calls[i];
                SessionNode& agent = agents[firstAgent + own.lane];
                if (in.inherited[i] != 0) {
                    ++agent.inheritedCalls;
                    continue;
                }
                count(agent, call);
                widen(agent, isKnown(own.requestTime) ? own.requestTime : own.firstTime, own.lastTime);
                agentModels_.emplace_back(firstAgent + own.lane, corpus_.calls[call].model);
                if (std::exchange(ofSession_[call], sessionNode) != sessionNode) {
                    calls.push_back(call);
                }
            }
        }
        for (const CallIndex call : calls) {
            count(tree_.nodes[sessionNode], call);
            const std::uint32_t project = tree_.nodes[sessionNode].parent;
            if (std::exchange(ofProject_[call], project) != project) {
                count(tree_.nodes[project], call);
            }
        }
        tree_.nodes[sessionNode].models = modelsOf(calls);
        appendAgents(sessionNode, std::move(agents));
    }

    SessionNode agentOf(const Session& session, FileIndex fileIndex, LaneIndex laneIndex) const {
        const SessionFile& file = *corpus_.files[fileIndex].file;
        const Lane& lane = file.lanes[laneIndex];
        SessionNode node;
        node.kind = SessionNodeKind::Agent;
        node.file = fileIndex;
        node.lane = laneIndex;
        node.name = agentName(lane);
        node.note = lane.agentId.substr(0, titleIdLength);
        node.key = session.key + '\n' + file.path + '\n' + std::to_string(laneIndex);
        node.turns = lane.kind == LaneKind::Main ? file.promptTurns.size() : 0;
        node.diagnostics = laneIndex == 0 ? file.diagnostics.size() : 0;
        node.losesData = laneIndex == 0 && loses(file);
        return node;
    }

    /// Models by descending number of calls, equal ones in the corpus' order.
    std::vector<ModelIndex> modelsOf(const std::vector<CallIndex>& calls) {
        std::vector<ModelIndex> models;
        for (const CallIndex call : calls) {
            if (callsOfModel_[corpus_.calls[call].model]++ == 0) {
                models.push_back(corpus_.calls[call].model);
            }
        }
        return ranked(std::move(models));
    }

    std::vector<ModelIndex> ranked(std::vector<ModelIndex> models) {
        std::ranges::sort(models, [&](ModelIndex a, ModelIndex b) {
            return callsOfModel_[a] != callsOfModel_[b] ? callsOfModel_[a] > callsOfModel_[b] : a < b;
        });
        for (const ModelIndex model : models) {
            callsOfModel_[model] = 0;
        }
        return models;
    }

    /// A session of one agent is that agent: it gets no rows below it.
    void appendAgents(std::uint32_t sessionNode, std::vector<SessionNode> agents) {
        std::ranges::stable_sort(agentModels_, {}, [](const auto& entry) { return entry.first; });
        auto entry = agentModels_.begin();
        for (std::size_t i = 0; i < agents.size(); ++i) {
            std::vector<ModelIndex> models;
            for (; entry != agentModels_.end() && entry->first == i; ++entry) {
                if (callsOfModel_[entry->second]++ == 0) {
                    models.push_back(entry->second);
                }
            }
            agents[i].models = ranked(std::move(models));
        }
        agentModels_.clear();
        std::erase_if(agents, [](const SessionNode& agent) { return agent.totals.calls == 0; });
        if (agents.size() < 2) {
            return;
        }
        tree_.nodes[sessionNode].firstChild = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes[sessionNode].children = static_cast<std::uint32_t>(agents.size());
        for (SessionNode& agent : agents) {
            agent.parent = sessionNode;
            agent.session = tree_.nodes[sessionNode].session;
            tree_.nodes.push_back(std::move(agent));
        }
    }

    void sumUpList() {
        for (std::size_t i = 0; i < corpus_.calls.size(); ++i) {
            if (listed_.callHit[i] != 0) {
                const CorpusCall& call = corpus_.calls[i];
                tree_.totals.add(call.usage, call.quality, call.contentCharacters / 4, call.cost);
            }
        }
    }

    void sumUpProject(std::uint32_t project) {
        SessionNode& node = tree_.nodes[project];
        std::map<ModelIndex, std::uint64_t> sessionsWith;
        for (std::uint32_t i = node.firstChild; i < node.firstChild + node.children; ++i) {
            const SessionNode& session = tree_.nodes[i];
            widen(node, session.firstTime, session.lastTime);
            node.turns += session.turns;
            node.diagnostics += session.diagnostics;
            node.losesData = node.losesData || session.losesData;
            for (const ModelIndex model : session.models) {
                ++sessionsWith[model];
            }
        }
        for (const auto& [model, sessions] : sessionsWith) {
            node.models.push_back(model);
        }
        std::ranges::stable_sort(
            node.models, [&](ModelIndex a, ModelIndex b) { return sessionsWith[a] > sessionsWith[b]; });
    }

    const Corpus& corpus_;
    SessionTree tree_;
    Selection listed_, counted_;
    std::vector<std::vector<SessionIndex>> sessionsOf_;
    std::vector<std::uint32_t> ofProject_, ofSession_; // by call: the last node that counted it
    std::vector<std::uint64_t> callsOfModel_;          // all 0 between uses
    std::vector<std::pair<std::size_t, ModelIndex>> agentModels_;
};

} // namespace

SessionTree sessionTreeOf(std::shared_ptr<const Corpus> corpus, const Scope& scope, TurnMethod method) {
    return Builder(std::move(corpus), scope, method).build();
}

} // namespace loadline
