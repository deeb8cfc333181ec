#include "core/session/json/json_value.h"

namespace loadline {

bool JsonValue::isTrue() const {
    if (!present()) {
        return false;
    }
    switch (tokens_->first(token_)) {
    case '"':
        return !escaped().empty();
    case '{':
    case '[':
        return tokens_->after(token_) != token_ + 2;
    case 't':
    case 'N':
    case 'I':
        return true;
    case 'f':
    case 'n':
        return false;
    default:
        return tokens_->textOf(token_).find_first_of("123456789I") != std::string_view::npos;
    }
}

std::string_view JsonValue::word() const {
    if (!present() || isObject() || isArray() || isString()) {
        return {};
    }
    return tokens_->textOf(token_);
}

JsonValue JsonValue::operator[](std::string_view key) const {
    JsonValue found;
    forEachMember([&](std::string_view name, JsonValue value) {
        if (name == key) {
            found = value;
        }
    });
    return found;
}

} // namespace loadline
