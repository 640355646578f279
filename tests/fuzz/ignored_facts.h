// For the projections that the tap makes of sent and stored bytes: they must accept any bytes.
#pragma once

#include "core_impl/trace/record.h"

namespace photon::fuzz {

struct IgnoredFacts final : trace::FactSink {
 private:
  void raw_fact(trace::Kind, const void*, std::size_t) override {}
};

}  // namespace photon::fuzz
