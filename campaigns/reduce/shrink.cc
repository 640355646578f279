#include "campaigns/reduce/shrink.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "campaigns/reduce/pieces.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::shrink {
namespace {

constexpr std::string_view kCutShort = "# Cut short: it was made in ";

class Shrinking {
 public:
  Shrinking(Config config, const Trials& trials, const std::function<bool()>& enough)
      : trials_(trials), enough_([this, &enough] { return cut_short_ = cut_short_ || enough(); }) {
    result_.config = std::move(config);
    tried_.insert(config_hash(result_.config));
  }

  Shrunk run() {
    bool smaller = true;
    while (smaller && !enough_()) {
      smaller = drop_elements();
      smaller = take_simpler() || smaller;
      smaller = drop_settings() || smaller;
    }
    result_.exhausted = !cut_short_;
    return result_;
  }

 private:
  using Candidate = std::function<Config(std::size_t)>;

  // The index of the first candidate that fails in the same way, which is taken. Candidates that
  // were tried before are skipped.
  std::optional<std::size_t> take_first(std::size_t candidates, const Candidate& candidate) {
    for (std::size_t next = 0; next < candidates;) {
      std::vector<Config> wave;
      std::vector<std::size_t> places;
      std::vector<std::uint64_t> hashes;
      for (; next < candidates && wave.size() < trials_.at_once; ++next) {
        const Config config = candidate(next);
        const LoadResult loaded = load_text(to_toml(config), config.scenario.name);
        if (!loaded) continue;
        const std::uint64_t hash = config_hash(loaded.config());
        if (tried_.contains(hash) || std::ranges::count(hashes, hash) > 0) continue;
        wave.push_back(loaded.config());
        places.push_back(next);
        hashes.push_back(hash);
      }
      if (wave.empty() || enough_()) return std::nullopt;
      const std::vector<bool> fails = trials_.fail(wave);
      for (std::size_t i = 0; i < fails.size(); ++i) {
        tried_.insert(hashes[i]);
        ++result_.runs;
        if (!fails[i]) continue;
        result_.config = std::move(wave[i]);
        return places[i];
      }
      if (fails.size() < wave.size()) {
        cut_short_ = true;
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool drop_elements() {
    const Config whole = result_.config;
    const std::size_t before = events_of(whole);
    ddmin(
        Kept(before, true),
        [&](const std::vector<Kept>& kept) {
          return take_first(kept.size(),
                            [&](std::size_t i) { return with_events(whole, kept[i]); });
        },
        enough_);
    return events_of(result_.config) < before;
  }

  bool drop_settings() {
    const Config whole = result_.config;
    const Settings settings(whole);
    ddmin(
        settings.all(),
        [&](const std::vector<Kept>& kept) {
          return take_first(kept.size(),
                            [&](std::size_t i) { return settings.with(whole, kept[i]); });
        },
        enough_);
    return Settings(result_.config).size() < settings.size();
  }

  // Each successful step changes the candidates of the following ones.
  bool take_simpler() {
    bool any = false;
    while (!enough_()) {
      const std::vector<Config> smaller = candidates_of(result_.config);
      if (!take_first(smaller.size(), [&](std::size_t i) { return smaller[i]; })) break;
      any = true;
    }
    return any;
  }

  const Trials& trials_;
  bool cut_short_ = false;  // `enough` returned true: nothing else is tried
  const std::function<bool()> enough_;
  Shrunk result_;
  std::set<std::uint64_t> tried_;  // hashes of all candidates that ran
};

// Text as a TOML comment: a `#` on each line, no control characters.
std::string comment(std::string_view text) {
  std::string lines;
  for (const char each : text) {
    const bool control = (static_cast<unsigned char>(each) < 0x20 && each != '\t') || each == 0x7f;
    lines += each == '\n' ? std::string("\n#   ") : std::string(1, control ? '?' : each);
  }
  return lines;
}

}  // namespace

Shrunk shrink(const Config& config, const Trials& trials, const std::function<bool()>& enough) {
  return Shrinking(config, trials, enough).run();
}

std::string repro_text(const Config& config, const ReproHead& head) {
  std::string text =
      fmt::format("# Fails: {}\n# Shown by: {}\n", comment(head.fails), comment(head.command));
  if (!head.origin.empty()) text += origin_line(head.origin) + "\n";
  if (head.cut_short) text += cut_short_line(*head.cut_short) + "\n";
  return text + "\n" + to_lasting_toml(config);
}

std::string origin_line(std::string_view origin) { return "# Made from: " + comment(origin); }

std::string cut_short_line(std::chrono::nanoseconds had) {
  return fmt::format("{}{:.3f} s; with more time it may become smaller", kCutShort,
                     std::chrono::duration<double>(had).count());
}

std::optional<std::chrono::nanoseconds> cut_short_in(std::string_view line) {
  if (!line.starts_with(kCutShort)) return std::nullopt;
  double had = 0;
  const char* const end = line.data() + line.size();
  const auto read = std::from_chars(line.data() + kCutShort.size(), end, had);
  if (read.ec != std::errc{} || !(had >= 0 && had < 1e9)) return std::nullopt;
  return std::chrono::round<std::chrono::nanoseconds>(std::chrono::duration<double>(had));
}

}  // namespace photonsim::scenarios::shrink
