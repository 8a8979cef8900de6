#include "syntax/fill_template.h"

#include "support/catch.h"
#include "syntax/template_probe.h"

using namespace muster;

namespace {

FilledValue text(std::string value, Span where = {}) { return {FilledValue::Kind::Text, std::move(value), where}; }
FilledValue yes_or_no(bool value) { return {FilledValue::Kind::Bool, value ? "True" : "False", {}}; }

std::string filled(std::string_view from, const FilledValues& values, const std::set<std::string>& open = {}) {
  return fill_template(from, values, open).text;
}

}  // namespace

TEST_CASE("values are put in for names, and all else of a template stays", "[template]") {
  const FilledValues values{{"a", text("x")}, {"n", {FilledValue::Kind::Number, "8", {}}}};
  CHECK(filled("K={{ a }}-{{a}} L={{- n -}}", values) == "K=x-x L=8");
  CHECK(filled("K={{ a | default('y') }} L={{ b | default('y') }} M={{ c|d(5, true) }}", values) == "K=x L=y M=5");
  CHECK(filled("K={{ b | default('y') }}", values, {"b"}) == "K={{ b | default('y') }}");
  CHECK(filled("K={{ b }} L={{ a.b }} M={{ a | upper }} N={{ a + a }}", values) ==
        "K={{ b }} L={{ a.b }} M={{ a | upper }} N={{ a + a }}");
  CHECK(filled("{% for a in as %}K={{ a }}{% endfor %}", values) == "{% for a in as %}K={{ a }}{% endfor %}");
  CHECK(filled("K={{ ansible_hostname | default('y') }}", values) == "K={{ ansible_hostname | default('y') }}");
  CHECK(filled("# {{ a }}\nK={{ a }}", values) == "# {{ a }}\nK=x");
}

TEST_CASE("a condition that nobody can judge keeps the variables it asks for open until its end", "[template]") {
  const FilledValues values{{"n", {FilledValue::Kind::Number, "-1", {}}}, {"a", text("x")}};
  CHECK(filled("{% if n|int > 0 %}K={{ n }} L={{ a }}{% endif %} M={{ n }}", values) ==
        "{% if n|int > 0 %}K={{ n }} L=x{% endif %} M=-1");
  CHECK(filled("{% if b > 1 %}K={{ n }}{% elif n in a %}L={{ n }}{% endif %}", values) ==
        "{% if b > 1 %}K=-1{% elif n in a %}L={{ n }}{% endif %}");
}

TEST_CASE("of a condition about one known name one side is taken", "[template]") {
  const FilledValues values{{"a", text("x")}, {"no", yes_or_no(false)}, {"yes", yes_or_no(true)}, {"off", text("off")}};
  CHECK(filled("{% if yes %}A{% else %}B{% endif %}C", values) == "AC");
  CHECK(filled("{% if no %}A{% else %}B{% endif %}C", values) == "BC");
  CHECK(filled("{%- if not no -%}A{% endif %}C", values) == "AC");
  CHECK(filled("{% if a is defined %}A{% endif %}{% if a is not defined %}B{% endif %}", values) == "A");
  CHECK(filled("{% if a == 'x' %}A{% endif %}{% if a != \"x\" %}B{% endif %}", values) == "A");
  // A text that is not empty is true, unless it is asked as a truth.
  CHECK(filled("{% if off %}A{% endif %}{% if off | bool %}B{% endif %}", values) == "A");
  CHECK(filled("{% if no %}{% if yes %}A{% endif %}{{ a }}{% endif %}C", values) == "C");
  for (const char* open : {"{% if b %}A{% endif %}", "{% if a and yes %}A{% endif %}", "{% if a == 8 %}A{% endif %}",
                           "{% if no %}A{% elif b %}B{% endif %}", "{% if b is defined %}A{% endif %}"}) {
    CHECK(filled(open, values) == open);
  }
}

