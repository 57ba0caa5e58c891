// The grammars, run by the engine that Visual Studio Code has.
"use strict";

const { test } = require("node:test");
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));

const registry = new Registry({
  onigLib: oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  })),
  loadGrammar: async (scope) => {
    const path = join(__dirname, "../syntaxes", `${scope.replace("source.", "")}.tmLanguage.json`);
    return parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

/// The words of a text, each with its innermost scope.
async function scopes(scope, text) {
  const grammar = await registry.loadGrammar(scope);
  const found = [];
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) {
      const word = line.slice(token.startIndex, token.endIndex).trim();
      if (word) found.push([word, token.scopes.at(-1)]);
    }
  }
  return found;
}

function has(found, word, scope) {
  const own = found.filter(([it]) => it === word).map(([, it]) => it);
  assert.ok(own.includes(scope), `${word}: ${own}`);
}

test("a model", async () => {
  const found = await scopes(
    "source.rad",
    `lock m; // a lock
int value = 0x1f protected by m;
thread worker[3] {
critical:
  acquire(m);
  value = value(s) + node.lock;
  assert(value == 1, "not \\"one");
}
/* two
lines */ invariant mutex: count(critical) <= 1; //~ VIOLATED
property served: always value == 1 leads to next == 2 under strong fairness;`,
  );
  has(found, "always", "keyword.operator.word.rad");
  has(found, "leads to", "keyword.operator.word.rad");
  has(found, "under strong fairness", "keyword.operator.word.rad");
  assert.ok(!found.some(([word, scope]) => word === "next" && scope.startsWith("keyword")));
  has(found, "lock", "storage.type.rad");
  has(found, "lock", "variable.other.member.rad");
  has(found, "0x1f", "constant.numeric.rad");
  has(found, "by", "keyword.other.rad");
  has(found, "worker", "entity.name.function.rad");
  has(found, "critical", "entity.name.label.rad");
  has(found, "acquire", "support.function.rad");
  has(found, "value", "support.function.rad");
  has(found, "assert", "keyword.other.assertion.rad");
  has(found, '\\"', "constant.character.escape.rad");
  has(found, "lines", "comment.block.rad");
  has(found, "mutex", "entity.name.function.rad");
  has(found, "//~ VIOLATED", "comment.line.directive.rad");
});

test("a boolean program", async () => {
  const found = await scopes(
    "source.cbp",
    `vars : x, y ;
threads : main ;
unsafe : "crit >= 2" ;
main { vars : z ;
crit: if (x and !y) { x := * ; }
  start (main) ; assert (x) ;
}`,
  );
  has(found, "vars", "storage.type.cbp");
  has(found, "main", "entity.name.function.cbp");
  has(found, "crit", "entity.name.label.cbp");
  has(found, ":=", "keyword.operator.cbp");
  has(found, "and", "keyword.operator.logical.cbp");
  has(found, "start", "support.function.cbp");
  has(found, "assert", "keyword.other.assertion.cbp");
  has(found, "unsafe", "keyword.other.cbp");
});
