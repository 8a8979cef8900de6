#include "kinds/joined_objects.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kinds/node_ports.h"
#include "kubernetes/check_object.h"
#include "syntax/placeholder.h"

namespace muster {

bool says_what_it_is(const Node& root) { return !root["apiVersion"].text().empty() && !root["kind"].text().empty(); }

bool is_read_with_config_map(const Node& root) {
  const std::string_view kind = root["kind"].text();
  return kind.ends_with("Configuration") && kind != "KubeSchedulerConfiguration";
}

bool has_template_marks(std::string_view text) {
  // The last two are those of makejinja as homes on Talos have it.
  for (const std::string_view mark : {"{{", "{%", "<%", "#%", "#{"}) {
    if (contains(text, mark)) return true;
  }
  return false;
}

bool has_here_document(std::string_view text) {
  for (std::size_t at = text.find("<<"); at != text.npos; at = text.find("<<", at + 2)) {
    std::string_view word = text.substr(at + 2, text.find('\n', at) - at - 2);
    while (!word.empty() && std::string_view("- '\"").find(word.front()) != word.npos) word.remove_prefix(1);
    const bool command = contains(text.substr(text.rfind('\n', at) + 1, 200), " <<");
    if (command && word.size() >= 3 &&
        std::ranges::all_of(word.substr(0, 3), [](char c) { return c >= 'A' && c <= 'Z'; }))
      return true;
  }
  return false;
}

bool has_marks_of_kserve_alone(std::string_view text) {
  if (!contains(text, "serving.kserve.io/") || contains(text, "{%") || contains(text, "<%")) return false;
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at + 2)) {
    const std::size_t end = text.find_first_of("}\n", at);
    const std::string_view body = trim(text.substr(at + 2, end - at - 2));
    const bool known =
        body == ".Name" || body == ".Namespace" || body.starts_with(".Labels.") || body.starts_with(".Annotations.");
    if (!known) return false;
  }
  return true;
}

bool has_action_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
  return line.find("}}", line.find("{{")) != line.npos && contains(line, "{{");
}

std::vector<Node> further_objects(const Node& root, std::string_view text) {
  std::vector<Node> begins;
  bool version = false;
  bool kind = false;
  bool whole = true;  // each so far says what it is
  for (std::size_t i = 0; root.is_mapping() && i < root.size(); ++i) {
    const Node key = root.key(i);
    const bool is_version = key.text() == "apiVersion";
    const bool is_kind = key.text() == "kind";
    if ((is_version && version) || (is_kind && kind)) {
      whole = whole && version && kind;
      const std::size_t at = key.where().begin;
      if (at == 0 || at > text.size() || text[at - 1] != '\n') return {};
      begins.push_back(key);
      version = kind = false;
    }
    version = version || (is_version && root.value(i).is_scalar());
    kind = kind || (is_kind && root.value(i).is_scalar());
  }
  if (!whole || !version || !kind) begins.clear();
  return begins;
}

void find_objects_twice(const std::deque<Document>& documents, std::string_view text, std::vector<Finding>& findings) {
  if (documents.size() < 2 || has_template_marks(text)) return;
  find_node_ports_twice(documents, text, findings);
  // Name, kind, API group and namespace: most differ in the first.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>, Node> first;
  std::uint32_t end = 0;
  for (const Document& document : documents) {
    const Node root = document.root();
    // What stands within a ConfigMap is for somebody else.
    if (root.where().begin < end) continue;
    end = root.where().end;
    const Node name = root["metadata"]["name"];
    const std::string_view version = root["apiVersion"].text();
    const std::string_view kind = root["kind"].text();
    const bool known = name.is_scalar() && !name.text().empty() && !is_placeholder(name.text()) && !version.empty();
    const bool patch = root["$patch"].exists() || is_stated_in_part(root, version, kind);
    if (!known || kind.empty() || kind == "Namespace" || root["items"].is_sequence() || patch) continue;
    const std::string_view space = root["metadata"]["namespace"].text();
    const auto [at, fresh] = first.try_emplace({name.text(), kind, api_group(version), space}, root);
    const Span one = at->second.where();
    const Span other = root.where();
    if (fresh || one.end - one.begin == other.end - other.begin) continue;
    findings.push_back(
        problem("object-given-twice", name.where(),
                std::string(kind) + " `" + std::string(name.text()) + "` stands above, too, and differs"));
    findings.back().related.push_back({at->second["metadata"]["name"].where(), "the one before"});
  }
}

}  // namespace muster
