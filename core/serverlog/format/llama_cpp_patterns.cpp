// llama.cpp's server: what its lines say, slot by slot. Requests are made of them in llama_cpp_requests.cpp.
//
// Read against excerpts of ggml-org/llama.cpp 9013 ("runs", a block without prefixes), 9390, 23269 (a
// router's child), 23832, 25121, 25320 (speed while it runs), lemonade-sdk/lemonade 346 (context shift),
// farion1231/cc-switch 6032 (2026), 8359 and ikawrakow/ik_llama.cpp (2024 and its fork: lines that end with
// fields), and logs of 2026 with speculative decoding.
#include "core/serverlog/format/failures.h"
#include "core/serverlog/format/llama_cpp_requests.h"
#include "core/serverlog/format/llama_swap.h"
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

namespace loadline {
namespace {

/// Sets the match's place from an anchor to the cursor.
bool closed(LogMatch& m, std::size_t begin, const TextCursor& c, bool there) {
    m.begin = begin;
    m.end = c.at();
    return there;
}

bool matchPerToken(TextCursor& c, LogMatch& m) {
    auto& g = m.groups;
    return c.skipBlanks() && c.number(g[2]) && c.skip(" ms per token,") && c.skipBlanks() &&
           (c.number(g[3]) || c.skip("inf")) && c.skip(" tokens per second)");
}

bool matchPromptEval(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = c.skip("prompt eval time =") && c.skipBlanks() && c.number(g[0]) && c.skip(" ms /") &&
                       c.skipBlanks() && c.digits(g[1]) && c.skip(" tokens");
    c.maybe([&] {
        LogMatch rates = m;
        const bool isFound = there && c.skip(" (") && matchPerToken(c, rates);
        m = isFound ? rates : m;
        return isFound;
    });
    return closed(m, at, c, there);
}

/// Matches the line as versions of 2024 align it: "prompt eval time     =".
bool matchAlignedPromptEval(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    auto& g = m.groups;
    const bool there = c.skip("prompt eval time  ") && c.skipBlanks() && c.skip("=") && c.skipBlanks() &&
                       c.number(g[0]) && c.skip(" ms /") && c.skipBlanks() && c.digits(g[1]) &&
                       c.skip(" tokens");
    return closed(m, at, c, there);
}

bool matchEval(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    std::size_t blanks = at;
    while (blanks > 0 && isBlank(line[blanks - 1])) {
        --blanks;
    }
    std::size_t begin = blanks; // of a line; else not behind "prompt"
    bool stands = blanks == 0;
    for (std::size_t i = blanks == 0 ? at : blanks - 1; !stands && i + 1 < at; ++i) {
        stands = line[i] != 't' && line[i + 1] == ' ';
        begin = i;
    }
    TextCursor c(line, at);
    const bool there = stands && c.skip("eval time =") && c.skipBlanks() && c.number(g[0]) &&
                       c.skip(" ms /") && c.skipBlanks() && c.digits(g[1]) &&
                       (c.skip(" tokens") || c.skip(" runs")) && c.skipBlanks() && c.skip("(") &&
                       matchPerToken(c, m);
    return closed(m, begin, c, there);
}

bool matchTotal(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("total time =") && c.skipBlanks() && c.number(m.groups[0]) && c.skip(" ms /") &&
                       c.skipBlanks() && c.digits(m.groups[1]) && c.skip(" tokens");
    return closed(m, at, c, there);
}

bool matchSlot(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    const auto blanksBefore = [&](std::size_t end) {
        while (end > 0 && isBlank(line[end - 1])) {
            --end;
        }
        return end;
    };
    const std::size_t slot = digitsBefore(line, at);
    const std::size_t word = blanksBefore(slot);
    if (slot == at || word == slot || !endsBefore(line, word, " id")) {
        return false;
    }
    const std::size_t functionEnd = word - 3;
    std::size_t function = functionEnd;
    while (function > 0 && !isBlank(line[function - 1])) {
        --function;
    }
    const std::size_t name = blanksBefore(function);
    if (function == functionEnd || name == function || !endsBefore(line, name, "slot")) {
        return false;
    }
    g[0] = line.substr(function, functionEnd - function);
    g[0].remove_suffix(g[0].size() > 1 && g[0].back() == ':' ? 1 : 0);
    g[1] = line.substr(slot, at - slot);
    TextCursor c(line, at);
    return closed(m, name - 4, c, c.skip(" | task ") && c.whole(g[2]) && c.skip(" |"));
}

/// "INFO [   print_timings] ... | tid="1" timestamp=1749938015 id_slot=0 id_task=0 ...": function, slot,
/// task, p0 and n_past. All of the line, so that it is taken before what else stands on it.
bool matchFields(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    const std::size_t close = line.find("] ");
    const std::size_t open = close == std::string_view::npos ? close : line.rfind('[', close);
    const std::size_t fields = line.find(" | tid=\"");
    if (open == std::string_view::npos || fields == std::string_view::npos || fields < close || fields > at) {
        return false;
    }
    TextCursor function(line.substr(0, close), open + 1);
    const auto field = [&](std::string_view key, std::string_view& number) {
        const std::size_t found = line.find(key, fields);
        return found != std::string_view::npos && TextCursor(line, found + key.size()).digits(number);
    };
    field(" p0=", g[3]);
    field(" n_past=", g[4]);
    m.begin = 0;
    m.end = line.size();
    return function.skipBlanks() && function.text(g[0]) && field("slot=", g[1]) && field("task=", g[2]);
}

bool matchLiveOutput(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = (c.skip("n_decoded =") || c.skip("n_gen =")) && c.skipBlanks() && c.digits(g[0]) &&
                       c.skip(", tg =") && c.skipBlanks() && c.number(g[1]) && c.skip(" t/s");
    c.maybe([&] {
        std::string_view recent;
        const bool isFound =
            there && c.skip(", tg_3s =") && c.skipBlanks() && c.number(recent) && c.skip(" t/s");
        g[2] = isFound ? recent : g[2];
        return isFound;
    });
    return closed(m, at, c, there);
}

bool matchLivePrompt(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = c.skip("prompt processing, n_tokens =") && c.skipBlanks() && c.digits(g[0]) &&
                       c.skip(", progress = ") && c.number(g[1]) && c.skip(", t =") && c.skipBlanks() &&
                       c.number(g[2]) && c.skip(" s / ") && c.number(g[3]) && c.skip(" tokens per second");
    return closed(m, at, c, there);
}

/// The last `key` from `at` on that a number follows.
bool lastNumber(std::string_view line, std::size_t at, std::string_view key, std::string_view& number,
                std::size_t& end) {
    constexpr int mostTries = 8;
    std::size_t found = line.rfind(key);
    for (int i = 0; i < mostTries && found != std::string_view::npos && found >= at; ++i) {
        TextCursor c(line, found + key.size());
        if (c.number(number)) {
            end = c.at();
            return true;
        }
        found = found == 0 ? std::string_view::npos : line.rfind(key, found - 1);
    }
    return false;
}

bool matchPromptProgress(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    m.begin = at;
    return c.skip("prompt processing progress, ") && (c.skip("n_past") || c.skip("n_tokens")) &&
           c.skip(" = ") && c.digits(m.groups[0]) && c.skip(",") &&
           lastNumber(line, c.at(), "progress = ", m.groups[1], m.end);
}

bool matchNewPrompt(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = c.skip("new prompt, n_ctx_slot = ") && c.digits(g[0]) && c.skip(", n_keep = ") &&
                       c.whole(g[1]) && c.skip(", ") &&
                       (c.skip("n_prompt_tokens") || c.skip("task.n_tokens")) && c.skip(" = ") &&
                       c.digits(g[2]);
    return closed(m, at, c, there);
}

bool matchCache(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    bool there = true;
    std::size_t begin = at;
    if (c.skip("cached n_tokens = ")) {
        there = c.digits(g[0]);
    } else if (c.skip("memory_seq_rm")) {
        const std::size_t figures = at < 2 ? 0 : digitsBefore(line, at - 2);
        constexpr std::string_view name = "n_tokens = ";
        there = endsBefore(line, at, ", ") && figures != at - 2 && endsBefore(line, figures, name);
        begin = there ? figures - name.size() : at;
        g[1] = there ? line.substr(figures, at - 2 - figures) : g[1];
    } else {
        there = c.skip("kv cache rm");
    }
    there = there && c.maybe([&] { return c.skip(" "); }) && c.maybe([&] { return c.skip("["); });
    return closed(m, begin, c, there);
}

bool matchRelease(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("stop processing: ") && (c.skip("n_past") || c.skip("n_tokens")) &&
                       c.skip(" = ") && c.digits(m.groups[0]) && c.skip(", truncated = ") &&
                       c.digits(m.groups[1]);
    return closed(m, at, c, there);
}

bool matchSimilarity(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    m.begin = at;
    return c.skip("selected slot by LCP similarity, sim_best = ") && c.number(m.groups[0]) &&
           lastNumber(line, c.at(), "f_keep = ", m.groups[1], m.end);
}

bool matchUptime(std::string_view line, std::size_t at, LogMatch& m) {
    const std::optional<Uptime> digits = uptimeDigits(line, at);
    if (!digits || (digits->at > 0 && !endsBefore(line, digits->at, "] "))) {
        return false;
    }
    m.groups = {digits->minutes, digits->seconds, digits->milliseconds, digits->microseconds};
    m.begin = digits->at == 0 ? 0 : digits->at - 2;
    m.end = at + uptimeAnchors[0].size() + 1;
    return line.substr(m.end - 1).starts_with(' ');
}

bool matchLiteral(std::string_view line, std::size_t at, LogMatch& m) {
    m.begin = at;
    m.end = at + 1;
    m.groups[0] = line.substr(at);
    return true;
}

void takeSetting(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], "loading model '", "model");
    a.addFactAfter(m[0], "n_slots = ", "parallel");
    a.addFactAfter(m[0], "n_parallel = ", "parallel");
    a.addFactAfter(m[0], "n_ctx_slot = ", "context_tokens");
    a.addFactAfter(m[0], "new slot, n_ctx = ", "context_tokens");
}

