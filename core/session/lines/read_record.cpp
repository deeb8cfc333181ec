// Reads a record's bytes, unless the file has changed.
#include "core/session/lines/read_record.h"

#include "core/base/file/byte_source.h"

namespace loadline {

Result<std::string> readRecord(const std::string& path, const RecordPlace& place) {
    const FileSource source(path);
    if (!source.problem().empty()) {
        return Error{.what = "cannot read the record: " + source.problem(),
                     .where = path,
                     .remedy = "open the folder again, the file may have moved"};
    }
    const Error gone{.what = "the record is no longer there, the file has changed",
                     .where = path + ", line " + std::to_string(place.line),
                     .remedy = "open the folder again"};
    if (place.offset + place.length > source.size()) {
        return gone;
    }
    std::string text(place.length, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const std::int64_t got = source.read(text.data() + done, text.size() - done, place.offset + done);
        if (got <= 0) {
            return gone;
        }
        done += static_cast<std::size_t>(got);
    }
    return text;
}

} // namespace loadline
