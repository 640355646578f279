// Where two traces part: the first record that differs, with what came before it.
//
// Traces are gone through in blocks whose hashes are compared, so that memory does not grow with
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/trace_files/trace_file.h"
#include "core_impl/trace/record.h"

namespace photonsim::trace_views {

struct Divergence {
  std::uint64_t number = 0;                      // of the record, from 1
  std::vector<photon::trace::Record> common{};   // the last ones before it, oldest first
  std::optional<photon::trace::Record> first{};  // nothing: that trace has ended
  std::optional<photon::trace::Record> second{};
};

// Nothing if every record of both is the same.
photon::Result<std::optional<Divergence>, photon::analysis::FileError> first_divergence(
    photon::analysis::TraceReader& first, photon::analysis::TraceReader& second);

// Some lines: the common records, then what each trace has, field by field where the kind is the
// same.
std::string divergence_text(const Divergence& divergence,
                            const photon::analysis::TraceReader& first,
                            const photon::analysis::TraceReader& second);

}  // namespace photonsim::trace_views
