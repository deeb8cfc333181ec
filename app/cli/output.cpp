// Standard output and standard error.
#include "app/cli/output.h"

#include "app/cli/commands.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace loadline::app {

void say(std::string_view line) {
    (void)writeTo(STDERR_FILENO, std::string(line) + "\n", ""); // nobody is left to tell when this fails
}

void sayAny(std::string_view line) {
    if (!line.empty()) {
        say(line);
    }
}

int fail(const Error& error) {
    say("loadline: " + error.sentence());
    return exitFailed;
}

int printText(std::string_view text) {
    const Status written = writeTo(STDOUT_FILENO, text, "standard output");
    return written ? exitDone : fail(written.error());
}

std::string textOf(const nlohmann::ordered_json& document) {
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int printJson(const nlohmann::ordered_json& document) {
    return printText(textOf(document));
}

} // namespace loadline::app
