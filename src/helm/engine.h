#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "helm/parse_template.h"
#include "helm/value.h"

namespace muster::helm {

/// A value of a file of values that an action looked at.
struct Origin {
  std::string text;
  Span where;
};

/// A stretch of what a template wrote, up to the next one's beginning.
struct Piece {
  std::size_t at = 0;     ///< in the result
  std::size_t begin = 0;  ///< in the template: of a text the same bytes, else the action
  std::size_t end = 0;
  bool literal = false;
  std::vector<Origin> seen;  ///< by an action
};

struct Written {
  std::string text;
  std::vector<Piece> pieces;
};

/// What `.Files` has: the files of the chart that are no templates.
using ChartFileTexts = std::map<std::string, std::string_view, std::less<>>;

/// Executes templates as Go's text/template and Helm's functions do. Bounded: it gives up with a trouble where a
/// template takes too many steps or writes too much. Sources: golang/go:src/text/template/exec.go (1.25);
/// helm/helm:pkg/engine (3.19).
class Engine {
 public:
  Engine(Store& store, std::size_t steps) : store_(store), left_(steps) {}

  /// `text` lives as long as this. False with a trouble where Go refuses it. What `define` names is known to all.
  bool add(std::string name, std::string_view text);
  /// What a template that was added writes.
  Written write(const std::string& name, const Value& dot);

  // For functions.
  Store& store() { return store_; }
  Value include(const std::string& name, const Value& dot);
  Value expand(const std::string& text, const Value& dot);  ///< `tpl`
  Value fail(std::string why);
  Value refuse(std::string why);  ///< as a template does on purpose: `fail`, `required`
  bool failed() const { return !trouble_.empty(); }
  const std::string& trouble() const { return trouble_; }
  bool refused() const { return refused_; }
  /// False, with a trouble, when nothing is left.
  bool spend(std::size_t steps);
  std::size_t left() const { return left_; }
  void see(const Value& value);
  void see(std::string_view key, const Span& where);

  std::function<bool(std::string_view)> has_api;  ///< what `.Capabilities.APIVersions.Has` answers
  std::map<const Map*, ChartFileTexts> files;     ///< by the value that `.Files` is

 private:
  struct Template {
    const std::vector<Part>* parts = nullptr;
    std::string_view text;
  };
  struct Variable {
    std::string_view name;
    Value value;
  };
  enum class Flow : unsigned char { On, Break, Continue };
  /// What is executed now.
  struct Frame {
    std::string_view text;
    std::string& out;
    std::vector<Piece>* pieces;  ///< of the outermost template alone
    std::vector<Variable> variables;
  };

  const Template* find(std::string_view name) const;
  void run(const Template& what, const Value& dot, std::string& out, std::vector<Piece>* pieces);
  Flow parts(const std::vector<Part>& list, const Value& dot, Frame& frame);
  Flow part(const Part& one, const Value& dot, Frame& frame);
  Flow range(const Part& one, const Value& dot, Frame& frame);
  Flow round(const Part& one, const Value& key, const Value& item, Frame& frame);
  void put(Frame& frame, std::string_view text);
  void begin_piece(Frame& frame, const Part& part, bool literal) const;
  void use(const Part& one, const Value& dot, Frame& frame);
  Value pipeline(const Pipeline& what, const Value& dot, Frame& frame);
  Value command(const Command& what, const Value& dot, Frame& frame, const Value* last);
  Value operand(const Operand& what, const Value& dot, Frame& frame);
  Value fields(Value value, const std::vector<std::string>& names, std::size_t count);
  Value field(const Value& value, const std::string& name);
  Value method(const Value& value, const std::string& name, const std::vector<Value>& arguments);
  Value call(const std::string& name, const Command& what, const Value& dot, Frame& frame, const Value* last);

  Store& store_;
  std::deque<ParsedTemplate> parsed_;
  std::deque<std::string> texts_;  ///< of `tpl`
  std::map<std::string, Template, std::less<>> templates_;
  std::string trouble_;
  bool refused_ = false;
  std::vector<Origin>* seen_ = nullptr;  ///< of the action that is executed now
  std::size_t left_;                     ///< steps
  int depth_ = 0;
};

}  // namespace muster::helm
