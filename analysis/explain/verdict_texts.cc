#include "analysis/explain/verdict_texts.h"

#include <array>

namespace photon::analysis {
namespace {

constexpr std::array kRows{
    VerdictRow{
        "NOT STATIONARY",
        "The deployment cannot keep up: through the measured window its backlog of clicks, or "
        "the queue of a resource that is used up, grows by more than chance explains. Its "
        "latencies depend on the length of the run and say nothing of a longer one.",
        "The first line names the limit that binds: raise it, add what it limits, or offer "
        "less. Gates on latencies do not pass, and a study counts the point as no answer."},
    VerdictRow{
        "PERHAPS NOT STATIONARY",
        "A backlog grows through the measured window, or is long at its end, but not by so "
        "much, or not with a resource so used up, that overload is certain. A fault in the "
        "window, a ramp or a burst looks the same.",
        "Lengthen run.duration, or end the faults well before it: a backlog that drains is no "
        "overload."},
    VerdictRow{"STATIONARITY NOT KNOWN",
               "The measured window has too few samples of the backlog to judge its growth.",
               "Lengthen run.duration, or shorten run.sample_interval."},
    VerdictRow{
        "CANNOT KEEP UP",
        "Before any run: by queueing theory the stated load is at least what the named limit "
        "can serve. Mean rates decide, without faults, retries and bursts.",
        "Raise that limit, or offer less."},
    VerdictRow{
        "may not keep up",
        "Before any run: the load on the named limit has a range, and its upper end is above "
        "what the limit can serve. A limit of the registry is used by inserts at least, and "
        "by look-ups too if they share the batches; one of a pipeline by its share of the "
        "clicks at least, and by all of them where clicks wait.",
        "Run it: the run tells which end is near."},
    VerdictRow{
        "undecided",
        "A gate is neither met nor missed: the interval of its figure reaches across the "
        "bound, the sample is too small, or it asks for a latency of runs that are not "
        "stationary.",
        "More replications, or longer runs. Undecided gates of a single run fail like missed "
        "ones (photonsim explain exit-codes)."},
    VerdictRow{
        "n too small",
        "The figure rests on fewer values than it needs: a quantile on fewer than would show "
        "it, an interval on fewer than two runs.",
        "More replications, or longer runs; photonsim explain metrics says what a quantile "
        "needs."},
};

}  // namespace

std::span<const VerdictRow> verdict_rows() { return kRows; }

}  // namespace photon::analysis
