// Made-up session records as text.
#pragma once

#include <string>

namespace loadline {

/// One record: R"({'type':'user'})" with single quotes for double ones.
inline std::string record(std::string text) {
    for (char& c : text) {
        c = c == '\'' ? '"' : c;
    }
    return text + "\n";
}

struct CallLine {
    std::string id = "m1", request = "r1", uuid = "a1",
                extra = {}; // NOLINT(readability-redundant-member-init): see -Wextra
    int output = 1;
    std::string stop = "null", content = "[]", model = "claude-x", time = "2026-01-01T00:00:10Z";
};

inline std::string callLine(const CallLine& c) {
    return record("{'type':'assistant','uuid':'" + c.uuid + "','requestId':'" + c.request +
                  "','version':'2.1.0','timestamp':'" + c.time + "'" + c.extra + ",'message':{'id':'" + c.id +
                  "','model':'" + c.model + "','stop_reason':" + c.stop + ",'content':" + c.content +
                  ",'usage':{'input_tokens':3,'cache_creation_input_tokens':10,'cache_read_input_tokens':20,'"
                  "output_tokens':" +
                  std::to_string(c.output) +
                  ",'cache_creation':{'ephemeral_5m_input_tokens':4,'ephemeral_1h_input_tokens':6}}}}");
}

inline std::string userLine(const std::string& uuid, const std::string& content,
                            const std::string& extra = {}, const std::string& time = "2026-01-01T00:00:00Z") {
    return record("{'type':'user','uuid':'" + uuid + "','timestamp':'" + time + "'" + extra +
                  ",'message':{'content':" + content + "}}");
}

inline std::string toolResult(const std::string& uuid, const std::string& id, const std::string& time,
                              const std::string& extra = {}) {
    return userLine(uuid, "[{'type':'tool_result','tool_use_id':'" + id + "','content':'done'" + extra + "}]",
                    "", time);
}

} // namespace loadline
