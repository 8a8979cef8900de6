#include "support/json_schema.h"
#include "support/json.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace muster::test {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

struct JsonSchema::Parts {
  valijson::Schema schema;
  valijson::Validator validator;
};

JsonSchema::JsonSchema(const std::string& text, Draft draft) : parts_(std::make_unique<Parts>()) {
  const nlohmann::json json = nlohmann::json::parse(text);
  valijson::SchemaParser parser(draft == Draft::Four ? valijson::SchemaParser::kDraft4
                                                     : valijson::SchemaParser::kDraft7);
  parser.populateSchema(Adapter(json), parts_->schema);
}

JsonSchema::~JsonSchema() = default;
JsonSchema::JsonSchema(JsonSchema&& other) noexcept = default;

std::string JsonSchema::complaint(const nlohmann::json& document) const {
  if (parts_->validator.validate(parts_->schema, Adapter(document), nullptr)) return "";
  valijson::ValidationResults results;
  parts_->validator.validate(parts_->schema, Adapter(document), &results);
  valijson::ValidationResults::Error error;
  if (!results.popError(error)) return "refused";
  std::string out;
  for (const std::string& piece : error.context) out += piece;
  return out + ": " + error.description;
}

}  // namespace muster::test
