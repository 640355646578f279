// A verb of the program: its name, its options, and its action.
//
// Each verb has a file in this folder; `main.cc` assembles them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace photonsim::cli {

class Verb {
 public:
  Verb() = default;
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;
  virtual ~Verb() = default;

  // Adds the verb to the program. The parsed values go into members: the verb must outlive `app`.
  // `chosen` is called if the command line names this verb.
  virtual void declare(CLI::App& app, std::function<void()> chosen) = 0;
  // Requires that the command line was parsed; returns the exit code of the program.
  virtual int execute() = 0;
};

std::unique_ptr<Verb> check_verb();
std::unique_ptr<Verb> db_verb();
std::unique_ptr<Verb> diff_verb();
std::unique_ptr<Verb> explain_verb();
std::unique_ptr<Verb> export_verb();
std::unique_ptr<Verb> fuzz_verb();
std::unique_ptr<Verb> judge_verb();
std::unique_ptr<Verb> plan_verb();
std::unique_ptr<Verb> report_verb();
std::unique_ptr<Verb> repro_verb();
std::unique_ptr<Verb> run_verb();
std::unique_ptr<Verb> scorecard_verb();
std::unique_ptr<Verb> swarm_verb();
std::unique_ptr<Verb> sweep_verb();
std::unique_ptr<Verb> trace_verb();

}  // namespace photonsim::cli
