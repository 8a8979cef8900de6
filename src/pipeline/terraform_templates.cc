#include "pipeline/terraform_templates.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "syntax/hcl_reader.h"
#include "syntax/template_reads.h"

namespace muster {
namespace {

constexpr std::string_view kCall = "templatefile(";
constexpr std::size_t kMostTemplateCalls = 5000;  // of all files together
constexpr std::size_t kMostLooks = 1'000'000;  // at names that templates read, of all calls

struct TemplateCall {
  std::string_view path;                            ///< as written, without quotes
  std::optional<std::set<std::string_view>> gives;  ///< nothing: not written out
};

/// `{ a = 1, "b" = 2 }`; nothing where a key is an expression, or it is no such thing alone.
std::optional<std::set<std::string_view>> keys_of_object(HclReader& in) {
  std::set<std::string_view> out;
  if (in.here() != '{') return std::nullopt;
  for (++in.at;;) {
    in.skip(true);
    while (in.here() == ',') {
      ++in.at;
      in.skip(true);
    }
    if (in.ended()) return std::nullopt;
    if (in.here() == '}') break;
    const bool quoted = in.here() == '"';
    std::size_t begin = in.at;
    if (quoted)
      in.skip_text();
    else
      while (!in.ended() && is_hcl_letter(in.here())) ++in.at;
    std::size_t end = in.at;
    if (quoted) {
      ++begin;
      --end;
    }
    if (end <= begin) return std::nullopt;
    in.skip(false);
    if (in.here() != '=' && in.here() != ':') return std::nullopt;
    out.insert(in.text().substr(begin, end - begin));
    ++in.at;
    in.skip(false);
    in.skip_expression();
  }
  ++in.at;
  in.skip(true);
  return in.here() == ')' ? std::optional(std::move(out)) : std::nullopt;
}

/// The call whose bracket opened before `at`.
std::optional<TemplateCall> call_at(std::string_view text, std::size_t at) {
  std::size_t left = 4 * std::min<std::size_t>(text.size() - at, 100'000) + 100;  // steps
  HclReader in(text, left);
  in.at = at;
  in.skip(true);
  if (in.here() != '"') return std::nullopt;
  const std::size_t begin = in.at + 1;
  in.skip_text();
  TemplateCall out;
  out.path = text.substr(begin, in.at - 1 - begin);
  in.skip(true);
  if (in.here() != ',') return std::nullopt;
  ++in.at;
  in.skip(true);
  out.gives = keys_of_object(in);
  return out;
}

/// Which places of a text stand in comments; asked of them in their order.
class HclComments {
 public:
  explicit HclComments(std::string_view text) : text_(text), opens_(text.find("/*")) {}

  bool hold(std::size_t at) {
    constexpr std::size_t kLongLine = 2000;  // what is further right in a line is not looked at
    const std::size_t begin = at - std::min(at, kLongLine);
    const std::string_view before = text_.substr(begin, at - begin);
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    if (line.size() == kLongLine || contains(line, "#") || contains(line, "//")) return true;
    while (opens_ != text_.npos && opens_ < at) {
      const std::size_t closes = text_.find("*/", opens_ + 2);
      if (closes == text_.npos || closes > at) return true;
      opens_ = text_.find("/*", closes + 2);
    }
    return false;
  }

 private:
  std::string_view text_;
  std::size_t opens_;  ///< the first block of comments that does not end before the place last asked
};

class TerraformTemplates {
 public:
  TerraformTemplates(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), reach_(inputs), names_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      if (!file.context.path.ends_with(".tf") || file.reading != Reading::Whole || file.named) continue;
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      HclComments comments(text);
      for (std::size_t at = text.find(kCall); at != text.npos; at = text.find(kCall, at + 1)) {
        if (++calls_ > kMostTemplateCalls) return;
        if (comments.hold(at)) continue;
        if (const auto call = call_at(text, at + kCall.size())) judge(i, at, *call);
      }
    }
  }

 private:
  void judge(std::size_t i, std::size_t at, const TemplateCall& call) {
    constexpr std::string_view kModule = "${path.module}/";
    const bool of_module = call.path.starts_with(kModule);
    const std::string_view rest = call.path.substr(of_module ? kModule.size() : 0);
    if (rest.empty() || rest.starts_with('/') || contains(rest, "${") || contains(rest, "%{")) return;
    const std::string path = joined_path(inputs_.files[i].context.folder, rest);
    const auto begin = static_cast<std::uint32_t>(at);
    const Span where{static_cast<FileId>(i), begin, begin + static_cast<std::uint32_t>(kCall.size() - 1)};
    const std::optional<std::size_t> there = names_.at(path);
    if (there) {
      if (call.gives) variables(*there, where, *call.gives);
    } else if (of_module && !names_.is_aside(last_part(path)) && reach_.holds(path)) {
      findings_.push_back(
          problem("terraform-template-missing", where, "there is no template at `" + std::string(rest) + "`"));
    }
  }

  void variables(std::size_t file, const Span& call, const std::set<std::string_view>& gives) {
    if (inputs_.files[file].reading != Reading::Whole) return;
    const auto [reads, fresh] = reads_.try_emplace(file);
    if (fresh) reads->second = template_reads(inputs_.sources.file(static_cast<FileId>(file)).text());
    for (const TemplateRead& one : reads->second) {
      if (looks_++ > kMostLooks) return;
      if (gives.contains(one.name) || !said_.emplace(file, one.at).second) continue;
      const Span where{static_cast<FileId>(file), one.at, one.at + static_cast<std::uint32_t>(one.name.size())};
      Finding finding = problem("terraform-template-variable-missing", where,
                                "templatefile() does not give `" + std::string(one.name) + "`, which is read here");
      finding.related.push_back({call, "here the template is called"});
      findings_.push_back(std::move(finding));
    }
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  std::map<std::size_t, std::vector<TemplateRead>> reads_;  ///< of templates, by file
  std::set<std::pair<std::size_t, std::uint32_t>> said_;    ///< places in templates
  std::size_t calls_ = 0;
  std::size_t looks_ = 0;
};

}  // namespace

void find_terraform_templates(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformTemplates(inputs, findings).run();
}

}  // namespace muster
