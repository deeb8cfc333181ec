// Marching squares over the settings of a sweep.
#include "core/simulate/study/even_lines.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// An edge of the grid: from a setting to the next in users, or in chunk.
struct Edge {
    std::size_t chunk = 0;
    std::size_t user = 0;
    bool alongUsers = true;
    auto operator<=>(const Edge&) const = default;
};

/// Returns the value between two on a logarithmic axis at which the ratio is 1.
double between(double low, double high, double ratioLow, double ratioHigh) {
    const double part = (1 - ratioLow) / (ratioHigh - ratioLow);
    return low * std::pow(high / low, part);
}

class Lines {
public:
    Lines(const SweepResult& sweep, std::size_t k) : sweep_(sweep), k_(k) {
        for (std::size_t c = 0; c + 1 < sweep.chunks.size(); ++c) {
            for (std::size_t u = 0; u + 1 < sweep.users.size(); ++u) {
                joinWithin(c, u);
            }
        }
    }

    std::vector<std::vector<EvenPoint>> take() {
        std::vector<std::vector<EvenPoint>> lines;
        for (const auto& [edge, next] : next_) {
            if (next.size() == 1 && !next.front().second) {
                lines.push_back(follow(edge));
            }
        }
        for (const auto& [edge, next] : next_) { // what is left closes
            for (const auto& [other, followed] : next) {
                if (!followed) {
                    lines.push_back(follow(edge));
                    break;
                }
            }
        }
        return lines;
    }

private:
    [[nodiscard]] double ratio(std::size_t c, std::size_t u) const {
        return sweep_.at(k_, c, u).pace().value;
    }

    [[nodiscard]] bool isSlower(std::size_t c, std::size_t u) const { return ratio(c, u) >= 1; }

    /// The pieces of lines between four neighbouring settings.
    void joinWithin(std::size_t c, std::size_t u) {
        const Edge low{c, u, true};
        const Edge right{c, u + 1, false};
        const Edge high{c + 1, u, true};
        const Edge left{c, u, false};
        const std::array corners = {isSlower(c, u), isSlower(c, u + 1), isSlower(c + 1, u + 1),
                                    isSlower(c + 1, u)};
        const std::array edges = {low, right, high, left}; // the i-th from corner i to the next
        std::vector<Edge> crossed;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (corners.at(i) != corners.at((i + 1) % corners.size())) {
                crossed.push_back(edges.at(i));
            }
        }
        if (crossed.size() == 2) {
            join(crossed[0], crossed[1]);
        } else if (crossed.size() == 4) {
            const double middle = (ratio(c, u) + ratio(c, u + 1) + ratio(c + 1, u) + ratio(c + 1, u + 1)) / 4;
            const bool asFirst = (middle >= 1) == corners[0]; // then the other two corners are cut off
            join(low, asFirst ? right : left);
            join(high, asFirst ? left : right);
        }
    }

    void join(const Edge& one, const Edge& other) {
        next_[one].emplace_back(other, false);
        next_[other].emplace_back(one, false);
    }

    std::vector<EvenPoint> follow(Edge edge) {
        std::vector<EvenPoint> line = {pointOn(edge)};
        for (bool goesOn = true; goesOn;) {
            goesOn = false;
            for (auto& [other, followed] : next_[edge]) {
                if (followed) {
                    continue;
                }
                followed = true;
                for (auto& [back, backFollowed] : next_[other]) {
                    backFollowed = backFollowed || back == edge;
                }
                edge = other;
                line.push_back(pointOn(edge));
                goesOn = true;
                break;
            }
        }
        return line;
    }

    [[nodiscard]] EvenPoint pointOn(const Edge& edge) const {
        const auto user = [&](std::size_t u) { return static_cast<double>(sweep_.users[u]); };
        const auto chunk = [&](std::size_t c) { return static_cast<double>(sweep_.chunks[c]); };
        const double here = ratio(edge.chunk, edge.user);
        if (edge.alongUsers) {
            return {between(user(edge.user), user(edge.user + 1), here, ratio(edge.chunk, edge.user + 1)),
                    chunk(edge.chunk)};
        }
        return {user(edge.user),
                between(chunk(edge.chunk), chunk(edge.chunk + 1), here, ratio(edge.chunk + 1, edge.user))};
    }

    const SweepResult& sweep_;
    std::size_t k_;
    std::map<Edge, std::vector<std::pair<Edge, bool>>> next_; ///< and whether that piece was followed
};

} // namespace

std::vector<std::vector<EvenPoint>> evenLinesOf(const SweepResult& sweep, std::size_t k) {
    return sweep.points.empty() ? std::vector<std::vector<EvenPoint>>() : Lines(sweep, k).take();
}

} // namespace loadline