/// "print_info: n_swa            = 1024": what the model's file says of it.
void takeModelInfo(LogAssembly& a, const LogMatch& m) {
    TextCursor c(m[0], std::string_view("print_info: ").size());
    std::string_view key;
    if (!c.text(key) || !c.skipBlanks(1) || !c.skip("= ")) {
        return;
    }
    if (key == "n_layer") {
        a.addFact("layers", c.rest());
    } else if (key == "n_swa" && numberOf(c.rest()) > 1) {
        a.addFact("window", c.rest());
    } else if (key == "general.name") {
        a.addFact("model", c.rest());
    }
}

/// "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes"
void takeDevice(LogAssembly& a, const LogMatch& m) {
    const std::string_view before = a.line.substr(0, m.begin);
    const std::size_t colon = before.rfind(": ");
    const std::size_t number = colon == std::string_view::npos ? colon : digitsBefore(before, colon);
    if (number == colon || !endsBefore(before, number, "Device ")) {
        return;
    }
    a.addFact("device", before.substr(colon + 2));
    if (before.substr(number, colon - number) != "0") {
        a.addFact("devices", "several");
    }
}

/// "ggml_metal_init: GPU name:   Apple M2"
void takeGpuName(LogAssembly& a, const LogMatch& m) {
    TextCursor c(m[0], std::string_view("GPU name: ").size());
    c.skipBlanks();
    a.addFact("device", c.rest());
}

