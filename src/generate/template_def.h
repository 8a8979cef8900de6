#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "expr/expr.h"

namespace muster {

enum class OutputFormat {
  SlurmConf,
  Yaml,
  Plain,  ///< lines of which we know no grammar: values are plain words
  Shell,  ///< a script of sh or bash
};
template <>
struct EnumNames<OutputFormat> {
  static constexpr std::string_view names[] = {"slurm-conf", "yaml", "plain", "shell"};
};

/// How a value may be used in a template's text.
enum class ValueKind {
  Quoted,   ///< a value of its own, quoted as the format needs it
  Text,     ///< the same, and a text even where it looks like a number
  Word,     ///< part of a larger text: letters, digits, dots, dashes, underscores, slashes
  Comment,  ///< in a comment
  Folded,   ///< YAML: a text over several lines, the whole value of a key
};

/// `for: d in fleet.domains`
struct Loop {
  std::string variable;
  Expr list;
};

struct TemplateValue {
  ValueKind kind = ValueKind::Quoted;
  Expr expr;
};

/// `{{#NAME}} ... {{/NAME}}`: once for each item of its loop, or once when it has none.
struct TemplateSection {
  std::string name;
  std::optional<Loop> loop;
  std::optional<Expr> when;
  std::map<std::string, TemplateValue> values;
  std::vector<TemplateSection> sections;
};

struct TemplateFile {
  std::string path;                       ///< of the file it writes, as written
  std::optional<Loop> loop;               ///< one file for each item
  std::optional<TextTemplate> path_text;  ///< with values in it
  OutputFormat format = OutputFormat::Yaml;
  std::string text;      ///< with markers
  TemplateSection root;  ///< no name, no loop
};

/// What must hold before anything is written, or what is told beside it.
struct TemplateMessage {
  std::optional<Loop> loop;
  Expr condition;
  TextTemplate message;
};

/// A name that the expressions of a template may use. A selection leaves out the items that miss a fact, and says so.
struct TemplateLet {
  std::string name;
  std::optional<Expr> value;  ///< or, where there is none, a selection:
  std::optional<Loop> loop;
  std::optional<Expr> when;
  std::vector<Expr> needs;  ///< facts without which nothing can be written of an item
};

/// A folder of templates/.
struct TemplateDef {
  std::string id;
  std::string doc;
  std::optional<Expr> called_for;  ///< whether `generate all` writes it; nothing: only when it is named
  std::vector<std::string> with;   ///< templates whose files it needs beside its own, those of them that are called for
  std::vector<TemplateLet> lets;   ///< each may use those before it
  bool needs_fleet = false;
  bool needs_workloads = false;
  bool needs_rules = false;  ///< what of the rules admission policies can state
  std::vector<TemplateMessage> requirements;
  std::vector<TemplateMessage> notes;
  std::vector<TemplateFile> files;
  std::vector<std::string> sources;
};

/// The templates compiled into the binary, sorted by id. Fails when one of them is wrong, a marker of a text that no
/// value sets or a value that no marker uses included.
Result<std::vector<TemplateDef>> embedded_templates();

/// The same from any set of files: path below the template's folder -> text, by template. `shared` are the
/// files of templates/shared: definitions.yaml with names, requirements and sections that several templates use, and
/// pieces of text.
Result<TemplateDef> load_template(const std::string& folder, const std::map<std::string, std::string>& files,
                                  const std::map<std::string, std::string>& shared = {});

}  // namespace muster
