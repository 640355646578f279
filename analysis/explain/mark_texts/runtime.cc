#include "analysis/explain/mark_texts/mark_texts.h"

namespace photon::analysis {
namespace {

constexpr MarkText kRuntimeMarks[] = {
    {"runtime.request.refused",
     "A volume is unavailable or full, and the process repeats its request after a delay."},
};

}  // namespace

std::span<const MarkText> runtime_mark_texts() { return kRuntimeMarks; }

}  // namespace photon::analysis
