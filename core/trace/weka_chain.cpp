// Requests of a chain as turns: what is new, and the gap before it.
#include "core/trace/weka_chain.h"

#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadline {

void WekaChains::add(std::string_view session, std::string_view chain, const WekaRequest& request) {
    if (chains_.empty() || session != latestSession_ || chain != latestChain_) {
        latestSession_ = session;
        latestChain_ = chain;
        const auto [entry, isNew] = known_.try_emplace({latestSession_, latestChain_}, chains_.size());
        latest_ = entry->second;
        if (isNew) {
            WorkloadSession& made = chains_.emplace_back().session;
            made.conversation = latestSession_;
            made.id = chain == "main" ? latestSession_ : latestSession_ + " " + latestChain_;
        }
    }
    Chain& at = chains_[latest_];
    std::vector<WorkloadTurn>& turns = at.session.turns;
    WorkloadTurn turn;
    turn.context = turns.empty() ? 0 : std::min(request.sharedTokens, request.input);
    turn.input = request.input - turn.context;
    turn.output = request.output;
    if (!turns.empty() && at.lastEndS) {
        const double gapS = request.startS - *at.lastEndS;
        overlaps_ += gapS < 0 ? 1 : 0;
        turn.gapS = std::max(gapS, 0.0);
    } else if (!turns.empty()) {
        ++unknownGaps_;
    }
    turns.push_back(turn);
    at.lastEndS =
        request.apiS && *request.apiS >= 0 ? std::optional(request.startS + *request.apiS) : std::nullopt;
}

std::vector<WorkloadSession> WekaChains::finish(std::vector<std::string>& notes) {
    std::vector<WorkloadSession> sessions;
    sessions.reserve(chains_.size());
    std::uint64_t agents = 0;
    for (Chain& chain : chains_) {
        agents += chain.session.id != chain.session.conversation ? 1 : 0;
        sessions.push_back(std::move(chain.session));
    }
    if (agents > 0) {
        notes.push_back(counted(agents, "chain") + " of sub-agents: each a session beside its main agent");
    }
    if (overlaps_ > 0) {
        notes.push_back(counted(overlaps_, "request") + " sent before the one before was answered: gap 0");
    }
    if (unknownGaps_ > 0) {
        notes.push_back(counted(unknownGaps_, "gap") +
                        " not known: the end of the answer before was not recorded");
    }
    return sessions;
}

std::vector<WorkloadSession> sessionsOf(const BlockTrace& trace, std::vector<std::string>& notes) {
    WekaChains chains;
    std::set<std::string> names;
    std::string conversation;
    for (std::size_t i = 0; i < trace.chains.size(); ++i) {
        const BlockChain& chain = trace.chains[i];
        if (i == 0 || chain.scope != trace.chains[i - 1].scope) {
            conversation = chain.id;
            if (!names.insert(conversation).second) { // files may call their sessions alike
                conversation = fmt::format("{} ({})", chain.id, chain.scope + 1);
                names.insert(conversation);
            }
        }
        for (const BlockRequest& request : trace.requestsOf(chain)) {
            chains.add(conversation, chain.subAgent ? chain.id : "main",
                       {.startS = request.startS,
                        .apiS = request.answerS < 0 ? std::nullopt : std::optional(request.answerS),
                        .input = request.input,
                        .output = request.output,
                        .sharedTokens = request.shared * trace.blockTokens});
        }
    }
    return chains.finish(notes);
}

} // namespace loadline
