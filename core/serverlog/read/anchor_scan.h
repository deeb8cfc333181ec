// Finds many short texts in one pass over a line (Wu and Manber 1994, with pairs of bytes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct AnchorHit {
    std::size_t at = 0;
    std::size_t anchor = 0; ///< index into those that were given
};

/// Searches for anchors in which '0' stands for any digit.
class AnchorScan {
public:
    static constexpr std::size_t leastBytes = 7; ///< of an anchor; its square is how fast the scan is

    explicit AnchorScan(std::span<const std::string_view> anchors);

    /// Fills `hits` with the first `most` of them, in the order of their places.
    void find(std::string_view line, std::size_t most, std::vector<AnchorHit>& hits) const;

private:
    static constexpr std::size_t classes = 128;

    [[nodiscard]] std::uint8_t classOf(char c) const { return class_[static_cast<unsigned char>(c)]; }

    [[nodiscard]] std::size_t pairAt(std::string_view text, std::size_t last) const {
        return classOf(text[last - 1]) * classes + classOf(text[last]);
    }

    [[nodiscard]] bool isAt(std::string_view line, std::size_t at, const std::string& anchor) const;

    std::vector<std::string> anchors_;
    std::array<std::uint8_t, 256> class_{}; ///< digits are one; what is in no anchor is 0
    std::vector<std::uint8_t> shift_;       ///< by the pair that ends a window; 0: look closer
    struct Ending {
        std::uint8_t first; ///< classes of two of its bytes: most candidates are none by these
        std::uint8_t third;
        std::uint16_t anchor;
    };
    /// Index into `ending_`, by pair, of the first anchor whose window ends in it.
    std::vector<std::uint16_t> endingFrom_;
    std::vector<Ending> ending_;
};

} // namespace loadline
