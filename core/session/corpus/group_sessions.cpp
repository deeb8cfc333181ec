// Which files make one session.
#include "core/session/corpus/group_sessions.h"

#include "core/session/files/session_formats.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace loadline {
namespace {

/// Agent program, root folder, session id, and the path for files that stand alone.
using SessionIdentity = std::tuple<std::string, std::string, std::string, std::string>;

SessionIdentity identityOf(const SessionFile& file) {
    const SessionFormat* format = formatOfAgent(file.agent);
    const SessionBond bond = (format != nullptr ? *format : SessionFormat{}).bondOf(file);
    return {file.agent, bond.root, file.sessionId, bond.alone ? file.path : ""};
}

/// unknownTime last.
bool startsBefore(TimeMs a, TimeMs b) {
    return isKnown(a) && (!isKnown(b) || a < b);
}

std::string folderOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return "";
    }
    const std::string_view folder = path.substr(0, slash);
    return std::string(folder.substr(folder.rfind('/') + 1));
}

/// The first that is not empty, main files first as the session orders them.
std::string firstNamed(const Session& session, std::span<const FileInCorpus> files,
                       std::string SessionFile::*field) {
    for (const FileIndex index : session.files) {
        if (const std::string& text = (*files[index].file).*field; !text.empty()) {
            return text;
        }
    }
    return "";
}

void describe(Session& session, std::span<const FileInCorpus> files) {
    std::ranges::stable_sort(session.files, [&](FileIndex a, FileIndex b) {
        const SessionFile& first = *files[a].file;
        const SessionFile& second = *files[b].file;
        return first.role != second.role ? first.role == FileRole::Main
                                         : startsBefore(first.firstTime, second.firstTime);
    });
    const SessionFile& head = *files[session.files.front()].file;
    session.sessionId = head.sessionId;
    session.agent = head.agent;
    session.title = firstNamed(session, files, &SessionFile::title);
    session.project = firstNamed(session, files, &SessionFile::cwd);
    if (session.project.empty()) {
        session.project = head.projectSlug.empty() ? folderOf(head.path) : head.projectSlug;
    }
    for (const FileIndex index : session.files) {
        const SessionFile& file = *files[index].file;
        if (startsBefore(file.firstTime, session.firstTime)) {
            session.firstTime = file.firstTime;
        }
        session.lastTime = std::max(session.lastTime, file.lastTime);
        if (file.role == FileRole::Main) {
            session.prompts += humanPrompts(file);
            session.promptTurns += file.promptTurns.size();
        }
        for (const Diagnostic& diagnostic : file.diagnostics) {
            session.diagnostics += diagnostic.count;
        }
    }
}

} // namespace

std::vector<Session> groupSessions(std::span<const FileInCorpus> files) {
    std::map<SessionIdentity, std::size_t> byIdentity;
    std::vector<Session> sessions;
    std::vector<bool> alone;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const SessionIdentity identity = identityOf(*files[f].file);
        const auto [entry, isNew] = byIdentity.try_emplace(identity, sessions.size());
        if (isNew) {
            sessions.emplace_back();
            alone.push_back(!std::get<3>(identity).empty());
        }
        sessions[entry->second].files.push_back(static_cast<FileIndex>(f));
    }
    std::set<std::string> keys;
    for (const bool round : {false, true}) { // files that stand alone leave the plain key to the others
        for (std::size_t s = 0; s < sessions.size(); ++s) {
            if (alone[s] != round) {
                continue;
            }
            const SessionFile& first = *files[sessions[s].files.front()].file;
            std::string key = first.agent + ":" + first.sessionId;
            if (first.sessionId.empty() || !keys.insert(key).second) {
                key += "@" + first.path;
                keys.insert(key);
            }
            sessions[s].key = std::move(key);
        }
    }
    for (Session& session : sessions) {
        describe(session, files);
    }
    std::ranges::sort(sessions, [](const Session& a, const Session& b) {
        if (a.project != b.project) {
            return a.project < b.project;
        }
        return a.firstTime != b.firstTime ? startsBefore(a.firstTime, b.firstTime) : a.key < b.key;
    });
    return sessions;
}

} // namespace loadline
