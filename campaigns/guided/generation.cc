#include "campaigns/guided/generation.h"

#include <optional>
#include <utility>

#include "core_impl/base/codec.h"

namespace photonsim::campaigns {
namespace {

namespace guided = scenarios::guided;

photon::Bytes encode_signals(const guided::Signals& signals) {
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(signals.all, signals.seconds);
  return bytes;
}

guided::Signals decode_signals(const photon::Bytes& bytes) {
  guided::Signals signals;
  if (bytes.empty()) return signals;  // the run did not complete
  photon::Decoder decode(std::span<const std::byte>(bytes.data(), bytes.size()));
  decode(signals.all, signals.seconds);
  PHOTON_CHECK(decode.ok(), "the signals of a run are read as they were written");
  return signals;
}

}  // namespace

GenerationRuns run_generation(const std::vector<guided::World>& worlds,
                              const guided::RareMarks& rare, const PoolLimits& limits,
                              Listener& listener) {
  GenerationRuns generation;
  std::vector<std::optional<GuidedRun>> runs(worlds.size());
  PoolWork work;
  work.next = [&, next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
    return next < worlds.size() ? std::optional(next++) : std::nullopt;
  };
  work.spec_of = [&](std::uint64_t number) { return RunSpec{worlds[number].config, {}}; };
  work.moments = true;
  work.probe = [&](const scenarios::RunOutcome& outcome) {
    return encode_signals(guided::signals_of(outcome, rare));
  };
  work.take = [&](std::uint64_t number, RunResult result) {
    if (result.cut_off) return;
    runs[number] = GuidedRun{result.record.exit_code, result.record.events,
                             decode_signals(result.probe), std::move(result.record.what)};
  };
  generation.end = RunPool(limits, std::move(work)).carry_out(listener);
  const bool told =
      generation.end == RunPool::End::complete || generation.end == RunPool::End::deadline;
  for (std::size_t i = 0; told && i < runs.size() && runs[i]; ++i) {
    generation.runs.push_back(*std::move(runs[i]));
  }
  return generation;
}

}  // namespace photonsim::campaigns
