-- job_submit.lua of fleet {{FLEET}}, beside slurm.conf on the controller; slurm.conf needs JobSubmitPlugins=lua.
--
-- slurmctld asks it about each job, and with sbatch --test-only, too. It refuses what runs differently from what was
-- meant, with a text that sbatch prints, and changes nothing: a request that is altered in silence surprises somebody
-- else. Jobs that are there stay as they are.

-- What the fleet file says of the partitions (template slurm-nodes).
local partitions = {
{{#POOL}}  ["{{NAME}}"] = { gpus = {{GPUS}}, type = "{{#TYPED}}{{TYPE}}{{/TYPED}}", nodes = {{NODES}} },
{{/POOL}}}
local default_partition = "{{DEFAULT}}"

-- Slurm says that nothing was asked for by the largest numbers, and not every release by the same.
local function asked(value)
  return value ~= nil and value ~= slurm.NO_VAL and value ~= slurm.NO_VAL16 and value ~= 4294967295 and value ~= 65535
end

-- GPUs of a list such as gres:gpu:h100:8 (22.05), gres/gpu:h100:8 (24.11) or cpu=2,gres/gpu=8: how many, and the types,
-- an empty one where none is named.
local function gpus_of(list)
  local count, types = 0, {}
  for item in string.gmatch(list or "", "[^,]+") do
    local rest = string.match(item, "^gres[:/]gpu(.*)$") or string.match(item, "^gpu(.*)$")
    if rest ~= nil and (rest == "" or string.find(rest, "^[:=]")) then
      local words = {}
      for word in string.gmatch(rest, "[^:=()]+") do words[#words + 1] = word end
      local number = tonumber(words[#words])
      if number ~= nil then words[#words] = nil end
      count = count + (number or 1)
      types[words[1] or ""] = true
    end
  end
  return count, types
end

local function fewest_nodes(job)
  if asked(job.min_nodes) and job.min_nodes > 0 then return job.min_nodes end
  if asked(job.num_tasks) and asked(job.ntasks_per_node) and job.ntasks_per_node > 0 then
    return math.ceil(job.num_tasks / job.ntasks_per_node)
  end
  return 1
end

-- All that a job asks for by one of the ways to ask for GPUs.
local function request_of(job)
  local types = {}
  local function take(list)
    local count, named = gpus_of(list)
    for name in pairs(named) do types[name] = true end
    return count
  end
  local request = { nodes = fewest_nodes(job), types = types }
  request.per_node = take(job.tres_per_node)
  request.per_task = take(job.tres_per_task)
  request.per_socket = take(job.tres_per_socket)
  request.total = take(job.tres_per_job)
  request.gpus = math.max(request.per_node, request.per_task, request.per_socket, request.total)
  return request
end

-- The partitions that it may run in, as far as the fleet file knows them.
local function pools_of(job)
  local pools = {}
  local names = job.partition
  if names == nil or names == "" then names = default_partition end
  for name in string.gmatch(names, "[^,]+") do
    if partitions[name] ~= nil then pools[#pools + 1] = partitions[name] end
  end
  return pools
end

-- GPUs without a type, where the partitions have several: the job would get whichever is free first.
local function type_is_open(job, request)
  if request.gpus == 0 or not request.types[""] then return nil end
  local types, names = {}, {}
  for _, pool in ipairs(pools_of(job)) do
    if pool.gpus > 0 and not types[pool.type] then
      types[pool.type] = true
      names[#names + 1] = pool.type == "" and "others" or pool.type
    end
  end
  if #names < 2 then return nil end
  return "the partitions have different GPUs (" .. table.concat(names, ", ") ..
         "): name the type, as in --gpus-per-node=" .. names[1] .. ":" .. request.gpus .. ", or one partition"
end

-- More than a node or a partition has would wait for ever.
local function is_too_large(job, request)
  local pools = pools_of(job)
  if #pools == 0 then return nil end
  local gpus, nodes, types = 0, 0, {}
  for _, pool in ipairs(pools) do
    gpus, nodes = math.max(gpus, pool.gpus), math.max(nodes, pool.nodes)
    if pool.gpus > 0 then types[pool.type] = true end
  end
  if request.per_node > gpus then
    return "no node of the partition has " .. request.per_node .. " GPUs; the most is " .. gpus
  end
  if request.nodes > nodes then
    return "no partition that was named has " .. request.nodes .. " nodes; the most is " .. nodes
  end
  -- A node whose GPUs have no type in the fleet file may have any.
  if types[""] then return nil end
  for name in pairs(request.types) do
    if name ~= "" and not types[string.lower(name)] then return "no node of the partition has GPUs of type " .. name end
  end
  return nil
end

-- A gang without a time limit holds the partition's longest time, and backfill never puts it into a gap.
local function has_no_end(job, request)
  if request.nodes < 2 or asked(job.time_limit) then return nil end
  return "a job of " .. request.nodes .. " nodes needs a time limit: --time=HOURS:MINUTES:SECONDS"
end

-- One CPU a task is the default, however many GPUs it drives. Take this one out of the list below where slurm.conf has
-- DefCpuPerGPU, or partitions that give whole nodes: there a request without CPUs gets enough.
local function starves_gpus(job, request)
  if request.gpus == 0 or job.shared == 0 then return nil end  -- whole nodes come with all of their CPUs
  if job.cpus_per_tres ~= nil and job.cpus_per_tres ~= "" then return nil end
  if request.per_socket > 0 then return nil end  -- how many sockets there are is the node's
  local each = asked(job.cpus_per_task) and job.cpus_per_task > 0 and job.cpus_per_task or 1
  local gpus, cpus
  if request.per_task > 0 then
    gpus, cpus = request.per_task, each
  else
    local tasks = asked(job.num_tasks) and job.num_tasks or request.nodes
    if asked(job.ntasks_per_node) and job.ntasks_per_node > 0 then
      tasks = math.max(tasks, job.ntasks_per_node * request.nodes)
    end
    gpus = request.total > 0 and request.total or request.per_node * request.nodes
    cpus = math.max(tasks * each, asked(job.min_cpus) and job.min_cpus or 0)
  end
  if cpus >= gpus then return nil end
  return cpus .. " CPUs for " .. gpus .. " GPUs: ask for --cpus-per-gpu or --cpus-per-task, or for --exclusive"
end

function slurm_job_submit(job_desc, part_list, submit_uid)
  local request = request_of(job_desc)
  for _, objection in ipairs({ type_is_open, is_too_large, has_no_end, starves_gpus }) do
    local text = objection(job_desc, request)
    if text ~= nil then
      slurm.log_user(text)
      return slurm.ERROR
    end
  end
  return slurm.SUCCESS
end

-- scontrol update names only what it changes, so that nothing can be said of the whole.
function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
  return slurm.SUCCESS
end

return slurm.SUCCESS
