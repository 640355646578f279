#include "cli/commands/console.h"

#include "cli/commands/output.h"

namespace photonsim::cli {

void Console::on_progress(double share, const std::string& text) {
  if (!line_) line_.emplace(what_);
  if (line_->due()) line_->show(share, text, "adding up");
}

void Console::on_note(const std::string& text) {
  line_.reset();  // clears it
  say(text + "\n");
}

void Console::on_problem(const std::string& text) {
  line_.reset();
  complain(text);
}

}  // namespace photonsim::cli
