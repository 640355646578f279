// Options that several verbs take, and how the values of options are read.
//
// Every reader throws CLI::ValidationError, which names the option, for a text that it refuses.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/swarm/swarm.h"
#include "cli/commands.h"
#include "core_impl/base/time.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace photonsim::cli {

inline constexpr const char* kResultsFile = "SQLite file written by run --out or fuzz --out";

// A seed. Strict: a sign, a wrap-around or an octal reading would run another seed than the one
// asked for.
std::uint64_t seed_of(const char* option, const std::string& text);

// A duration of zero or more: "5s".
photon::Duration length_of(const char* option, const std::string& text);

// A time limit: a duration above zero.
std::chrono::nanoseconds time_of(const char* option, const std::string& text);

// A memory limit in bytes, at least what the program itself needs.
std::uint64_t memory_of(const char* option, const std::string& text);

// A check of CLI11 for names of files: a name that a script left empty is not the wish for no file.
std::string not_empty(const std::string& file);

CLI::Option* add_overrides(CLI::App* verb, std::vector<std::string>& overrides);
// --memory of one run.
void add_memory(CLI::App* verb, std::optional<std::uint64_t>& memory);
void add_json(CLI::App* verb, OutputForm& form);

// What the configurations of the swarm are drawn from. `needed`: the option without which they mean
// nothing, or null.
void add_swarm_options(CLI::App* verb, scenarios::swarm::Options& options,
                       CLI::Option* needed = nullptr);

}  // namespace photonsim::cli
