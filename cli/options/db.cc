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
    verb->callback(chosen);
    CLI::App* merge = db->add_subcommand(
        "merge", "Copy the runs of several results files into one, each run once");
    merge->add_option("INTO", merge_.into, "SQLite file; made if it is not there")->required();
    merge->add_option("FROM", merge_.from, "SQLite files written by --out of sweep or fuzz")
        ->required();
    merge->callback([this, chosen = std::move(chosen)] {
      merges_ = true;
      chosen();
    });
  }

  int execute() override { return merges_ ? db_merge(merge_) : db_verify(verify_); }

 private:
  bool merges_ = false;
  DbVerifyCommand verify_{};
  DbMergeCommand merge_{};
};

}  // namespace

std::unique_ptr<Verb> db_verb() { return std::make_unique<DbVerb>(); }

}  // namespace photonsim::cli
