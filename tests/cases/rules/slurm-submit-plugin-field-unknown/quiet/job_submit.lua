function slurm_job_submit(job, part_list, submit_uid)
  if job.user_name == "ci" and job.time_limit == slurm.NO_VAL then job.time_limit = 60 end
  slurm.log_info("%s", part_list.anything.whatever)
  return other.job.more
end

function slurm_job_modify(job, job_rec, part_list, modify_uid)
  return slurm.SUCCESS
end
