// Bans of DESIGN section 5 as two tables: what is banned where, and which files are exempt.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

constexpr std::string_view kEverywhere = "";
constexpr std::string_view kCore = "core_impl/";

// `pattern` is a sequence of tokens separated by blanks. A pattern that begins with a name matches
// it as a free name: not as a member (`x.name`), not in a namespace other than std or the global.
struct Ban {
  std::string_view rule;
  std::string_view folder;
  std::string_view pattern;
  std::string_view remedy;
};

constexpr std::string_view kUseStreams = "draw from the counter-based streams of core_impl/base";
constexpr std::string_view kUseContext = "take time from the Context or the kernel";
constexpr std::string_view kUseFlatMap =
    "use boost::unordered_flat_map (and never let its order leak), or a sorted container";
constexpr std::string_view kUseBaseHash = "use core_impl/base/hash.h, which has one fixed value";
constexpr std::string_view kNoThreads = "the core has no threads: one process reacts at a time";
constexpr std::string_view kNoStreams = "the core does no I/O: decide(), marks or volumes";

constexpr Ban kBans[] = {
    {"random-device", kEverywhere, "random_device", kUseStreams},
    {"c-random", kEverywhere, "rand (", kUseStreams},
    {"c-random", kEverywhere, "srand (", kUseStreams},
    {"c-random", kEverywhere, "drand48 (", kUseStreams},
    {"c-random", kEverywhere, "rand_r (", kUseStreams},
    {"std-random", kEverywhere, "mt19937", kUseStreams},
    {"std-random", kEverywhere, "mt19937_64", kUseStreams},
    {"std-random", kEverywhere, "minstd_rand", kUseStreams},
    {"std-random", kEverywhere, "default_random_engine", kUseStreams},
    {"std-random", kEverywhere, "std :: shuffle", kUseStreams},
    {"std-random", kEverywhere, "std :: sample", kUseStreams},
    {"std-hash", kEverywhere, "std :: hash", kUseBaseHash},
    {"wall-clock", kEverywhere, "system_clock", kUseContext},
    {"wall-clock", kEverywhere, "steady_clock", kUseContext},
    {"wall-clock", kEverywhere, "high_resolution_clock", kUseContext},
    {"wall-clock", kEverywhere, "gettimeofday (", kUseContext},
    {"wall-clock", kEverywhere, "clock_gettime (", kUseContext},
    {"wall-clock", kEverywhere, "clock ( )", kUseContext},
    {"wall-clock", kEverywhere, "std :: time (", kUseContext},
    {"wall-clock", kEverywhere, "time ( nullptr )", kUseContext},
    {"wall-clock", kEverywhere, "time ( NULL )", kUseContext},
    {"wall-clock", kEverywhere, "time ( 0 )", kUseContext},
    {"wall-clock", kEverywhere, "time ( & ", kUseContext},
    {"std-unordered", kEverywhere, "std :: unordered_map", kUseFlatMap},
    {"std-unordered", kEverywhere, "std :: unordered_set", kUseFlatMap},
    {"std-unordered", kEverywhere, "std :: unordered_multimap", kUseFlatMap},
    {"std-unordered", kEverywhere, "std :: unordered_multiset", kUseFlatMap},
    {"getenv", kEverywhere, "getenv (", "read the environment in cli/ and pass the value down"},
    {"getenv", kEverywhere, "secure_getenv (", "read the environment in cli/ and pass it down"},
    {"core-thread", kCore, "std :: thread", kNoThreads},
    {"core-thread", kCore, "std :: jthread", kNoThreads},
    {"core-thread", kCore, "std :: mutex", kNoThreads},
    {"core-thread", kCore, "std :: shared_mutex", kNoThreads},
    {"core-thread", kCore, "std :: atomic", kNoThreads},
    {"core-thread", kCore, "std :: condition_variable", kNoThreads},
    {"core-thread", kCore, "std :: async", kNoThreads},
    {"core-thread", kCore, "std :: this_thread", kNoThreads},
    {"core-thread", kCore, "thread_local", kNoThreads},
    {"core-iostream", kCore, "std :: cout", kNoStreams},
    {"core-iostream", kCore, "std :: cerr", kNoStreams},
    {"core-iostream", kCore, "std :: clog", kNoStreams},
    {"core-iostream", kCore, "printf (", kNoStreams},
    {"core-iostream", kCore, "fprintf (", kNoStreams},
    {"core-iostream", kCore, "fopen (", kNoStreams},
    {"core-sim-time", kCore, "SimTime",
     "the core knows MonotonicTime, LocalTime and Stamp; only base/ and trace/ name SimTime"},
};

