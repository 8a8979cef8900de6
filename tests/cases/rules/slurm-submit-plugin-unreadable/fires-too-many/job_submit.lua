function slurm_job_submit(job, parts, uid)
  for _, part in pairs(parts) do
    repeat local x = 1 until x == 1
  end
  end
  return slurm.SUCCESS
end
function slurm_job_modify(job, record, parts, uid)
  return slurm.SUCCESS
end
