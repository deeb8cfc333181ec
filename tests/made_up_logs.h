// Beginnings of the logs of other agents, and of other files, made up in the shape that they have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace made_up {

struct Log {
    std::string_view key;  ///< of its kind
    std::string_view name; ///< of its file
    std::string text;
};

inline std::string codexLog() {
    return R"({"timestamp":"2026-06-18T00:57:05.559Z","type":"session_meta","payload":{"id":"019e","cwd":"/w","cli_version":"0.140.0","source":"cli"}})"
           "\n"
           R"({"timestamp":"2026-06-18T00:57:06.000Z","type":"event_msg","payload":{"type":"token_count","info":null}})"
           "\n";
}

/// The first page of an SQLite file: its magic bytes, and somewhere behind them the definitions of tables.
inline std::string database(const std::string& definitions) {
    std::string page("SQLite format 3\0\x10\0\x01\x01", 20);
    page.resize(1000, '\0');
    page += definitions;
    page.resize(4096, '\0');
    return page;
}

inline std::vector<Log> otherAgentsLogs() {
    return {
        {"codex", "rollout-1.jsonl", codexLog()},
        {"codex", "resumed.jsonl",
         R"({"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user"}})"},
        {"codex", "old.jsonl", R"({"id":"a","timestamp":"t","instructions":null,"git":{}})"},
        {"gemini", "session-1.json",
         "{\n  \"sessionId\": \"5ac8\",\n  \"projectHash\": \"8b4f\",\n  \"startTime\": \"t\",\n"
         "  \"messages\": [\n    {\"id\": \"1\", \"type\": \"user\", \"content\": \"hi\"}\n  ]\n}\n"},
        {"gemini", "session-1.jsonl",
         R"({"sessionId":"5ac8","projectHash":"8b4f","startTime":"t","kind":"main"})"
         "\n"
         R"({"id":"1","timestamp":"t","type":"user","content":"hi"})"},
        {"gemini", "logs.json",
         R"([{"sessionId":"s","messageId":0,"type":"user","message":"hi","timestamp":"t"}])"},
        {"opencode", "ses_1.json",
         "{\n  \"info\": {\n    \"id\": \"ses_1\",\n    \"version\": \"1.2.26\"\n  },\n  \"messages\": "
         "[]\n}\n"},
        {"opencode", "msg_1.json", R"({"id":"msg_1","sessionID":"ses_1","role":"assistant","cost":0})"},
        {"opencode", "prt_1.json", R"({"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text"})"},
        {"opencode", "ses_2.json", R"({"id":"ses_2","projectID":"p","title":"x","time":{"created":1}})"},
        {"opencode", "any.db",
         database("CREATE TABLE `project` (`id` text);CREATE TABLE `session` (`id` text);"
                  "CREATE TABLE `message` (`id` text);CREATE TABLE `part` (`id` text)")},
        {"opencode", "opencode.db", database("")},
        {"kilo", "kilo.db",
         database("CREATE TABLE `session` (`id`);CREATE TABLE `message` (`id`);CREATE TABLE `part` (`id`)")},
        {"cursor", "state.vscdb",
         database("CREATE TABLE ItemTable (key TEXT, value BLOB)"
                  "CREATE TABLE cursorDiskKV (key TEXT, value BLOB)")},
        {"cursor", "transcript.jsonl",
         R"({"role":"user","message":{"content":[{"type":"text","text":"hi"}]}})"},
        {"copilot", "events.jsonl",
         R"({"type":"session.start","data":{"sessionId":"1afc","copilotVersion":"1.0.64"},"id":"8","timestamp":"t","parentId":null})"},
        {"copilot", "rest.jsonl",
         R"({"type":"assistant.message","data":{"model":"gpt-5"},"id":"9","timestamp":"t","parentId":"8"})"},
        {"copilot-chat", "chat.json",
         R"({"version":3,"requesterUsername":"me","responderUsername":"GitHub Copilot","requests":[]})"},
        {"pi", "pi.jsonl",
         R"({"type":"session","id":"ffae","timestamp":"t","cwd":"/w","provider":"anthropic"})"},
        {"droid", "droid.jsonl", R"({"type":"session_start","id":"d","title":"x"})"},
        {"qwen", "qwen.jsonl",
         R"({"uuid":"u","parentUuid":null,"sessionId":"s","timestamp":"t","type":"user","message":{"role":"user","parts":[{"text":"hi"}]}})"},
        {"kimi", "wire.jsonl", R"({"type":"metadata","protocol_version":"1.1"})"},
        {"kimi", "wire-old.jsonl",
         R"({"timestamp":1.5,"message":{"type":"TurnBegin","payload":{"user_input":"hi"}}})"},
        {"kimi", "context.jsonl",
         "{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"_checkpoint\",\"id\":0}\n"},
        {"amp", "T-1.json", R"({"v":1,"id":"T-1","created":1,"messages":[]})"},
        {"codebuff", "chat-messages.json",
         R"([{"id":"1","variant":"user","content":"hi","timestamp":"10:00"}])"},
        {"cline", "ui_messages.json", R"([{"ts":1,"type":"say","say":"text","text":"hi"}])"},
        {"goose", "goose.jsonl", R"({"working_dir":"/w","description":"x","message_count":2})"},
        {"goose", "sessions.db",
         database(
             "CREATE TABLE schema_version (version)CREATE TABLE sessions (id)CREATE TABLE messages (id)")},
        {"hermes", "hermes.db",
         database("CREATE TABLE sessions (id)CREATE TABLE messages (id)"
                  "CREATE VIRTUAL TABLE messages_fts USING fts5(content)")},
        {"crush", "crush.db",
         database("CREATE TABLE sessions (id)CREATE TABLE files (id)CREATE TABLE messages (id)")},
        {"aider", ".aider.chat.history.md", "\n# aider chat started at 2026-01-02 03:04:05\n\n> hi\n"},
    };
}

/// Known, and no logs of an agent.
inline std::vector<Log> otherKnownFiles() {
    return {
        {"trace", "mooncake.jsonl", R"({"timestamp":0,"input_length":10,"output_length":5,"hash_ids":[1]})"},
        {"trace", "requests.jsonl", R"({"request_id":1,"arrival_time":0.5,"input_toks":10,"output_toks":5})"},
        {"trace", "weka.json", "{\n \"id\": \"a\",\n \"block_size\": 64,\n \"requests\": []\n}\n"},
        {"trace", "azure.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,10,5\n"},
        {"distribution", "turns.json", "{\n  \"sessions\": 2,\n  \"input_tokens_per_turn\": {}\n}\n"},
        {"profile", "gpu.json", R"({"schema":"loadline.profile/1","device":{},"points":[]})"},
        {"kernel-table", "kernels.csv", "Kernel,Shape,M,k_bits,time_us\nscalar,4096x4096,1,4,12.5\n"},
        {"nvbench", "nv.json",
         "{\"meta\": {}, \"devices\": [{\"id\": 0}], \"benchmarks\": [{\"name\": \"mine\", \"states\": "
         "[]}]}"},
        {"document", "sweep.json", R"({"schema": "loadline.sweep/1", "points": []})"},
        {"schedule", "schedule.json", R"({"schema": "batching-oracle/1", "steps": []})"},
        {"server-log", "server.log",
         "0.01.000.000 I slot print_timing: id  0 | task 1 | n_decoded =  9, tg =  3.0 t/s\n"},
    };
}

} // namespace made_up