struct BannedInclude {
  std::string_view rule;
  std::string_view folder;
  std::string_view header;
  std::string_view remedy;
};

constexpr BannedInclude kBannedIncludes[] = {
    {"std-random", kEverywhere, "random", kUseStreams},
    {"std-unordered", kEverywhere, "unordered_map", kUseFlatMap},
    {"std-unordered", kEverywhere, "unordered_set", kUseFlatMap},
    {"core-thread", kCore, "thread", kNoThreads},
    {"core-thread", kCore, "mutex", kNoThreads},
    {"core-thread", kCore, "shared_mutex", kNoThreads},
    {"core-thread", kCore, "atomic", kNoThreads},
    {"core-thread", kCore, "condition_variable", kNoThreads},
    {"core-thread", kCore, "future", kNoThreads},
    {"core-iostream", kCore, "iostream", kNoStreams},
    {"core-iostream", kCore, "fstream", kNoStreams},
    {"catch-door", kEverywhere, "catch2/catch.hpp", "include tests/support/catch.h"},
    {"catch-door", kEverywhere, "catch2/catch_all.hpp", "include tests/support/catch.h"},
};

struct Exception {
  std::string_view rule;
  std::string_view place;  // a folder that ends with '/', or a file
  std::string_view reason;
};

constexpr Exception kExceptions[] = {
    {"wall-clock", "cli/", "the program shows wall time and an estimate of the remaining time"},
    {"wall-clock", "campaigns/runs/clocks.h", "time limits of campaigns; it affects no result"},
    {"wall-clock", "campaigns/runs/clocks.cc", "the cost of a run; it affects no result"},
    {"wall-clock", "tests/bench/", "a benchmark measures wall time"},
    {"getenv", "cli/", "the one place that reads the environment"},
    {"getenv", "tests/paxos/", "widens or replays a campaign; writes transcripts anew"},
    {"getenv", "tests/analysis/", "widens a campaign"},
    {"getenv", "tests/mutants/auto/", "switches a mutant on in a copy of the sources"},
    {"getenv", "tests/cli/", "sets the environment of the program under test"},
    {"catch-door", "tests/support/", "this is the only include of Catch2"},
    {"core-sim-time", "core_impl/base/", "declares the clocks"},
    {"core-sim-time", "core_impl/trace/", "records are stamped by the seam"},
    {"core-thread", "core_impl/base/check.cc", "one sink per run, and one run per thread"},
    {"core-thread", "core_impl/base/mark.h", "one sink per run, and one run per thread"},
    {"core-thread", "core_impl/base/recycling_allocator.cc", "free blocks are kept per thread"},
    {"core-iostream", "core_impl/base/check.cc",
     "a failed check without a sink is reported and aborts"},
};

// Libraries that take seconds to compile (DESIGN section 9) stay out of headers.
constexpr std::string_view kHeavyHeaders[] = {"toml++/", "CLI/",    "boost/json", "boost/histogram",
                                              "Eigen",   "eigen3/", "boost/math"};

bool excepted(std::string_view rule, std::string_view path) {
  for (const Exception& exception : kExceptions) {
    const bool place = exception.place.ends_with('/') ? path.starts_with(exception.place)
                                                      : path == exception.place;
    if (exception.rule == rule && place) return true;
  }
  return false;
}

std::vector<std::string_view> split_pattern(std::string_view pattern) {
  std::vector<std::string_view> parts;
  while (!pattern.empty()) {
    const auto end = pattern.find(' ');
    if (end != 0) parts.push_back(pattern.substr(0, end));
    pattern = end == std::string_view::npos ? std::string_view{} : pattern.substr(end + 1);
  }
  return parts;
}

