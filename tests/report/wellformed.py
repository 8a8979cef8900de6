#!/usr/bin/env python3
"""Reads reports with the parsers of others and prints what is wrong with them, one line each.

    wellformed.py xml FOLDER        each *.junit and *.checkstyle, by expat
    wellformed.py markdown FOLDER   each *.markdown and the messages of each *.rdjson, by GitHub's cmark-gfm
"""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

RULES = "https://example.com/rules.html#"
TAGS = {"h3", "p", "ul", "li", "code", "pre", "details", "summary", "strong", "a"}
# What GitHub or GitLab would make a link, a mention, an emoji or a picture of, where it is no code.
LIVE = re.compile(r"@|#\d|://|\bwww\.|[<>\[\]|*_~\\&$%]|:\w+:|\bGH-\d|!\d|\b[0-9a-fA-F]{7,}\b")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.wrong = []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        fine = [] if tag not in ("details", "a", "code") else {
            "details": [("open", None), ("open", "")], "code": [("class", "language-text")],
            "a": [pair for pair in attributes if pair[0] == "href" and pair[1].startswith(RULES)]}[tag]
        if tag not in TAGS:
            self.wrong.append(f"<{tag}>")
        self.wrong += [f"<{tag} {name}={value!r}>" for name, value in attributes if (name, value) not in fine]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if "code" in self.open or "pre" in self.open:
            return
        live = LIVE.search(data)
        if live:
            self.wrong.append(f"{live.group()!r} in {data.strip()!r}")

    def handle_comment(self, data):
        self.wrong.append(f"<!--{data}-->")

    handle_decl = handle_pi = unknown_decl = handle_comment


def page_problems(text):
    extensions = ["autolink", "strikethrough", "table", "tasklist", "footnotes"]
    command = ["cmark-gfm", "--unsafe"] + [word for name in extensions[:4] for word in ("-e", name)]
    page = Page()
    page.feed(subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode())
    page.close()
    return page.wrong + [f"<{tag}> stays open" for tag in page.open]


def xml_problems(path):
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        return [str(error)]
    if path.suffix == ".checkstyle":
        return [] if {node.tag for node in root.iter()} <= {"checkstyle", "file", "error"} else ["another element"]
    wrong = []
    seen = set()
    for suite in [root, *root.iter("testsuite")]:
        for count, tag in [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")]:
            if count in suite.attrib and int(suite.get(count)) != len(list(suite.iter(tag))):
                wrong.append(f"{count} of {suite.get('name')!r}")
    for test in root.iter("testcase"):
        name = (test.get("classname"), test.get("name"))
        if name in seen:
            wrong.append(f"two tests are {name}")
        seen.add(name)
    return wrong


def main():
    what, folder = sys.argv[1:]
    count = wrong = 0
    for path in sorted(pathlib.Path(folder).iterdir()):
        if what == "xml" and path.suffix in (".junit", ".checkstyle"):
            problems = xml_problems(path)
        elif what == "markdown" and path.suffix == ".markdown":
            problems = page_problems(path.read_text())
        elif what == "markdown" and path.suffix == ".rdjson":
            problems = [problem for one in json.loads(path.read_text())["diagnostics"]
                        for problem in page_problems(one["message"])]
        else:
            continue
        count += 1
        wrong += len(problems)
        for problem in problems:
            print(f"{path.name}: {problem}")
    if count == 0:
        print("no report to read")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
