package.path = "/etc/slurm/?.lua"
require("site_policy")
