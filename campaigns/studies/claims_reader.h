// Reads the [[claim]] tables of a study file.
#pragma once

#include "campaigns/studies/claim.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

class ClaimsReader {
 public:
  ClaimsReader(Study& study, StudyTables& tables) : study_(study), tables_(tables) {}

  void read(const scenarios::Value& list);

 private:
  void read_one(const scenarios::Value& table);
  void level(const scenarios::Value& value, Claim& claim);
  void band(const scenarios::Value& table, Claim& claim);
  // share or difference: the half-width of a band around what theory says.
  void around(const scenarios::Value& value, Claim& claim, Claim::Against against);
  // An end of the band, in the unit of the figure.
  void end(const scenarios::Value& table, std::string_view name, const Claim& claim,
           std::optional<double>& to);
  void check(const scenarios::Value& table, const Claim& claim);

  Study& study_;
  StudyTables& tables_;
};

}  // namespace photonsim::campaigns
