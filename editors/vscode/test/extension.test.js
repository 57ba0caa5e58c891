// The extension, with stand-ins for the editor and the client.
"use strict";

const { test } = require("node:test");
const assert = require("node:assert");
const Module = require("node:module");

const told = [];
const settings = { path: "/opt/raddle", checkFlags: ["--reduction", "auto"] };
const started = [];

const stands = {
  vscode: {
    workspace: { getConfiguration: () => ({ get: (name) => settings[name] }) },
    window: {
      createOutputChannel: () => ({
        clear: () => told.push("clear"),
        append: (text) => told.push(text),
        show: () => told.push("show"),
      }),
    },
  },
  "vscode-languageclient/node": {
    LanguageClient: class {
      constructor(id, name, server, options) {
        started.push({ server, options });
      }
      start() {}
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => stands[name] ?? load(name, ...rest);
const { activate } = require("../extension.js");

test("it starts the server and shows reports", async () => {
  await activate({ subscriptions: [] });
  settings.checkFlags = [];
  await activate({ subscriptions: [] });
  assert.deepStrictEqual(started.map(({ server }) => [server.command, ...server.args]), [
    ["/opt/raddle", "lsp", "--", "--reduction", "auto"],
    ["/opt/raddle", "lsp"],
  ]);
  const { executeCommand } = started[1].options.middleware;
  const answer = { verdict: "violated", report: "how it comes about" };
  assert.strictEqual(await executeCommand("raddle.check", [], async () => answer), answer);
  assert.deepStrictEqual(told, ["clear", "how it comes about", "show"]);
  assert.strictEqual(await executeCommand("raddle.check", [], async () => undefined), undefined);
});
