// Made-up logs of inference servers, as long as a test wants them.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace made_up {

/// Statistics each ten seconds, from 10:00:00 on.
inline QByteArray vllmLog(int lines, int first = 0) {
    QByteArray text;
    for (int i = first; i < first + lines; ++i) {
        const int s = 36'000 + 10 * i;
        text +=
            QString("INFO 09-06 %1:%2:%3 [loggers.py:122] Engine 000: Avg prompt throughput: %4 tokens/s, "
                    "Avg generation throughput: %5 tokens/s, Running: %6 reqs, Waiting: %7 reqs, GPU KV "
                    "cache usage: %8%, Prefix cache hit rate: 41.0%\n")
                .arg(s / 3600 % 24, 2, 10, QChar('0'))
                .arg(s / 60 % 60, 2, 10, QChar('0'))
                .arg(s % 60, 2, 10, QChar('0'))
                .arg(i % 6 == 0 ? 812.5 : 0.0, 0, 'f', 1)
                .arg(300.0 + 40 * (i % 9), 0, 'f', 1)
                .arg(4 + i % 12)
                .arg(i % 5 == 0 ? i % 11 : 0)
                .arg(20.0 + i % 60, 0, 'f', 1)
                .toUtf8();
    }
    return text;
}

/// Requests of a llama.cpp server one after the other, each of 20 s, with prompt and output.
inline QByteArray llamaCppLog(int requests) {
    QByteArray text;
    const auto stamp = [](double s) {
        const auto ms = static_cast<int>(s * 1000);
        return QString("%1.%2.%3.000 I ")
            .arg(ms / 60'000)
            .arg(ms / 1000 % 60, 2, 10, QChar('0'))
            .arg(ms % 1000, 3, 10, QChar('0'));
    };
    for (int i = 0; i < requests; ++i) {
        const double begin = 10 + 25.0 * i;
        const QString slot = QString("id  0 | task %1 | ").arg(100 + i);
        const int prompt = 1000 + 200 * i;
        const int output = 150 + i;
        text +=
            (stamp(begin) + "slot launch_slot_: " + slot + "processing task\n" + stamp(begin + 0.01) +
             "slot update_slots: " + slot +
             QString("new prompt, n_ctx_slot = 32768, n_keep = 0, n_prompt_tokens = %1\n").arg(prompt) +
             stamp(begin + 5) + "slot update_slots: " + slot +
             QString("prompt done, n_past = %1, n_tokens = %1\n").arg(prompt) + stamp(begin + 20) +
             "slot print_timing: " + slot + "\n" +
             QString("prompt eval time =    5000.00 ms / %1 tokens (    5.00 ms per token,   200.00 tokens "
                     "per second)\n")
                 .arg(prompt, 5) +
             QString("       eval time =   15000.00 ms / %1 tokens (  100.00 ms per token,    10.00 tokens "
                     "per second)\n")
                 .arg(output, 5) +
             QString("      total time =   20000.00 ms / %1 tokens\n").arg(prompt + output, 5) +
             stamp(begin + 20.01) + "slot      release: " + slot +
             QString("stop processing: n_past = %1, truncated = 0\n").arg(prompt + output))
                .toUtf8();
    }
    return text;
}

inline void writeText(const QString& path, const QByteArray& text,
                      QIODevice::OpenMode mode = QIODevice::WriteOnly) {
    QFile file(path);
    if (!file.open(mode) || file.write(text) != text.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
}

} // namespace made_up
