#include "core/session/lines/line_place.h"

#include "core/session/lines/line_reader.h"

#include <limits>

namespace loadline {

Result<RecordPlace> placeOfLine(const std::string& path, std::uint64_t line, std::stop_token stop) {
    const FileSource file(path);
    if (!file.problem().empty()) {
        return Error{"cannot open the file: " + file.problem(), path,
                     "check that it is still there and may be read"};
    }
    LineBuffer buffer;
    LineReader lines(file, buffer, ReaderLimits{}, 0, std::numeric_limits<std::uint64_t>::max());
    RawLine raw;
    for (std::uint64_t number = 1; !stop.stop_requested() && lines.next(raw); ++number) {
        if (number < line) {
            continue;
        }
        if (raw.length > std::numeric_limits<std::uint32_t>::max()) {
            return Error{"the line is too long to show", path + ":" + std::to_string(line), ""};
        }
        return RecordPlace{raw.offset, static_cast<std::uint32_t>(raw.length),
                           static_cast<std::uint32_t>(line)};
    }
    return Error{"the file has no such line any more", path + ":" + std::to_string(line),
                 "reload to read it as it is now"};
}

} // namespace loadline
