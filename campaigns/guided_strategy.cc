#include "campaigns/guided_strategy.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "campaigns/reduce/shrink.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/points.h"
#include "campaigns/runs/shell_words.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace guided = scenarios::guided;

// The first failures have a file each; after them only the first one of each cause.
constexpr std::size_t kAllHaveFiles = 20;

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

guided::SearchOptions options_of(const CampaignSpec& spec) {
  guided::SearchOptions options;
  options.seed = spec.first;
  options.feedback = spec.guided->feedback;
  if (spec.swarm) {
    options.generate = [swarm = *spec.swarm](std::uint64_t seed) {
      return scenarios::swarm::scenario(swarm, seed);
    };
  } else {
    PHOTON_CHECK(spec.scenarios.size() == 1, "a guided search has the swarm or one scenario");
    options.generate = [config = spec.scenarios.front().config](std::uint64_t seed) {
      return guided::with_generated_faults(config, seed);
    };
  }
  return options;
}

}  // namespace

GuidedStrategy::GuidedStrategy(const CampaignPlan& plan)
    : plan_(plan), search_(options_of(plan_.spec())) {}

std::uint64_t GuidedStrategy::plan_round(std::uint64_t most) {
  if (most == 0) return 0;
  round_ = search_.plan();
  round_first_ = next_;
  const std::uint64_t runs = std::min<std::uint64_t>(most, round_.size());
  next_ += runs;
  return runs;
}

RunSpec GuidedStrategy::spec_of(std::uint64_t run) const {
  const auto found = failed_.find(run);
  if (found != failed_.end()) return {found->second.config, 0};
  return {round_.at(run - round_first_).config, 0};
}

std::string GuidedStrategy::search_line(std::uint64_t run) const {
  const CampaignSpec& spec = plan_.spec();
  std::string line = program_word() + " fuzz";
  if (spec.swarm) {
    line += " --swarm" + swarm_words(*spec.swarm);
  } else {
    line += " " + shell_word(spec.scenarios.front().name);
    for (const std::string& each : spec.overrides) line += " --set " + shell_word(each);
  }
  line += " --guided";
  if (spec.guided->feedback == guided::Feedback::off) line += " --no-feedback";
  return line + fmt::format(" --seeds {}..{} --shrink 0", spec.first, plan_.seed_of(run));
}

std::string GuidedStrategy::replay_of(std::uint64_t run, Shows shows) const {
  const std::string file = file_of(run);
  if (file.empty()) return search_line(run);
  return repro_line(file) + (shows == Shows::rerun ? kTwiceWord : "");
}

std::string GuidedStrategy::repro_name(std::uint64_t run) const {
  return fmt::format("guided-{}-{}-small", plan_.spec().first, plan_.seed_of(run));
}

Strategy::Probe GuidedStrategy::probe() const {
  return [rare = search_.rare_marks()](const scenarios::RunOutcome& outcome) {
    return encode_features(guided::features_of(outcome, rare));
  };
}

std::string GuidedStrategy::learn(std::uint64_t run, RunResult& result) {
  analysis::RunRecord& record = result.record;
  const guided::Candidate& candidate = round_.at(run - round_first_);
  search_.learn(candidate, decode_features(result.probe), record.events);
  if (record.exit_code == kInertFault) {
    record.exit_code = kOk;
    record.what.clear();
  }
  if (record.exit_code == kOk) return {};
  failed_.emplace(run, candidate);
  return write_failure(run, record);
}

std::string GuidedStrategy::write_failure(std::uint64_t run, const analysis::RunRecord& record) {
  const bool first_of_cause = causes_.insert(cause_of(record)).second;
  if (!first_of_cause && files_.size() >= kAllHaveFiles) return {};
  const std::string& folder = plan_.spec().guided->folder;
  const std::string file =
      fmt::format("{}/guided-{}-{}.toml", folder, plan_.spec().first, plan_.seed_of(run));
  std::error_code ignored;  // writing the file reports it
  std::filesystem::create_directories(folder, ignored);
  const auto written = analysis::write_file(
      file, scenarios::shrink::repro_text(failed_.at(run).config, {record.what, repro_line(file)}));
  if (!written) return written.assume_error().message();
  files_[run] = file;
  return {};
}

std::optional<SearchFigures> GuidedStrategy::figures() const {
  return SearchFigures{search_.corpus().size(), search_.corpus().features()};
}

std::string GuidedStrategy::file_of(std::uint64_t run) const {
  const auto found = files_.find(run);
  return found == files_.end() ? std::string() : found->second;
}

std::string not_searchable(const scenarios::Config& config) {
  constexpr std::chrono::seconds kShortest{2};
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    return "its load is a trace; take one with a synthetic load";
  }
  if (!config.run.duration || *config.run.duration < kShortest) {
    return "it is too short; give it a run.duration of two seconds at least";
  }
  if (config.registry.replicas.size() < 3) {
    return "no replica of its registry may fail; give it three at least";
  }
  return {};
}

}  // namespace photonsim::campaigns
