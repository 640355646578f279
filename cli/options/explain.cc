#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class ExplainVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("explain", "Explain a key, a name in a report or the exit codes");
    CLI::Option* const key = verb->add_option("NAME", key_,
                                              "Such as registry.lease, search.points, J-S5, BC-05, "
                                              "L-crash, a mark, exit-codes, metrics or "
                                              "study-keys");
    verb->add_flag("--marks", lists_marks_,
                   "List the coverage marks instead: name, rarity, place, what happens there")
        ->excludes(key);
    verb->callback(std::move(chosen));
  }

  int execute() override { return lists_marks_ ? explain_marks() : explain(key_); }

 private:
  std::string key_{};
  bool lists_marks_ = false;
};

}  // namespace

std::unique_ptr<Verb> explain_verb() { return std::make_unique<ExplainVerb>(); }

}  // namespace photonsim::cli
