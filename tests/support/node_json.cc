#include "support/node_json.h"

namespace muster::test {

using Json = nlohmann::json;

Json to_json(const Node& node) {
  if (node.is_mapping()) {
    Json out = Json::object();
    for (std::size_t i = 0; i < node.size(); ++i) out[std::string(node.key(i).text())] = to_json(node.value(i));
    return out;
  }
  if (node.is_sequence()) {
    Json out = Json::array();
    for (std::size_t i = 0; i < node.size(); ++i) out.push_back(to_json(node.item(i)));
    return out;
  }
  if (node.is_null()) return nullptr;
  if (node.style() != ScalarStyle::Plain) return std::string(node.text());
  const Json value = Json::parse(node.text(), nullptr, false);
  return value.is_discarded() ? Json(std::string(node.text())) : value;
}

}  // namespace muster::test
