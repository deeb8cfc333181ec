// System, progress, queue and title records.
#include "core/session/claude/extractors.h"
#include "core/session/facts/preview.h"

namespace loadline::claude {
namespace {

/// The shortest name the log has for a failed attempt: "overloaded_error", "529", "ECONNRESET".
std::uint32_t nameOfError(Extraction& x, JsonValue error) {
    const JsonValue inner = error["error"]["error"]["type"];
    for (const JsonValue value : {inner, error["error"]["type"], error["status"], error["cause"]["code"],
                                  error["code"], error["type"], error}) {
        if (value.isString() && !value.escaped().empty()) {
            return x.facts.names.numberOf(value.text(x.space).substr(0, 60));
        }
        if (value.present() && !value.word().empty() && !value.isNull()) {
            return x.facts.names.numberOf(value.word().substr(0, 60));
        }
    }
    return 0;
}

void extractSystem(Extraction& x, const RecordMembers& members, Row record) {
    const std::string_view subtype = members.subtype.escaped();
    EventFacts event{.record = record};
    if (is(subtype, "compact_boundary")) {
        event.kind = EventKind::Compaction;
        event.tokens = tokensOf(x, members.compactMetadata["preTokens"], "preTokens");
        event.detail = x.facts.names.numberOf(members.compactMetadata["trigger"].text(x.space));
    } else if (is(subtype, "microcompact_boundary")) {
        event.kind = EventKind::MicroCompaction;
        event.tokens = tokensOf(x, members.microcompactMetadata["tokensSaved"], "tokensSaved");
        event.detail = x.facts.names.numberOf(members.microcompactMetadata["trigger"].text(x.space));
    } else if (is(subtype, "api_error")) {
        event.kind = EventKind::ApiError;
        event.detail = nameOfError(x, members.error);
    } else if (is(subtype, "model_refusal_fallback")) {
        event.kind = EventKind::ModelFallback;
        event.detail = x.facts.names.numberOf(members.fallbackModel.text(x.space));
    } else {
        return;
    }
    x.facts.events.push_back(event);
}

/// agent_progress holds a whole record of a sub-agent; its calls are kept apart.
void extractProgress(Extraction& x, JsonValue data, Row record) {
    if (data["type"].escaped() != "agent_progress") {
        return;
    }
    const RecordMembers inner = membersOf(data["message"]);
    if (inner.type.escaped() != "assistant") {
        return;
    }
    const auto tools = x.facts.tools.size();
    const auto events = x.facts.events.size();
    CallFacts call = extractCall(x, inner.message, inner.requestId, hashOf(inner.uuid.text(x.space)));
    x.facts.tools.resize(tools); // its tools are those of the sub-agent's own file
    x.facts.events.resize(events);
    call.toolCount = 0;
    call.time = timeOf(x, inner.timestamp);
    if (call.counts) {
        x.facts.progress.push_back({.record = record, .call = static_cast<Row>(x.facts.calls.size())});
        x.facts.calls.push_back(call);
    }
}

void extractTitle(Extraction& x, JsonValue text, TitleSource source, JsonValue leaf) {
    if (text.escaped().empty()) {
        return;
    }
    x.facts.titles.push_back({.source = source,
                              .leaf = hashOf(leaf.text(x.space)),
                              .text = static_cast<Row>(x.facts.texts.size())});
    x.facts.texts.push_back(previewOf(beginningOf(text)));
}

} // namespace

void extractOther(Extraction& x, const RecordMembers& members, std::string_view type, Row record) {
    if (is(type, "progress")) {
        extractProgress(x, members.data, record);
    } else if (is(type, "system")) {
        extractSystem(x, members, record);
    } else if (type == "queue-operation") {
        if (members.operation.escaped() == "enqueue") {
            x.facts.events.push_back({.record = record, .kind = EventKind::PromptQueued});
        }
    } else if (is(type, "summary")) {
        extractTitle(x, members.summary, TitleSource::Summary, members.leafUuid);
    } else if (type == "ai-title") {
        extractTitle(x, members.aiTitle, TitleSource::Ai, {});
    } else if (type == "custom-title") {
        extractTitle(x, members.customTitle, TitleSource::Custom, {});
    }
}

} // namespace loadline::claude