/// "print_info: file size   = 4.68 GiB (4.91 BPW)", and as older versions write it.
void takeFileSize(LogAssembly& a, const LogMatch& m) {
    const std::size_t close = m[0].find(" BPW)");
    const std::size_t open = m[0].rfind('(', close);
    if (close != std::string_view::npos && open != std::string_view::npos) {
        const std::string_view bits = m[0].substr(open + 1, close - open - 1);
        if (numberOf(bits) > 0) {
            a.addFact("bits_per_weight", bits);
        }
    }
}

/// "loaded meta data with 28 key-value pairs and 399 tensors from Qwen3-8B-Q4_K_M.gguf (version GGUF V3 ...)"
void takeMetaData(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], " tensors from ", "model");
}

/// "using device CUDA0 (NVIDIA GeForce RTX 4090) - 22994 MiB free"
void takeUsedDevice(LogAssembly& a, const LogMatch& m) {
    const std::size_t open = m[0].find(" (");
    const std::size_t close = m[0].find(") ", open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
        return;
    }
    const std::string_view number = m[0].substr(0, open);
    a.addFact("device", m[0].substr(open + 2, close - open - 2));
    if (!number.ends_with('0')) {
        a.addFact("devices", "several");
    }
}

/// "load_tensors: offloaded 20/33 layers to GPU"
void takeOffloaded(LogAssembly& a, const LogMatch& m) {
    TextCursor c(m[0], std::string_view(": offloaded ").size());
    std::string_view some;
    std::string_view all;
    if (c.digits(some) && c.skip("/") && c.digits(all) && c.skip(" layers to GPU")) {
        a.addFact("on_cpu", std::to_string(static_cast<std::int64_t>(numberOf(all) - numberOf(some))));
    }
}

