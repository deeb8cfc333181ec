// Session files made by hand for tests: a few calls in one line each.
#pragma once

#include "core/session/corpus/corpus.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline::test {

/// Builds one SessionFile; times are seconds after 2026-01-01T00:00:00Z.
class SessionBuilder {
public:
    explicit SessionBuilder(std::string path, std::string sessionId) {
        file_.agent = "claude";
        file_.path = std::move(path);
        file_.sessionId = std::move(sessionId);
    }

    static TimeMs at(std::int64_t seconds) { return {1'767'225'600'000 + seconds * 1000}; }

    /// A call by message id ("m1", or "m1/r2" with a request id).
    SessionBuilder& call(std::string_view id, std::int64_t seconds, Usage usage,
                         std::string_view model = "opus", OutputQuality quality = OutputQuality::Final) {
        const std::size_t slash = id.find('/');
        const std::string_view message = id.substr(0, slash);
        const std::string_view request = slash == std::string_view::npos ? "" : id.substr(slash + 1);
        file_.calls.push_back(makeCall(message, request, seconds, usage, model, quality));
        file_.calls.back().promptTurn = static_cast<std::int32_t>(file_.promptTurns.size()) - 1;
        return seen(seconds);
    }

    SessionBuilder& progressCall(std::string_view message, std::int64_t seconds, Usage usage) {
        file_.progressCalls.push_back(
            makeCall(message, "", seconds, usage, "opus", OutputQuality::StartOnly));
        return seen(seconds);
    }

    SessionBuilder& user(UserKind kind, std::int64_t seconds, std::int64_t characters = 0,
                         std::int64_t outputPerLine = 0) {
        const bool begins =
            kind == UserKind::Human || kind == UserKind::SlashCommand || kind == UserKind::BashInput;
        if (begins) {
            file_.promptTurns.push_back(
                {.userRecord = static_cast<std::uint32_t>(file_.userRecords.size()), .preview = "prompt"});
        }
        file_.userRecords.push_back({.time = at(seconds),
                                     .place = nextPlace(),
                                     .inputCharacters = characters,
                                     .outputPerLine = outputPerLine,
                                     .lane = 0,
                                     .kind = kind});
        ++file_.userKinds[static_cast<std::size_t>(kind)];
        return seen(seconds);
    }

    SessionBuilder& prompt(std::int64_t seconds) { return user(UserKind::Human, seconds, 40); }

    SessionBuilder& subAgent(std::string agentId) {
        file_.role = FileRole::SubAgent;
        file_.lanes[0] = {LaneKind::SubAgent, agentId, "Explore"};
        file_.agentId = std::move(agentId);
        return *this;
    }

    SessionBuilder& project(std::string slug, std::string cwd) {
        file_.projectSlug = std::move(slug);
        file_.cwd = std::move(cwd);
        return *this;
    }

    SessionBuilder& title(std::string title) {
        file_.title = std::move(title);
        return *this;
    }

    /// Marks the last call as a sidechain call.
    SessionBuilder& sidechain() {
        file_.calls.back().sidechain = true;
        return *this;
    }

    SessionFile& file() { return file_; }

    [[nodiscard]] std::shared_ptr<const SessionFile> done() const {
        return std::make_shared<const SessionFile>(file_);
    }

private:
    ApiCall makeCall(std::string_view message, std::string_view request, std::int64_t seconds, Usage usage,
                     std::string_view model, OutputQuality quality) {
        ApiCall call;
        call.key = hashOf(message, request);
        call.messageId = hashOf(message).low;
        call.usage = usage;
        call.requestTime = call.firstTime = call.lastTime = at(seconds);
        call.place = nextPlace();
        call.lines = 1;
        call.contentCharacters = 4 * static_cast<std::uint32_t>(usage.output);
        call.model = nameOf(model);
        call.quality = quality;
        return call;
    }

    NameIndex nameOf(std::string_view name) {
        const auto found = std::ranges::find(file_.names, name);
        const auto index = static_cast<NameIndex>(found - file_.names.begin());
        if (found == file_.names.end()) {
            file_.names.emplace_back(name);
        }
        return index;
    }

    RecordPlace nextPlace() {
        ++lines_;
        return {.offset = 100 * (lines_ - 1), .length = 99, .line = static_cast<std::uint32_t>(lines_)};
    }

    SessionBuilder& seen(std::int64_t seconds) {
        file_.firstTime = isKnown(file_.firstTime) ? std::min(file_.firstTime, at(seconds)) : at(seconds);
        file_.lastTime = std::max(file_.lastTime, at(seconds));
        return *this;
    }

    SessionFile file_;
    std::uint64_t lines_ = 0;
};

inline Corpus corpusOf(std::initializer_list<SessionBuilder> builders) {
    SessionFiles files;
    for (const SessionBuilder& builder : builders) {
        files.files.push_back(builder.done());
    }
    return buildCorpus(std::move(files));
}

/// input, cacheWrite, cacheRead, output.
inline Usage used(Tokens input, Tokens write, Tokens read, Tokens output) {
    return {.input = input,
            .cacheWrite = write,
            .cacheWrite5m = write,
            .cacheWrite1h = 0,
            .cacheRead = read,
            .output = output};
}

} // namespace loadline::test
