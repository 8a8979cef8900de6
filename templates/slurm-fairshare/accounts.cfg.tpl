# Accounts of the tenants. Look at the difference first, then: sacctmgr load accounts.cfg
# Fairshare is what a tenant is promised, GrpTRES the most it may hold; both count only with slurmdbd, with
# AccountingStorageTRES=gres/gpu and AccountingStorageEnforce=associations,limits in slurm.conf.
Cluster - '{{CLUSTER}}':Fairshare=1
{{#TENANT}}Parent - '{{PARENT}}'
Account - '{{NAME}}':Description='{{NAME}}':Organization='{{PARENT}}':Fairshare={{SHARE}}{{#LIMIT}}:GrpTRES=gres/gpu={{GPUS}}{{/LIMIT}}
{{/TENANT}}