TEST_CASE("what a template became is found again in it", "[template]") {
  const FileId file{0};
  const Span given{FileId{1}, 5, 9};
  const std::string_view from = "{% if yes %}\nK={{ a }}\n{% endif %}L=1\n";
  const FilledTemplate out = fill_template(from, {{"a", text("long value", given)}, {"yes", yes_or_no(true)}}, {});
  REQUIRE(out.text == "\nK=long value\nL=1\n");
  const auto back = [&](std::string_view part) {
    const std::size_t at = out.text.find(part);
    const Span where = out.source_of(file, at, at + part.size());
    return std::string(from.substr(where.begin, where.end - where.begin));
  };
  CHECK(back("K") == "K");
  CHECK(back("K=long value") == "K={{ a }}");
  CHECK(back("long value") == "{{ a }}");
  CHECK(back("L=1") == "L=1");
  CHECK(out.value_at(3, 13) == given);
  CHECK_FALSE(out.value_at(1, 13).placed());
  CHECK_FALSE(out.value_at(3, 12).placed());
}

TEST_CASE("scalars of playbooks are texts, numbers and truths", "[template]") {
  const auto read = [](std::string_view scalar) {
    FilledValue out;
    if (!read_filled_value(scalar, out)) return std::string("-");
    return std::string(out.kind == FilledValue::Kind::Text     ? "text "
                       : out.kind == FilledValue::Kind::Number ? "number "
                                                               : "bool ") +
           out.text;
  };
  CHECK(read("select/cons_tres") == "text select/cons_tres");
  CHECK(read("8  # GPUs") == "number 8");
  CHECK(read("yes") == "bool True");
  CHECK(read("\"yes\"") == "text yes");
  CHECK(read("'a # b'  # c") == "text a # b");
  CHECK(read("\"\"") == "text ");
  for (const char* none :
       {"", "null", "~", "[a]", "{a: b}", "|", ">-", "\"{{ b }}\"", "{{ b }}", "&x y", "*x", "\"a"}) {
    CHECK(read(none) == "-");
  }
}

TEST_CASE("each round of a loop writes what stands in no condition of it", "[template]") {
  const auto parts = [](std::string_view text) {
    std::string out;
    for (const auto& [begin, end] : looped_parts(text)) out += std::string(text.substr(begin, end - begin)) + "|";
    return out;
  };
  CHECK(parts("a{% for x in y %}b{{ x }}c{% if x %}d{% endif %}e{% endfor %}f") == "b|c|e|");
  CHECK(parts("{% if x %}{% for x in y %}b{% for z in x %}c{% endfor %}{% endfor %}{% endif %}") == "b|c|");
  CHECK(parts("{% for x in y %}b{% else %}c{% endfor %}") == "b|");
  CHECK(parts("<% ns.each do |n| -%>b<%= n %>c<% end %>d") == "b|c|");
  CHECK(parts("{% for x in y %}b") == "");
}

TEST_CASE("conditional parts are what only some renderings have, told apart by what the condition asks", "[template]") {
  const auto parts = [](std::string_view text) {
    std::string out;
    for (const ConditionalPart& part : conditional_parts(text))
      out += std::string(text.substr(part.begin, part.end - part.begin)) + (part.of_release ? "!|" : "|");
    return out;
  };
  CHECK(parts("a{% if b %}c{% else %}d{% endif %}e") == "c|d|");
  CHECK(parts("{% for a in b %}c{% if d %}e{% endif %}f{% endfor %}") == "e|");
  CHECK(parts("{% if version < 21 %}a{% else %}b{% endif %}{% if x %}c{% endif %}") == "a!|b!|c|");
  CHECK(parts("{% if a %}b{% elif slurm is version('21.08') %}c{% endif %}") == "b|c!|");
  CHECK(parts("{% if major %}{% if a %}b{% endif %}{% endif %}c") == "b!|");
  CHECK(parts("a{% endif %}b") == "a{% endif %}b!|");
}
