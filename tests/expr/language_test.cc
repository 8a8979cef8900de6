#include "expr/expr.h"
#include "support/catch.h"
#include "support/expr.h"

using muster::test::check_cases;

TEST_CASE("literals and type names stand for their values", "[expr]") {
  check_cases({
      {"0x1F", "31 : int"},
      {"-9223372036854775808", "-9223372036854775808 : int"},
      {"18446744073709551615u", "18446744073709551615u : uint"},
      {"1e3", "1000.0 : double"},
      {".5", "0.5 : double"},
      {"-2.5e-3", "-0.0025 : double"},
      {"true", "true : bool"},
      {"null", "null : null"},
      {R"("a\tb\u00e9\x41\101")", R"("a\tbéAA" : string)"},
      {R"(r"a\n")", R"("a\\n" : string)"},
      {R"('''a"b''')", R"("a\"b" : string)"},
      {R"(b"\xff\377A")", R"(b"\xff\xffA" : bytes)"},
      {R"([1, 2u, "x",])", R"([1, 2u, "x"] : list)"},
      {R"({"a": 1, 2: true})", R"({"a": 1, 2: true} : map)"},
      {"int", "int : type"},
      {"type(1.5)", "double : type"},
      {"type(type(1))", "type : type"},
      {"google.protobuf.Duration", "google.protobuf.Duration : type"},
      {"// a comment alone is none", "syntax: expected a value, got the end"},
      {"1 // one", "1 : int"},
  });
}

TEST_CASE("operators bind as in the grammar", "[expr]") {
  check_cases({
      {"1 + 2 * 3 - 4 / 2 % 3", "5 : int"},
      {"-2 * -3", "6 : int"},
      {"--1", "1 : int"},
      {"!!true", "true : bool"},
      {"!(1 > 2) && 3 in [1, 2, 3] || false", "true : bool"},
      {"1 < 2 == true", "true : bool"},
      {"true ? 1 : false ? 2 : 3", "1 : int"},
      {"2 - 1 - 1", "0 : int"},
  });
}

TEST_CASE("arithmetic stays within its type and detects overflow", "[expr]") {
  check_cases({
      {"7 / -2", "-3 : int"},
      {"7 % -2", "1 : int"},
      {"-7 % 2", "-1 : int"},
      {"9223372036854775807 + 1", "error: int overflow"},
      {"-9223372036854775808 - 1", "error: int overflow"},
      {"9223372036854775807 * 2", "error: int overflow"},
      {"-(-9223372036854775808)", "error: int overflow"},
      {"-9223372036854775808 / -1", "error: int overflow"},
      {"-9223372036854775808 % -1", "error: int overflow"},
      {"1 / 0", "error: divide by zero"},
      {"1 % 0", "error: modulus by zero"},
      {"1u - 2u", "error: uint overflow"},
      {"1u / 0u", "error: divide by zero"},
      {"1.0 / 0.0", R"(double("Infinity") : double)"},
      {"1.0 % 2.0", "error: no such overload: double and double"},
      {"1 + 1u", "error: no such overload: int + uint"},
      {"1 + 1.0", "error: no such overload: int + double"},
      {R"("a" + "b")", R"("ab" : string)"},
      {R"(b"a" + b"b")", R"(b"ab" : bytes)"},
      {R"([1] + ["a"])", R"([1, "a"] : list)"},
      {R"("a" + 1)", "error: no such overload: string + int"},
  });
}

TEST_CASE("numbers compare across types, everything else within its own", "[expr]") {
  check_cases({
      {"1 == 1.0", "true : bool"},
      {"1 == 1u", "true : bool"},
      {"1u < 1.5", "true : bool"},
      {"-1 < 0u", "true : bool"},
      {"9007199254740993 == 9007199254740992.0", "true : bool"},
      {R"(1 == "1")", "false : bool"},
      {"null == 0", "false : bool"},
      {"[1, 2.0] == [1.0, 2]", "true : bool"},
      {R"({"a": 1} == {"a": 1u})", "true : bool"},
      {"0.0 / 0.0 == 0.0 / 0.0", "false : bool"},
      {"0.0 / 0.0 < 1", "false : bool"},
      {R"("a" < "b")", "true : bool"},
      {"false < true", "true : bool"},
      {R"(1 < "a")", "error: no such overload: int and string have no order"},
      {"[1] < [2]", "error: no such overload: list and list have no order"},
      {"1 in [1.0]", "true : bool"},
      {R"("a" in {"a": 1})", "true : bool"},
      {"1.0 in {1: 2}", "true : bool"},
  });
}

TEST_CASE("&& and || absorb what the other side decides", "[expr]") {
  check_cases({
      {"true || 1 / 0 > 0", "true : bool"},
      {"1 / 0 > 0 || true", "true : bool"},
      {"1 / 0 > 0 || false", "error: divide by zero"},
      {"false && 1", "false : bool"},
      {"1 && false", "false : bool"},
      {"1 || false", "error: no such overload: && and || want bool, got int"},
      {"nope || true", "true : bool"},
      {"nope", "error: undeclared reference to `nope`"},
      {"nope(1) || true", "true : bool"},
      {"nope(1)", "error: unbound function: unknown function `nope`"},
      {"1 ? 2 : 3", "error: no such overload: a condition must be bool, got int"},
  });
}

TEST_CASE("items, entries and fields are found or named as missing", "[expr]") {
  check_cases({
      {"[1, 2][1]", "2 : int"},
      {"[1, 2][1.0]", "2 : int"},
      {"[1, 2][2]", "error: invalid_argument: index 2 is outside a list of 2"},
      {"[1, 2][-1]", "error: invalid_argument: index -1 is outside a list of 2"},
      {R"([1, 2]["a"])", R"(error: invalid_argument: a list is indexed by a whole number, got "a")"},
      {R"({"a": {"b": 3}}.a.b)", "3 : int"},
      {R"({"a": 1}.b)", R"(error: no such key: "b")"},
      {R"({"a-b": 1}.`a-b`)", "1 : int"},
      {R"({1: "x"}[1u])", R"("x" : string)"},
      {R"({1: "x"}[1.0])", R"("x" : string)"},
      {"{1: 2, 1: 3}", "error: repeated key: 1"},
      {"{1.5: 2}", "error: unsupported key type: double"},
      {"{[1]: 2}", "error: unsupported key type: list"},
      {R"(has({"a": null}.a))", "true : bool"},
      {R"(has({"a": 1}.b))", "false : bool"},
      {"1.a", "error: no such key: a value of type int has no fields"},
      {"null.a", "error: no such key: a value of type null_type has no fields"},
  });
}

TEST_CASE("macros run over lists and maps with one or two variables", "[expr]") {
  check_cases({
      {"[1, 2, 3].all(x, x > 0)", "true : bool"},
      {"[1, 0].all(x, 1 / x > 0)", "error: divide by zero"},
      {"[0, -1].all(x, 1 / x > 0)", "false : bool"},
      {"[1, 0].exists(x, 1 / x > 0)", "true : bool"},
      {"[0, 1].exists(x, 1 / x > 0)", "true : bool"},
      {"[1, 2, 1].exists_one(x, x == 2)", "true : bool"},
      {"[0, 2].exists_one(x, 1 / x == 0)", "error: divide by zero"},
      {"[1, 2, 3].filter(x, x % 2 == 1)", "[1, 3] : list"},
      {"[1, 2].map(x, x * 2)", "[2, 4] : list"},
      {"[1, 2, 3].map(x, x > 1, x * x)", "[4, 9] : list"},
      {R"({"a": 1, "b": 2}.map(k, k))", R"(["a", "b"] : list)"},
      {R"({"a": 1}.all(k, v, v == 1))", "true : bool"},
      {R"(["a", "b"].exists(i, v, i == 1 && v == "b"))", "true : bool"},
      {R"(["a", "b"].transformList(i, v, string(i) + v))", R"(["0a", "1b"] : list)"},
      {R"({"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 10))", R"({"b": 20} : map)"},
      {R"(["a", "b"].transformMapEntry(i, v, {v: i}))", R"({"a": 0, "b": 1} : map)"},
      {R"(["a", "a"].transformMapEntry(i, v, {v: i}))", R"(error: repeated key: "a")"},
      {"[[1, 2], [3]].map(x, x.map(y, y + size(x)))", "[[3, 4], [4]] : list"},
      {"[1].map(x, [2].map(x, x))", "[[2]] : list"},
      {"cel.bind(x, 2, x * x)", "4 : int"},
      {"cel.bind(x, 1 / 0, true || x > 0)", "true : bool"},
      {"1.all(x, true)", "error: no such overload: a macro runs over a list or a map, got int"},
      {"[1].all(x, x)", "error: no_such_overload: the condition of a macro must be bool, got int"},
      {"[3, 1, 2].sortBy(x, -x)", "[3, 2, 1] : list"},
  });
}

TEST_CASE("optionals pass on that there is no value", "[expr]") {
  check_cases({
      {"optional.of(1)", "optional.of(1) : optional_type"},
      {"optional.none()", "optional.none() : optional_type"},
      {R"({"a": {"b": 1}}.?a.?b)", "optional.of(1) : optional_type"},
      {R"({"a": {"b": 1}}.?a.c)", "optional.none() : optional_type"},
      {R"({"a": 1}.?b.orValue(7))", "7 : int"},
      {"[1][?0].orValue(2)", "1 : int"},
      {"[1][?5].orValue(2)", "2 : int"},
      {R"({}[?"a"].hasValue())", "false : bool"},
      {R"({?"a": {}.?b, ?"c": optional.of(3)})", R"({"c": 3} : map)"},
      {"[?optional.none(), 1, ?optional.of(2)]", "[1, 2] : list"},
      {"[?1]", "error: no such overload: `?` wants an optional value, got int"},
      {"optional.of(1).or(1 / 0)", "optional.of(1) : optional_type"},
      {"optional.none().or(optional.of(2)).value()", "2 : int"},
      {"optional.none().value()", "error: optional.none() dereference"},
      {R"(optional.ofNonZeroValue(""))", "optional.none() : optional_type"},
      {"optional.of(2).optMap(x, x + 1)", "optional.of(3) : optional_type"},
      {"optional.none().optMap(x, 1 / 0)", "optional.none() : optional_type"},
      {"optional.of(2).optFlatMap(x, optional.ofNonZeroValue(x - 2))", "optional.none() : optional_type"},
      {"1.orValue(2)", "error: no such overload: orValue wants an optional value, got int"},
      {R"(has({"a": {}}.?a.b))", "false : bool"},
  });
}

TEST_CASE("conversions take what reads back and refuse the rest", "[expr]") {
  check_cases({
      {R"(int("12"))", "12 : int"},
      {R"(int("1.5"))", R"(error: cannot convert "1.5" to int)"},
      {"int(1.9)", "1 : int"},
      {"int(-1.9)", "-1 : int"},
      {"int(1e19)", "error: range error: int overflow"},
      {"int(9223372036854775808u)", "error: range error: int overflow"},
      {"uint(-1)", "error: range error: uint overflow"},
      {R"(uint("18446744073709551615"))", "18446744073709551615u : uint"},
      {"uint(3.9)", "3u : uint"},
      {R"(double("1e3"))", "1000.0 : double"},
      {R"(double("NaN"))", R"(double("NaN") : double)"},
      {R"(double(" 1"))", R"(error: cannot convert " 1" to double)"},
      {R"(double("0x1p3"))", R"(error: cannot convert "0x1p3" to double)"},
      {"string(1.5)", R"("1.5" : string)"},
      {"string(1e6)", R"("1e+06" : string)"},
      {R"(string(b"\xff"))", "error: invalid UTF-8 in bytes, cannot convert to string"},
      {"string([1])", "error: no such overload: string(list)"},
      {R"(bytes("é"))", R"(b"é" : bytes)"},
      {R"(bool("true"))", "true : bool"},
      {R"(bool("yes"))", R"(error: Type conversion error: cannot convert "yes" to bool)"},
      {"type(dyn(1)) == int", "true : bool"},
      {"int(null)", "error: no such overload: int(null_type)"},
  });
}

TEST_CASE("what is unknown spreads until something known decides", "[expr]") {
  check_cases({
      {"u", "unknown: u"},
      {"u + 1", "unknown: u"},
      {"u == v", "unknown: u, v"},
      {"true || u", "true : bool"},
      {"u && false", "false : bool"},
      {"u && true", "unknown: u"},
      {"u || v", "unknown: u, v"},
      {"u || 1 / 0 > 0", "unknown: u"},
      {"1 / 0 > 0 || u", "unknown: u"},
      {"u ? 1 : 2", "unknown: u"},
      {"[u, v]", "unknown: u, v"},
      {R"({"a": u})", "unknown: u"},
      {"size(u)", "unknown: u"},
      {"m.open + m.known", "unknown: m.open"},
      {"m.known", "1 : int"},
      {"has(m.open)", "true : bool"},
      {"size(m)", "2 : int"},
      {"size(l)", "2 : int"},
      {"l[0]", "1 : int"},
      {"l[1]", "unknown: l[1]"},
      {"l == [1, 2]", "unknown: l[1]"},
      {"l == [2, 2]", "false : bool"},
      {"l == [1]", "false : bool"},
      {"1 in l", "true : bool"},
      {"2 in l", "unknown: l[1]"},
      {"l.exists(i, i == 1)", "true : bool"},
      {"l.all(i, i == 1)", "unknown: l[1]"},
      {"l.all(i, i > 1)", "false : bool"},
      {"l.map(i, i)", "unknown: l[1]"},
      {"l.filter(i, i == 1)", "unknown: l[1]"},
      {"l.join()", "unknown: l[1]"},
      {"m.?open", "unknown: m.open"},
      {"m.?open.orValue(2)", "unknown: m.open"},
      {"m.?nothing.orValue(2)", "2 : int"},
      {"math.greatest(l)", "unknown: l[1]"},
      {"cel.bind(a, u, true)", "true : bool"},
      {"cel.bind(a, u, a)", "unknown: u"},
      {"type(l)", "list : type"},
      {"optional.of(u)", "unknown: u"},
      {"dyn(u) || true", "true : bool"},
      {"x.y", "5 : int"},
      {"x.y + u", "unknown: u"},
      {R"([{"y": 1}].map(x, x.y))", "[1] : list"},
  });
}

TEST_CASE("what the grammar does not have is a syntax error with its reason", "[expr]") {
  check_cases({
      {"1 +", "syntax: expected a value, got the end"},
      {"(1", "syntax: expected `)`, got the end"},
      {"[1, 2", "syntax: expected `]`, got the end"},
      {R"({"a" 1})", "syntax: expected `:`, got `1`"},
      {R"({"a": 1)", "syntax: expected `}`, got the end"},
      {R"("abc)", "syntax: a string is not closed"},
      {R"("a)", "syntax: a string is not closed"},
      {R"("\z")", "syntax: unknown escape in a string"},
      {R"("\u12")", "syntax: an escape in a string has too few digits"},
      {R"("\ud800")", "syntax: an escape names no character"},
      {R"(b"\u0041")", "syntax: unknown escape in a string"},
      {"f(1,)", "syntax: expected a value, got `)`"},
      {"a.in", "syntax: expected a field name, got `in`"},
      {"a.true", "syntax: expected a field name, got `true`"},
      {"`a`", "syntax: expected a value, got `a`"},
      {"{}.`a b/c-d.e`", R"(error: no such key: "a b/c-d.e")"},
      {"{}.`a+b`", "syntax: a field name in backticks is made of letters, digits, `_`, `-`, `.`, `/` and blanks"},
      {"1.has(x)", "error: unbound function: unknown function `has`"},
      {"has(1)", "syntax: has() takes one field, as in has(a.b)"},
      {"has(a)", "syntax: has() takes one field, as in has(a.b)"},
      {"[1].map(1, 2)", "syntax: a variable of `map` must be a name"},
      {"[1].all(x.y, true)", "syntax: a variable of `all` must be a name"},
      {"[1].all(x, x, true)", "syntax: two variables of one macro need two names"},
      {"!-x.y", "syntax: expected a value, got `-`"},
      {"-!true", "syntax: expected a value, got `!`"},
      {"!!!true", "false : bool"},
      {"a b", "syntax: unexpected `b`"},
      {"1 = 1", "syntax: unexpected character `=`"},
      {"1 & 1", "syntax: unexpected character `&`"},
      {"#", "syntax: unexpected character `#`"},
      {"9223372036854775808", "syntax: the number `9223372036854775808` is too large"},
      {"-9223372036854775809", "syntax: the number `9223372036854775809` is too large"},
      {"18446744073709551616u", "syntax: the number `18446744073709551616` is too large"},
      {"1e400", "syntax: the number `1e400` is too large"},
      {"0x", "syntax: a hexadecimal number needs digits"},
      {"0XFF", "syntax: unexpected `XFF`"},
      {"while", "syntax: `while` is a reserved word"},
      {"a.while", "error: undeclared reference to `a`; did you mean `u`?"},
      {"1 in [1] in [true]", "true : bool"},
      {"x ? y", "syntax: expected `:`, got the end"},
      {"x ?: y", "syntax: expected a value, got `:`"},
      {"-0.0", "-0.0 : double"},
      {"- 1", "-1 : int"},
      {".x", "error: undeclared reference to `x`; did you mean `u`?"},
      {"[1,,2]", "syntax: expected a value, got `,`"},
      {"{,}", "{} : map"},
  });
}

TEST_CASE("an expression that nests too deeply is refused, whatever stands behind the place", "[expr]") {
  for (const std::string step : {"-", "!", "(", "[", "-(", "[-", "[!", "f(", "a[", "{1:"}) {
    for (const std::size_t times : {249u, 250u, 251u, 252u, 400u, 1000u}) {
      std::string text;
      for (std::size_t i = 0; i < times; ++i) text += step;
      INFO(step << " " << times << " times");
      std::vector<muster::ExprIssue> issues;
      CHECK_FALSE(muster::Expr::compile(text, {}, issues));
      CHECK(issues.size() == 1);
    }
  }
}
