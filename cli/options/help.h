// The layout of --help, and error messages for invalid command lines.
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

// The error in the command line. An unknown command or option is reported first, with the nearest
// known one, because other errors may follow from it. Requires that `app` threw `error` while
// parsing, and that it is not a request for help or version.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace photonsim::cli
