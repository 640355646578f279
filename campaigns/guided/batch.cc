#include "campaigns/guided/batch.h"

#include <optional>
#include <utility>

#include "core_impl/base/codec.h"

namespace photonsim::campaigns {
namespace {

namespace guided = scenarios::guided;

photon::Bytes encode_features(const guided::Features& features) {
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(features.all, features.seconds);
  return bytes;
}

guided::Features decode_features(const photon::Bytes& bytes) {
  guided::Features features;
  if (bytes.empty()) return features;  // the run did not complete
  photon::Decoder decode(std::span<const std::byte>(bytes.data(), bytes.size()));
  decode(features.all, features.seconds);
  PHOTON_CHECK(decode.ok(), "the features of a run are read as they were written");
  return features;
}

}  // namespace

BatchRuns run_batch(const std::vector<guided::Candidate>& candidates, const guided::RareMarks& rare,
                    const PoolLimits& limits, Listener& listener) {
  BatchRuns batch;
  std::vector<std::optional<GuidedRun>> runs(candidates.size());
  PoolWork work;
  work.next = [&, next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
    return next < candidates.size() ? std::optional(next++) : std::nullopt;
  };
  work.spec_of = [&](std::uint64_t number) { return RunSpec{candidates[number].config, {}}; };
  work.moments = true;
  work.probe = [&](const scenarios::RunOutcome& outcome) {
    return encode_features(guided::features_of(outcome, rare));
  };
  work.take = [&](std::uint64_t number, RunResult result) {
    if (result.cut_off) return;
    runs[number] = GuidedRun{result.record.exit_code, result.record.events,
                             decode_features(result.probe), std::move(result.record.what)};
  };
  batch.end = RunPool(limits, std::move(work)).run(listener);
  const bool reported = batch.end == RunPool::End::complete || batch.end == RunPool::End::deadline;
  for (std::size_t i = 0; reported && i < runs.size() && runs[i]; ++i) {
    batch.runs.push_back(*std::move(runs[i]));
  }
  return batch;
}

}  // namespace photonsim::campaigns