void takeListening(LogAssembly& a, const LogMatch& /*match*/) {
    a.addEvent(LogEventKind::ServerStarted);
}

constexpr auto llamaCppTable = std::to_array<LogPattern>({
    {"llama_slot", {" | task "}, matchSlot, llama::takeSlot},
    {"llama_prompt_eval", {"prompt eval time ="}, matchPromptEval, llama::takePromptEval},
    {"llama_eval", {"eval time ="}, matchEval, llama::takeEval},
    {"llama_total", {"total time ="}, matchTotal},
    {"llama_live_tg", {"n_decoded =", "n_gen ="}, matchLiveOutput, llama::takeLiveOutput},
    {"llama_live_pp", {"prompt processing, n_tokens ="}, matchLivePrompt, llama::takeLivePrompt},
    {"llama_pp_progress", {"prompt processing progress, "}, matchPromptProgress, llama::takePromptProgress},
    {"llama_new_prompt", {"new prompt, n_ctx_slot = "}, matchNewPrompt, llama::takeNewPrompt},
    {"llama_cache", {"cached n_tokens = ", "memory_seq_rm", "kv cache rm"}, matchCache, llama::takeCache},
    {"llama_full_reprocess",
     {"forcing full prompt re-processing due to lack of cache data"},
     matchLiteral,
     llama::takeFullReprocess},
    {"llama_release", {"stop processing: "}, matchRelease, llama::takeRelease},
    {"llama_lcp", {"selected slot by LCP similarity, sim_best = "}, matchSimilarity},
    {"llama_uptime", uptimeAnchors, matchUptime, nullptr, Tells::Time},
    {"", {"prompt eval time  "}, matchAlignedPromptEval, llama::takePromptEval},
    {"", {" id_slot=0"}, matchFields, llama::takeFields},
    {"", {"draft acceptance rate = "}, matchLiteral, llama::takeAcceptance},
    {"", {"restored context checkpoint ("}, matchLiteral, llama::takeRestored},
    {"", {"context shift, n_keep = ", "input truncated"}, matchLiteral, llama::takeShift},
    {"", {"cancel task, id_task = "}, matchLiteral, llama::takeCancel},
    {"", {"done request: ", "log_server_r: request: "}, matchLiteral, llama::takeAccess},
    {"",
     {"initializing, n_slots = ", "initializing slots, n_slots = ", "n_parallel = "},
     matchLiteral,
     takeSetting},
    {"", {"| new slot, n_ctx = ", "load_model: loading model '"}, matchLiteral, takeSetting},
    {"",
     {"print_info: n_layer ", "print_info: n_swa ", "print_info: general.name "},
     matchLiteral,
     takeModelInfo},
    {"",
     {"print_info: file size ", "llm_load_print_meta: model size "},
     matchLiteral,
     takeFileSize,
     Tells::Shared},
    {"", {"loaded meta data with 0"}, matchLiteral, takeMetaData, Tells::Shared},
    {"", {"using device CUDA0 ("}, matchLiteral, takeUsedDevice, Tells::Shared},
    {"", {", compute capability 0"}, matchLiteral, takeDevice, Tells::Shared},
    {"", {"GPU name: "}, matchLiteral, takeGpuName, Tells::Shared},
    {"", {": offloaded 0"}, matchLiteral, takeOffloaded, Tells::Shared},
    {"",
     {"cudaMalloc failed: out of memory", "failed to allocate buffer of size", "Insufficient Memory (",
      "failed to find free space in the KV cache"},
     failures::match,
     failures::take,
     Tells::Shared},
    {"", {"exceeds the available context size"}, failures::match, failures::takeRefused, Tells::Shared},
    {"", {" HTTP/0"}, llama_swap::matchAccess, llama_swap::takeAccess, Tells::Shared},
    {"", {"llama_server: listening on", "server is listening on http"}, matchLiteral, takeListening},
});

} // namespace

std::span<const LogPattern> llamaCppPatterns() {
    return llamaCppTable;
}

} // namespace loadline
