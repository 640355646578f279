// A window of a trace as a Perfetto trace (protobuf), for ui.perfetto.dev and trace_processor.
//
//   datacenter    a process track; a process of ours is a thread of it
//   life          a slice from start to end; masterships and pauses are slices inside it
//   record        an instant, with all its fields as annotations, in the category of its family
//   message       a flow from the record of its sending to the one of its delivery
//   fault         a slice on a track of its own under "environment"; violations are instants there
//
// Timestamps are nanoseconds of the run. Slices are closed at the end of the window and always
// nest. Equal times keep the order of the trace: the importer sorts by time and is stable.
#pragma once

#include <string>

#include "trace_views/window.h"

namespace photonsim::trace_views {

// Bytes of a perfetto.protos.Trace.
std::string perfetto_trace(const Window& window);

}  // namespace photonsim::trace_views
