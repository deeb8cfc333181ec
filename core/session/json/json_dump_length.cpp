#include "core/session/json/json_dump_length.h"

#include "core/base/hash128.h"

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

struct Member {
    Hash128 key;
    std::size_t keyLength = 0;
    std::size_t valueLength = 0;
};

/// Sums members; of equal keys the last one's value counts, as in a Python dict.
std::size_t sumOfMembers(std::vector<Member>& members) {
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.key < b.key; });
    std::size_t sum = 2; // braces
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i + 1 < members.size() && members[i + 1].key == members[i].key) {
            continue;
        }
        sum += members[i].keyLength + 2 + members[i].valueLength;
        ++distinct;
    }
    return sum + (distinct > 1 ? (distinct - 1) * 2 : 0);
}

std::size_t lengthOfObject(JsonValue value, LengthOf style) {
    std::vector<Member> members;
    value.forEachRawMember([&](std::string_view key, JsonValue member) {
        std::string plain;
        if (key.find('\\') != std::string_view::npos) {
            appendUnescaped(key, plain);
        }
        members.push_back({.key = hashOf(plain.empty() ? key : std::string_view(plain)),
                           .keyLength = lengthOf(key, style),
                           .valueLength = dumpedLength(member, style)});
    });
    return sumOfMembers(members);
}

std::size_t lengthOfArray(JsonValue value, LengthOf style) {
    std::size_t sum = 2; // brackets
    std::size_t elements = 0;
    value.forEachElement([&](JsonValue element) {
        sum += dumpedLength(element, style);
        ++elements;
    });
    return sum + (elements > 1 ? (elements - 1) * 2 : 0);
}

} // namespace

std::size_t dumpedLength(JsonValue value, LengthOf style) {
    if (value.isString()) {
        return lengthOf(value.escaped(), style);
    }
    if (value.isObject()) {
        return lengthOfObject(value, style);
    }
    return value.isArray() ? lengthOfArray(value, style) : pythonWordLength(value.word());
}

} // namespace loadline
