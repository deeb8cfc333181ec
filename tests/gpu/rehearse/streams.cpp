// Streams, events and captured graphs of the made-up runtime.
#include "tests/gpu/rehearse/machine.h"

#include <algorithm>

using namespace loadline::gpu::rehearse;

namespace {

bool isCaptured(const Machine& m, const CUstream_st* stream) {
    return m.capturing != nullptr && (stream == m.capturing || stream->joined);
}

/// Runs the recording stream up to what `event` was asked for.
void awaitEvent(Machine& m, CUevent_st& event, unsigned wanted) {
    if (event.done < wanted && event.by != nullptr && m.streams.count(event.by) != 0) {
        m.drain(*event.by);
    }
}

cudaError_t makeEvent(cudaEvent_t* event, unsigned flags) {
    return callOutsideCaptures("making an event", [&](Machine& m) {
        *event = new CUevent_st;
        (*event)->timed = (flags & cudaEventDisableTiming) == 0;
        (*event)->device = m.current;
        m.events.insert(*event);
        return cudaSuccess;
    });
}

} // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return callOutsideCaptures("cudaStreamCreate", [&](Machine& m) {
        *stream = new CUstream_st;
        (*stream)->device = m.current;
        m.streams.insert(*stream);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return callOutsideCaptures("cudaStreamDestroy", [&](Machine& m) {
        if (m.streams.count(stream) == 0) {
            m.breaks("cudaStreamDestroy of what is no stream");
            return cudaErrorInvalidResourceHandle;
        }
        m.drain(*stream);
        m.streams.erase(stream);
        delete stream;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return callOutsideCaptures("cudaStreamSynchronize", [&](Machine& m) {
        if (m.streams.count(stream) == 0) {
            m.breaks("cudaStreamSynchronize of what is no stream");
            return cudaErrorInvalidResourceHandle;
        }
        m.drain(*stream);
        m.hostUs = std::max(m.hostUs, stream->us);
        return m.sticky;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return call([&](Machine& m) {
        if (m.streams.count(stream) == 0 || m.events.count(event) == 0) {
            m.breaks("cudaStreamWaitEvent of what is not there");
            return cudaErrorInvalidResourceHandle;
        }
        if (m.capturing != nullptr && event->captured) {
            if (event->by != nullptr && event->by != m.capturing) {
                event->by->unjoined = false;
            }
            stream->joined = stream->joined || stream != m.capturing;
            return cudaSuccess;
        }
        if (isCaptured(m, stream)) {
            m.breaks("a captured stream waits for an event from outside");
            return cudaErrorStreamCaptureIsolation;
        }
        Work work{"waiting for an event", 0, {}, {}, false, 0};
        work.onStream = [&m, event, wanted = event->recorded](CUstream_st& waiting) {
            awaitEvent(m, *event, wanted);
            waiting.us = std::max(waiting.us, event->us);
        };
        return m.queue(stream, std::move(work));
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return makeEvent(event, 0);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return makeEvent(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return callOutsideCaptures("cudaEventDestroy", [&](Machine& m) {
        if (m.events.count(event) == 0) {
            m.breaks("cudaEventDestroy of what is no event");
            return cudaErrorInvalidResourceHandle;
        }
        for (CUstream_st* stream : m.streams) {
            m.drain(*stream);
        }
        m.events.erase(event);
        delete event;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call([&](Machine& m) {
        if (m.events.count(event) == 0 || m.streams.count(stream) == 0 || event->device != stream->device) {
            m.breaks("cudaEventRecord of what is not there, or of another device");
            return cudaErrorInvalidResourceHandle;
        }
        event->by = stream;
        event->captured = isCaptured(m, stream);
        if (event->captured) {
            return cudaSuccess;
        }
        Work work{"an event", 0, {}, {}, false, 0};
        work.onStream = [event, wanted = ++event->recorded](CUstream_st& at) {
            event->done = wanted;
            event->us = at.us;
        };
        return m.queue(stream, std::move(work));
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return callOutsideCaptures("cudaEventQuery", [&](Machine& m) {
        if (m.events.count(event) == 0) {
            m.breaks("cudaEventQuery of what is no event");
            return cudaErrorInvalidResourceHandle;
        }
        awaitEvent(m, *event, event->recorded);
        return event->us <= m.hostUs ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
    return callOutsideCaptures("cudaEventElapsedTime", [&](Machine& m) {
        for (const CUevent_st* event : {begin, end}) {
            if (m.events.count(const_cast<CUevent_st*>(event)) == 0 || !event->timed ||
                event->recorded == 0) {
                m.breaks("the time of an event that was never recorded, or is not timed");
                return cudaErrorInvalidResourceHandle;
            }
            if (event->done < event->recorded) {
                return cudaErrorNotReady;
            }
        }
        *ms = static_cast<float>((end->us - begin->us) / 1000);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    return callOutsideCaptures("cudaStreamBeginCapture", [&](Machine& m) {
        if (m.streams.count(stream) == 0) {
            m.breaks("cudaStreamBeginCapture of what is no stream");
            return cudaErrorInvalidResourceHandle;
        }
        stream->capture = std::make_unique<CUgraph_st>();
        m.capturing = stream;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call([&](Machine& m) {
        *graph = nullptr;
        if (m.capturing != stream || stream == nullptr) {
            m.breaks("cudaStreamEndCapture of a stream that is not captured");
            return cudaErrorIllegalState;
        }
        bool unjoined = false;
        for (CUstream_st* other : m.streams) {
            unjoined = unjoined || other->unjoined;
            other->joined = other->unjoined = false;
        }
        for (CUevent_st* event : m.events) {
            event->captured = false;
        }
        m.capturing = nullptr;
        const std::unique_ptr<CUgraph_st> captured = std::move(stream->capture);
        if (unjoined) {
            m.breaks("a captured stream was never joined again");
            return cudaErrorStreamCaptureUnjoined;
        }
        *graph = new CUgraph_st{captured->nodes};
        m.graphs.insert(*graph);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    return callOutsideCaptures("cudaGraphInstantiate", [&](Machine& m) {
        if (m.graphs.count(graph) == 0) {
            m.breaks("cudaGraphInstantiate of what is no graph");
            return cudaErrorInvalidValue;
        }
        *executable = new CUgraphExec_st{graph->nodes, 0, 0};
        m.executables.insert(*executable);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
    return callOutsideCaptures("cudaGraphUpload", [&](Machine& m) {
        if (m.executables.count(executable) == 0) {
            m.breaks("cudaGraphUpload of what is not instantiated");
            return cudaErrorInvalidValue;
        }
        ++executable->uploads;
        return m.queue(stream, {"uploading a graph", 5, {}, {}, false, 0});
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return callOutsideCaptures("cudaGraphLaunch", [&](Machine& m) {
        if (m.executables.count(executable) == 0) {
            m.breaks("cudaGraphLaunch of what is not instantiated");
            return cudaErrorInvalidValue;
        }
        ++m.counts.replays;
        m.hostUs +=
            m.stage.usPerLaunch + m.stage.usPerReplayedNode * static_cast<double>(executable->nodes.size());
        Work work{"a graph", 0, {}, {}, false, 0};
        work.onStream = [&m, executable](CUstream_st& on) {
            m.replaying = true;
            const std::size_t count = executable->nodes.size();
            const std::size_t first = // of a node of two kernels, both
                m.stage.replaysCompute       ? 0
                : executable->replays++ == 0 ? count - std::min<std::size_t>(count, 2)
                                             : count;
            for (std::size_t i = 0; i < count; ++i) {
                const Work& node = executable->nodes[i];
                if (node.run && m.sticky == cudaSuccess && (i >= first || !node.isKernel)) {
                    node.run(on.us);
                }
                on.us += node.us;
            }
            m.replaying = false;
        };
        return m.queue(stream, std::move(work));
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call([&](Machine& m) {
        if (m.graphs.erase(graph) == 0) {
            m.breaks("cudaGraphDestroy of what is no graph");
            return cudaErrorInvalidValue;
        }
        delete graph;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return call([&](Machine& m) {
        if (m.executables.count(executable) == 0) {
            m.breaks("cudaGraphExecDestroy of what is not instantiated");
            return cudaErrorInvalidValue;
        }
        for (CUstream_st* stream : m.streams) {
            m.drain(*stream);
        }
        m.executables.erase(executable);
        delete executable;
        return cudaSuccess;
    });
}

} // extern "C"
