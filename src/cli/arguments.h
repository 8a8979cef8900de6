#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace muster {

/// What the command line said, not yet judged. Defaults are those of --help.
struct Arguments {
  std::string command;  ///< check, decide, ...
  std::vector<std::string> paths;
  std::string name;                  ///< of a template, rule or stage
  std::vector<std::string> formats;  ///< FORMAT or FORMAT=PATH
  std::string fleet;
  std::string workloads;
  std::string config;
  std::vector<std::string> rules;
  std::vector<std::string> targets;
  std::string fail_on = "error";
  std::string review_fail_on = "never";  ///< a review is a document, not a gate
  std::string rules_url;                 ///< of --rules-url, else of the build; empty: the reference is not published
  unsigned threads = 0;                  ///< 0: one a processor
  bool fail_on_unknown = false;
  bool fail_on_nothing = false;
  bool coverage = false;
  bool no_ignore = false;
  bool render = false;  ///< charts, with Helm
  std::string color = "auto";
  bool quiet = false;
  bool stats = false;
  bool show_suppressed = false;
  std::string now;
  std::string out;
  bool force = false;
  bool list = false;
  bool why = false;
  std::vector<std::string> select;    ///< rules, patterns, families, planes
  std::vector<std::string> ignore;    ///< likewise
  std::vector<std::string> excludes;  ///< globs
  std::string stdin_name;             ///< what standard input is called
  bool fix = false;                   ///< change the files
  bool unsafe = false;                ///< also where something else happens afterwards
  bool diff = false;                  ///< print what fix would change
  std::string baseline;
  std::string since;           ///< a revision
  std::string shard;           ///< I/N
  std::string fail_on_change;  ///< of diff: baked-in or costly
  bool grow = false;           ///< of baseline write
  bool with_baseline = false;  ///< of init
  std::vector<std::string> why_not;
  std::vector<std::string> sets;        ///< FACT=VALUE
  std::string at;                       ///< FILE:LINE of explain
  std::string expression;               ///< of rules eval, or the folder of rules test
  std::vector<std::string> properties;  ///< of prove
  std::string budget = "200000";        ///< of prove: states of one exploration, or seconds of all: 30s
  std::uint64_t seed = 1;               ///< of prove: of its random search
  std::int64_t faults = 0;              ///< of prove
  std::int64_t concurrent = 1;          ///< of prove
  std::vector<std::string> observed;    ///< of prove: dumps of what runs
  bool stdio = false;                   ///< of lsp: how it speaks anyway
  std::vector<std::string> bindings;    ///< of rules eval: files of names and values, or JSON
};

/// The outcome of reading a command line: arguments, or a text to print and the code to end with.
struct ParsedArguments {
  std::optional<Arguments> arguments;
  std::string text;
  int exit_code = 0;
};

ParsedArguments parse_arguments(const std::vector<std::string>& words);

}  // namespace muster
