// How --help is laid out, and what is said of a command line that cannot be understood.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class App;
class FormatterBase;
class ParseError;
}  // namespace CLI

namespace photonsim::cli {

// Pages of at most 80 columns.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// What is wrong with the command line. A command or an option that does not exist is named first,
// with the nearest one that does, whatever else is wrong: the rest may follow from it. Requires
// that `app` has thrown `error` while it parsed, and that it is no request for help or version.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace photonsim::cli
