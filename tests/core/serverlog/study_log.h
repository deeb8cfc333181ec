// The study's log as a value: two streamed answers of which no end is told, then one that takes 321 s.
#pragma once

#include "core/serverlog/server_log.h"

namespace loadline {

inline LogRequest studyRequest(std::uint64_t line, double arrivalS, const char* path) {
    LogRequest request;
    request.first = request.last = {0, line};
    request.arrivalS = arrivalS;
    request.path = path;
    return request;
}

inline ServerLog studyLog() {
    ServerLog log;
    log.files = {"study.log"};
    log.lines = log.knownLines = 9;
    log.lengthS = 648;
    log.requestsFrom = RequestsFrom::Log;
    LogRequest first = studyRequest(1, 0, "POST /v1/messages");
    first.streams = true;
    LogRequest count = studyRequest(2, 1, "POST /v1/messages/count_tokens");
    count.generates = false;
    count.inputTokens = 9983;
    LogRequest second = studyRequest(3, 1, "POST /v1/messages");
    second.streams = true;
    LogRequest slow = studyRequest(5, 323, "POST /v1/messages");
    slow.streams = false;
    slow.endS = 644;
    slow.last.line = 6;
    slow.end = RequestEnd::Complete;
    slow.cachedTokens = 49'152;
    slow.outputTokens = 8192;
    LogRequest last = studyRequest(8, 645, "POST /v1/messages");
    last.streams = false;
    log.requests = {first, count, second, slow, last};
    log.events = {{{0, 1}, LogEventKind::CacheMiss, 0, notTold, notTold, "msg_22"},
                  {{0, 3}, LogEventKind::CacheMiss, 1, notTold, notTold, "msg_bd"},
                  {{0, 5}, LogEventKind::CacheHit, 323, 49'152, notTold, ""},
                  {{0, 8}, LogEventKind::CacheMiss, 645, notTold, notTold, "msg_ef"},
                  {{0, 9}, LogEventKind::ServerStopped, 648, notTold, notTold, ""}};
    return log;
}

} // namespace loadline
