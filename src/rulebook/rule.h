#pragma once

#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "finding/rule_info.h"

namespace muster {

/// A value that may depend on the case: the first whose condition holds.
template <class T>
struct ByCase {
  struct Case {
    std::optional<Expr> when;  ///< none: always
    T is;
  };
  std::vector<Case> cases;
};

/// A condition on a target version, such as ">=1.0".
struct VersionRange {
  std::string target;
  Op op = Op::GreaterEqual;
  Version version;
};

/// The other half of a contradiction that a finding shows.
struct RelatedTemplate {
  std::optional<Expr> when;  ///< shown only where this holds
  Expr at;
  TextTemplate message;
};

/// What does away with a finding. Of a rule that C++ judges that says where and what, too.
struct FixTemplate {
  std::vector<Expr> when;               ///< all must hold
  std::optional<Expr> at;               ///< none: where the finding points
  std::optional<TextTemplate> replace;  ///< none: the whole stretch
  std::optional<TextTemplate> with;     ///< where it comes to nothing there is no fix, or the removal
  std::optional<Expr> before;           ///< `with` becomes a line of its own before the one there
  bool everywhere = false;
  bool remove = false;  ///< where `with` comes to nothing, or is a line of its own
};

/// A rule as data. Either `collection` and what follows it, or the name of the C++ that finds it.
struct Rule {
  RuleInfo info;
  std::string file;
  const Collection* collection = nullptr;
  std::string variable;
  std::vector<Expr> when;      ///< all must hold
  std::optional<Expr> always;  ///< where it holds, releases of before those that the rules know do the same
  std::optional<Expr> at;      ///< where the finding points; none: the object's own place
  std::optional<TextTemplate> message;
  std::optional<TextTemplate> follows;
  std::optional<TextTemplate> help;
  std::vector<RelatedTemplate> related;
  std::vector<FixTemplate> fixes;  ///< the first that goes counts
  ByCase<Severity> severity;
  ByCase<Effect> effect;
  std::vector<VersionRange> applies;  ///< outside of these versions the rule is not judged
  std::set<std::string> targets;      ///< whose versions its conditions read
  bool named_only = false;            ///< of a shipped rule that an input does not need: only id and family are read
  bool enabled = true;                ///< `severity: off` in muster.yaml
  bool judges_spelling = false;       ///< so a placeholder is nothing to ask about
  std::string check;                  ///< name of its C++: a reader or a check of src/lint/checks
  std::list<std::string> texts;       ///< of its parameters, to which its expressions point
};

}  // namespace muster
