#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class DbVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* db = app.add_subcommand("db", "Maintain results files");
    db->require_subcommand(1);
    CLI::App* verb =
        db->add_subcommand("verify", "Check every row of a results file against its checksum");
    verb->add_option("RESULTS", verify_.results, kResultsFile)->required();
    verb->callback(std::move(chosen));
  }

  int execute() override { return db_verify(verify_); }

 private:
  DbVerifyCommand verify_{};
};

}  // namespace

std::unique_ptr<Verb> db_verb() { return std::make_unique<DbVerb>(); }

}  // namespace photonsim::cli
