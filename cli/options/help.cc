#include "cli/options/help.h"

#include <sstream>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analysis/explain/wrapped.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::cli {
namespace {

constexpr std::size_t kPage = 80;   // columns
constexpr std::size_t kNames = 26;  // of them for the names of options and verbs

using photon::analysis::wrapped;

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kNames); }

  std::string make_description(const CLI::App* app) const override {
    const std::string text = app->get_description();
    return text.empty() ? text : wrapped(text, kPage) + "\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string text = app->get_footer();
    return text.empty() ? text : wrapped(text, kPage) + "\n";
  }
  std::string make_subcommand(const CLI::App* sub) const override {
    return entry(sub->get_name(), sub->get_description());
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option),
                 option->get_description());
  }
  // Only the kind of value: the option's text says what it needs or excludes.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0 || option->get_positional()) return {};
    const std::string type = option->get_type_name();
    const std::string kind = type.substr(0, type.find(':'));  // after it: how it is checked
    return kind.empty() ? kind : " " + kind;
  }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    const std::string name = CLI::Formatter::make_option_name(option, is_positional);
    return name.substr(0, name.find('{'));  // after it: the value of a bare flag
  }

 private:
  static std::string entry(const std::string& name, const std::string& description) {
    std::ostringstream out;
    CLI::detail::format_help(out, name, wrapped(description, kPage - kNames), kNames);
    return out.str();
  }
};

// The verb that the command line names; the program if it names none.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

// "photonsim db verify"
std::string words_of(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : words_of(*parent) + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& each : option->get_lnames()) names.push_back("--" + each);
    for (const std::string& each : option->get_snames()) names.push_back("-" + each);
  }
  return names;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

std::string unknown(std::string_view what, const std::string& word, const CLI::App& app,
                    const std::vector<std::string>& known) {
  const std::string near = scenarios::closest(word, known);
  return fmt::format("{} has no {} '{}'; {}`{} --help` lists them", words_of(app), what, word,
                     near.empty() ? "" : fmt::format("did you mean {}? ", near), words_of(app));
}

// For the first word that neither `app` nor one of its options takes; empty if there is none.
std::string unknown_in(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return {};
  const std::string& word = words.front();
  if (word.size() > 1 && word.front() == '-' && word != "--") {
    return unknown("option", word.substr(0, word.find('=')), app, option_names(app));
  }
  const std::vector<std::string> verbs = verb_names(app);
  if (!verbs.empty()) return unknown("command", word, app, verbs);
  return fmt::format("{} takes no further argument '{}'; `{} --help` shows what it takes",
                     words_of(app), word, words_of(app));
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = innermost(app);
  for (const CLI::App* at = &app;; at = at->get_subcommands().front()) {
    if (const std::string problem = unknown_in(*at); !problem.empty()) return problem;
    if (at == &verb) break;
  }
  const std::vector<std::string> verbs = verb_names(verb);
  if (!verbs.empty()) {
    return fmt::format("name a command, one of {}; `{} --help` says what they do",
                       fmt::join(verbs, ", "), words_of(verb));
  }
  return fmt::format("{}; `{} --help` shows what it takes", error.what(), words_of(verb));
}

}  // namespace photonsim::cli
