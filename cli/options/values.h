// Options that several verbs share, and the readers of option values.
//
// Every reader throws CLI::ValidationError, which names the option, for invalid text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/swarm/swarm.h"
#include "cli/commands/commands.h"
#include "core_impl/base/time.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace photonsim::cli {

inline constexpr const char* kResultsFile = "SQLite file written by --out of run, sweep or fuzz";

// A seed. Strict: a sign, a wrap-around or an octal reading would run another seed.
std::uint64_t seed_of(const char* option, const std::string& text);

// A duration of zero or more: "5s".
photon::Duration length_of(const char* option, const std::string& text);

// A time limit: a duration above zero.
std::chrono::nanoseconds time_of(const char* option, const std::string& text);

// A memory limit in bytes, at least what the program itself needs.
std::uint64_t memory_of(const char* option, const std::string& text);

// --shard: "2/8" is the second of eight.
campaigns::Share share_of(const std::string& text);

// A CLI11 check for file names: a script's empty variable is an error, not "no file".
std::string not_empty(const std::string& file);

// --expect: gates on figures.
void add_expected(CLI::App* verb, std::vector<std::string>& expected);
CLI::Option* add_overrides(CLI::App* verb, std::vector<std::string>& overrides);
// --memory of one run.
void add_memory(CLI::App* verb, std::optional<std::uint64_t>& memory);
void add_json(CLI::App* verb, OutputForm& form);
// --workers of one run.
void add_workers(CLI::App* verb, unsigned& workers);

// The options of generated configurations. `needed`: the option that they require, or null.
void add_swarm_options(CLI::App* verb, scenarios::swarm::Options& options,
                       CLI::Option* needed = nullptr);

// With --swarm: true if neither scenario files nor --set are given; else complains.
bool takes_only_seeds(std::size_t scenarios, const std::vector<std::string>& overrides);

}  // namespace photonsim::cli
