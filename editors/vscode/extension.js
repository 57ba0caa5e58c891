// Starts `raddle lsp`, and shows the reports of checks.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate(context) {
  const settings = vscode.workspace.getConfiguration("raddle");
  const flags = settings.get("checkFlags");
  const server = {
    command: settings.get("path"),
    args: flags.length > 0 ? ["lsp", "--", ...flags] : ["lsp"],
  };
  const reports = vscode.window.createOutputChannel("raddle reports");
  client = new LanguageClient("raddle", "raddle", server, {
    documentSelector: [{ language: "rad" }, { language: "cbp" }, { language: "java" }],
    middleware: {
      // The server tells the verdict in a message; the trace is longer than that.
      async executeCommand(command, argumentList, next) {
        const verdict = await next(command, argumentList);
        if (verdict && verdict.report) {
          reports.clear();
          reports.append(verdict.report);
          if (verdict.verdict !== "holds") reports.show(true);
        }
        return verdict;
      },
    },
  });
  context.subscriptions.push(reports);
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
