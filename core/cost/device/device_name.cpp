// Compares the words of a name with those of each device.
#include "core/cost/device/device_name.h"

#include "core/cost/device/hardware.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace loadline {
namespace {

using NameWords = std::vector<std::string>;

/// Words of one device's names. NVIDIA's driver names boards as the table of supported GPUs in the README of
/// NVIDIA/open-gpu-kernel-modules does: "NVIDIA H100 80GB HBM3" is the SXM board, a bare "NVIDIA H100" is
/// another one. "GB" stands for the device's memory.
struct BoardWords {
    std::string_view key;
    NameWords chip;
    std::vector<NameWords> oneOf; ///< beside the chip's words all of one of these; empty: none is needed
    NameWords others;             ///< that may be there too
};

const std::vector<BoardWords>& boards() {
    static const std::vector<BoardWords> all = {
        {"A100-SXM-80", {"a100"}, {{"sxm", "GB"}}, {"hbm2e"}},
        {"A800-SXM", {"a800"}, {{"sxm", "GB"}}, {"hbm2e"}},
        {"H100-SXM", {"h100"}, {{"sxm"}, {"hbm3", "GB"}}, {"sxm", "hbm3"}},
        {"H200-SXM", {"h200"}, {}, {"sxm", "hbm3e"}},
        {"H800", {"h800"}, {}, {"sxm", "hbm3"}},
        {"B200-HGX", {"b200"}, {}, {"sxm", "hgx", "hbm3e"}},
        {"GB200-per-GPU", {"gb200"}, {}, {"nvl72", "hbm3e"}},
        {"B300", {"b300"}, {}, {"sxm", "hgx", "ac", "hbm3e"}},
        {"GB300-per-GPU", {"gb300"}, {}, {"nvl72", "hbm3e"}},
        {"RTX4090", {"rtx", "4090"}, {}, {"geforce"}},
        {"RTX5090", {"rtx", "5090"}, {}, {"geforce"}},
        {"RTX-PRO-6000-Server", {"rtx", "pro", "6000"}, {{"server"}}, {"blackwell", "edition"}},
        {"L40S", {"l40s"}, {}, {}},
    };
    return all;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// "nvidia", "a100", "sxm", "80gb" of "NVIDIA A100-SXM4-80GB": small letters, "RTX4090" as two words, SXM
/// without its generation, and "80 GB" as one.
NameWords wordsOf(std::string_view name) {
    NameWords words;
    std::string word;
    const auto end = [&] {
        if (word.starts_with("rtx") && word.size() > 3 && isDigit(word[3])) {
            words.emplace_back("rtx");
            word.erase(0, 3);
        } else if (word.starts_with("sxm") && word.size() == 4 && isDigit(word[3])) {
            word.pop_back();
        } else if ((word == "gb" || word == "gib") && !words.empty() &&
                   std::ranges::all_of(words.back(), isDigit)) {
            words.back() += "gb";
            word.clear();
        }
        if (!word.empty()) {
            words.push_back(std::move(word));
        }
        word.clear();
    };
    for (const char c : lowered(name)) {
        if (c == ' ' || c == '\t' || c == '-' || c == '_') {
            end();
        } else {
            word += c;
        }
    }
    end();
    return words;
}

/// The GB that a word names ("80gb", "80g", "80gib", or "80" as in a key); nothing if it names none.
std::optional<double> gigabytesIn(std::string_view word) {
    for (const std::string_view unit : {"gib", "gb", "g"}) {
        if (word.ends_with(unit)) {
            word.remove_suffix(unit.size());
            break;
        }
    }
    return std::ranges::all_of(word, isDigit) ? parseNumber<double>(word) : std::nullopt;
}

bool holds(const NameWords& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
}

bool holdsAll(const NameWords& words, const NameWords& wanted) {
    return std::ranges::all_of(wanted, [&](const std::string& word) { return holds(words, word); });
}

/// The words of the name that are not the device's; its memory as "GB".
NameWords strangeWords(NameWords& words, const BoardWords& board) {
    static const NameWords anyones = {"nvidia", "gpu", "tensor", "core"};
    const double memoryGb = findHardware(board.key)->memoryGb;
    NameWords strange;
    for (std::string& word : words) {
        if (holds(board.chip, word) || holds(board.others, word) || holds(anyones, word) ||
            std::ranges::any_of(board.oneOf, [&](const NameWords& one) { return holds(one, word); })) {
            continue;
        }
        if (gigabytesIn(word) == memoryGb) {
            word = "GB";
        } else {
            strange.push_back(word);
        }
    }
    return strange;
}

bool isNameOf(NameWords words, const BoardWords& board) {
    return holdsAll(words, board.chip) && strangeWords(words, board).empty() &&
           (board.oneOf.empty() ||
            std::ranges::any_of(board.oneOf, [&](const NameWords& one) { return holdsAll(words, one); }));
}

/// True if nothing that is stated contradicts the table. A driver shows up to 7 % less memory than is sold:
/// error correction takes 1/16 of GDDR6 (46,068 of 49,152 MiB of an L40S). Memory clocks give a bandwidth
/// within a few per cent of the datasheet's.
bool agrees(const Hardware& hardware, const StatedRates& stated) {
    constexpr double gib = 1024.0 * 1024 * 1024;
    constexpr double tolerance = 0.1;
    const auto near = [](double value, double known) {
        return value == 0 || std::abs(value - known) < tolerance * known;
    };
    return near(stated.memoryBytes, hardware.memoryGb * gib) &&
           near(stated.bandwidthGbS, hardware.bandwidthGbS);
}

} // namespace

std::string hardwareNamed(std::string_view name, const StatedRates& stated) {
    const std::string plain = lowered(trimmed(name));
    const NameWords words = wordsOf(plain);
    for (const Hardware& hardware : hardwareTable()) {
        const auto board = std::ranges::find(boards(), hardware.key, &BoardWords::key);
        const bool named =
            lowered(hardware.key) == plain || (board != boards().end() && isNameOf(words, *board));
        if (named) {
            return agrees(hardware, stated) ? hardware.key : "";
        }
    }
    return "";
}

bool namesChipOf(std::string_view name, std::string_view key) {
    const auto board = std::ranges::find(boards(), key, &BoardWords::key);
    return board != boards().end() && holdsAll(wordsOf(name), board->chip);
}

bool namesOtherBoard(std::string_view name, std::string_view key) {
    static const NameWords apart = {"pcie", "nvl",      "laptop", "mobile", "max", "q",
                                    "maxq", "embedded", "d",      "dd",     "ti",  "mig",
                                    "sff",  "ada",      "super",  "oem",    "lc",  "workstation"};
    const auto board = std::ranges::find(boards(), key, &BoardWords::key);
    NameWords words = wordsOf(name);
    return board != boards().end() && holdsAll(words, board->chip) &&
           std::ranges::any_of(strangeWords(words, *board), [](const std::string& word) {
               return holds(apart, word) || (word.ends_with("gb") && gigabytesIn(word));
           });
}

} // namespace loadline
