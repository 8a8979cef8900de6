-- job_desc.nothing is a comment
function slurm_job_submit(job_desc, part_list, submit_uid)
  local text = "job_desc.within"
  if job_desc.username == "ci" then
    return slurm.SUCCESS
  end
  job_desc.walltime = 60
  for _, v in ipairs({ job_desc.gres, job_desc.features }) do print(v == job_desc) end
  if job_desc == nil then return slurm.ERROR end
  return other.job_desc.more
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
  return slurm.SUCCESS
end
