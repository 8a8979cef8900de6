-- Headless Neovim, 0.7 or newer, with muster as its language server. Prints one line a fact; `clients_test.cc` reads
-- them. MUSTER_BINARY names the program, FOLDER the folder that is opened.
local folder = os.getenv('FOLDER')
local function say(...) io.stdout:write(table.concat({...}, ' ') .. '\n') end
local function wait_for(what, done)
  if not vim.wait(30000, done, 20) then
    say('no', what)
    vim.cmd('qa!')
  end
end

vim.cmd('edit ' .. folder .. '/job.yaml')
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({
  name = 'muster',
  cmd = {os.getenv('MUSTER_BINARY'), 'lsp'},
  root_dir = folder,
  workspace_folders = {{uri = vim.uri_from_fname(folder), name = folder}},
})
vim.lsp.buf_attach_client(buffer, id)

local function codes()
  local out = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do table.insert(out, one.code or one.user_data.lsp.code) end
  table.sort(out)
  return table.concat(out, ',')
end
wait_for('diagnostics', function() return codes() ~= '' end)
say('opened', codes())

vim.api.nvim_buf_set_lines(buffer, 6, 7, true, {'  minAvailable: 8'})
wait_for('change', function() return codes() == 'queue-below-gang' end)
say('typed', codes())

local function ask(method, line, character)
  local params = {textDocument = {uri = vim.uri_from_bufnr(buffer)}, position = {line = line, character = character}}
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  return answers and answers[id] and answers[id].result
end
local hover = ask('textDocument/hover', 7, 10)
say('hover', hover.contents.kind, vim.split(hover.contents.value, '\n')[1])
say('definition', vim.fn.fnamemodify(vim.uri_to_fname(ask('textDocument/definition', 7, 10)[1].uri), ':t'))

vim.lsp.stop_client(id)
wait_for('end', function() return vim.lsp.client_is_stopped(id) end)
say('stopped')
vim.cmd('qa!')
