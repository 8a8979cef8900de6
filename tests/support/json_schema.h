#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace muster::test {

/// A JSON Schema, judged by valijson.
class JsonSchema {
 public:
  enum class Draft { Four, Seven };
  explicit JsonSchema(const std::string& text, Draft draft = Draft::Seven);
  ~JsonSchema();
  JsonSchema(const JsonSchema&) = delete;
  JsonSchema(JsonSchema&& other) noexcept;
  JsonSchema& operator=(const JsonSchema&) = delete;

  bool accepts(const nlohmann::json& document) const { return complaint(document).empty(); }
  /// What it says first, with the place; empty when it accepts.
  std::string complaint(const nlohmann::json& document) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace muster::test