// Whether the name at `i` is free: not a member, not declared here, not from another namespace.
bool is_free_name(const std::vector<Token>& tokens, std::size_t i, bool call) {
  if (i == 0) return true;
  const std::string& before = tokens[i - 1].text;
  if (before == "." || before == "->") return false;
  if (before == "::") {
    const bool global =
        i < 2 || !is_identifier(tokens[i - 2].text) || tokens[i - 2].text == "return";
    return global || tokens[i - 2].text == "std" || tokens[i - 2].text == "chrono";
  }
  // `SimTime clock() const` declares a member of that name; `return clock()` calls.
  const bool declares = is_identifier(before) && before != "return" && before != "co_return";
  return !(call && (declares || before == "&" || before == "*" || before == ">"));
}

bool matches(const std::vector<Token>& tokens, std::size_t i,
             const std::vector<std::string_view>& pattern) {
  if (i + pattern.size() > tokens.size()) return false;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    if (tokens[i + k].text != pattern[k]) return false;
  }
  const bool call = pattern.size() > 1 && pattern[1] == "(";
  return is_free_name(tokens, i, call);
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

void check_ban(const SourceFile& file, const Ban& ban, Findings& findings) {
  if (!file.path.starts_with(ban.folder) || excepted(ban.rule, file.path)) return;
  const auto pattern = split_pattern(ban.pattern);
  for (std::size_t i = 0; i < file.tokens.size(); ++i) {
    if (!matches(file.tokens, i, pattern)) continue;
    findings.push_back({file.path, file.tokens[i].line, std::string(ban.rule),
                        "'" + joined(pattern) + "' is banned: " + std::string(ban.remedy)});
  }
}

// std::uniform_int_distribution and its kin: their results differ between libraries.
void check_std_distributions(const SourceFile& file, Findings& findings) {
  const auto& tokens = file.tokens;
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    const bool qualified = tokens[i - 1].text == "::" && tokens[i - 2].text == "std";
    const std::string& name = tokens[i].text;
    if (!qualified || !(name.ends_with("_distribution") || name.ends_with("_engine"))) continue;
    findings.push_back({file.path, tokens[i].line, "std-random",
                        "'std::" + name + "' is banned: " + std::string(kUseStreams)});
  }
}

// std::map<T*, ...>, std::set<T*>, std::less<T*>: the order of addresses changes from run to run.
void check_pointer_order(const SourceFile& file, Findings& findings) {
  constexpr std::array<std::string_view, 6> kOrdered = {"map",      "set",  "multimap",
                                                        "multiset", "less", "greater"};
  const auto& tokens = file.tokens;
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    if (tokens[i - 1].text != "::" || tokens[i - 2].text != "std") continue;
    bool ordered = false;
    for (const std::string_view name : kOrdered) ordered = ordered || tokens[i].text == name;
    if (!ordered || tokens[i + 1].text != "<") continue;
    const std::size_t end = skip_angles(tokens, i + 1);
    int depth = 0;
    std::size_t last = i + 1;  // the last token of the first template argument
    for (std::size_t k = i + 1; k < end; ++k) {
      const std::string& text = tokens[k].text;
      if (text == "<" || text == "(") ++depth;
      if (text == ">" || text == ")") --depth;
      if (depth == 0 || (depth == 1 && text == ",")) break;
      last = k;
    }
    if (tokens[last].text != "*") continue;
    findings.push_back({file.path, tokens[i].line, "pointer-order",
                        "'std::" + tokens[i].text +
                            "' is ordered by pointers, which differ from run to run: order by an "
                            "id"});
  }
}

void check_banned_includes(const SourceFile& file, Findings& findings) {
  for (const Include& include : file.includes) {
    for (const BannedInclude& ban : kBannedIncludes) {
      if (include.path != ban.header || include.quoted) continue;
      if (!file.path.starts_with(ban.folder) || excepted(ban.rule, file.path)) continue;
      findings.push_back({file.path, include.line, std::string(ban.rule),
                          "<" + include.path + "> is banned: " + std::string(ban.remedy)});
    }
    if (!file.is_header()) continue;
    for (const std::string_view heavy : kHeavyHeaders) {
      if (!include.path.starts_with(heavy)) continue;
      findings.push_back({file.path, include.line, "heavy-header",
                          "<" + include.path +
                              "> takes seconds in every file that includes this header: include it "
                              "in one .cc file"});
    }
  }
}

}  // namespace

void check_bans(const SourceFile& file, Findings& findings) {
  for (const Ban& ban : kBans) check_ban(file, ban, findings);
  check_std_distributions(file, findings);
  check_pointer_order(file, findings);
  check_banned_includes(file, findings);
}

}  // namespace photonsim::lint
