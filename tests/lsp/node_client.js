// The client of VS Code without VS Code: vscode-languageserver-protocol over the pipes of `muster lsp --stdio`. Prints
// one line a fact; clients_test.cc reads them.
const {spawn} = require('child_process');
const {pathToFileURL} = require('url');
const fs = require('fs');
const path = require('path');
const {createRequire} = require('module');
const rpc = createRequire(path.join(process.env.MUSTER_LSP_CLIENT, 'x.js'))('vscode-languageserver-protocol/node');

const folder = process.env.FOLDER;
const uri = pathToFileURL(path.join(folder, 'job.yaml')).toString();
const server = spawn(process.env.MUSTER_BINARY, ['lsp', '--stdio']);
const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin), console);
const waiting = [];
connection.onNotification(rpc.PublishDiagnosticsNotification.type, params => {
  if (params.uri !== uri) return;
  for (const one of waiting.splice(0)) one(params);
});
connection.onRequest(rpc.RegistrationRequest.type, () => {});
const published = () => new Promise(resolve => waiting.push(resolve));
const codes = params => params.diagnostics.map(one => one.code).join(',');

async function main() {
  connection.listen();
  const started = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: null, workspaceFolders: [{uri: pathToFileURL(folder).toString(), name: 'w'}],
    capabilities: {
      general: {positionEncodings: ['utf-16']},
      workspace: {workspaceEdit: {documentChanges: true}, didChangeWatchedFiles: {dynamicRegistration: true}},
      textDocument: {publishDiagnostics: {relatedInformation: true}},
    },
  });
  console.log('encoding', started.capabilities.positionEncoding);
  const first = published();
  connection.sendNotification(rpc.InitializedNotification.type, {});
  console.log('opened', codes(await first));
  const second = published();
  connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: {uri, languageId: 'yaml', version: 1, text: fs.readFileSync(path.join(folder, 'job.yaml'), 'utf8')}});
  await second;
  const third = published();
  const start = Date.now();
  connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, {
    textDocument: {uri, version: 2},
    contentChanges: [{range: {start: {line: 6, character: 16}, end: {line: 6, character: 17}}, text: '10'}]});
  const params = await third;
  console.log('typed', codes(params), params.version, params.diagnostics[0].range.end.character);
  console.error('milliseconds', Date.now() - start);
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument: {uri}, range: params.diagnostics[0].range, context: {diagnostics: params.diagnostics}});
  console.log('actions', actions.map(one => one.kind + ' ' + one.edit.documentChanges[0].textDocument.version).join(','));
  await connection.sendRequest(rpc.ShutdownRequest.type);
  connection.sendNotification(rpc.ExitNotification.type);
  server.on('exit', code => console.log('exit', code));
}
main().catch(error => {
  console.log('failed', error);
  process.exit(1);
});
