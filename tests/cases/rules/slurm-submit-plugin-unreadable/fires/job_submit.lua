function slurm_job_submit(job, parts, uid)
  if job.qos != 'short' then
    return slurm.ERROR
  end
  return slurm.SUCCESS
end
function slurm_job_modify(job, record, parts, uid)
  return slurm.SUCCESS
end
