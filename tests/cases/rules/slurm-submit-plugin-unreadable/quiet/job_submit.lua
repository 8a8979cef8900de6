--[[ a != b && if ]]
local text = "a != b \" end" .. 'x && y' .. [==[ if || ]] ]==]
local f = function(x) while x do x = nil end return x ~= text end
function slurm_job_submit(job, parts, uid)
  if job.qos == nil then return slurm.SUCCESS elseif f(1) then return slurm.ERROR else uid = - 1 end
  return slurm.SUCCESS
end
slurm_job_modify = function(job, record, parts, uid) return slurm.SUCCESS end
function describe(job)
  if job.name ~= nil then
    text = text .. ","
  end
end
