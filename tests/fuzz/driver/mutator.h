// Makes new inputs of those there are: bytes, numbers, words, lines and JSON values are changed.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::fuzz {

/// Deterministic by its seed.
class Mutator {
public:
    Mutator(std::uint64_t seed, std::size_t mostBytes) : random_(seed), mostBytes_(mostBytes) {}

    /// Keeps the words of a seed, to put them elsewhere.
    void learn(std::string_view seed);
    /// A changed copy of one input, with parts of the other; at most mostBytes long.
    std::string mutated(const std::string& input, const std::string& other);
    /// From 0 to below `limit`, which is at least 1.
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

private:
    struct Span {
        std::size_t begin = 0;
        std::size_t size = 0;
    };

    void mutateOnce(std::string& text, const std::string& other);
    void changeByte(std::string& text);
    void changeNumber(std::string& text);
    void insertWord(std::string& text);
    void moveChunk(std::string& text, const std::string& from);
    void eraseChunk(std::string& text);
    void changeLines(std::string& text, const std::string& other);
    void changeValue(std::string& text, const std::string& other);
    void nest(std::string& text);
    Span chunkOf(std::string_view text);
    Span lineOf(std::string_view text);
    Span valueOf(std::string_view text);
    const std::string& word();

    std::mt19937_64 random_;
    std::size_t mostBytes_;
    std::vector<std::string> words_;
};

} // namespace loadline::fuzz
