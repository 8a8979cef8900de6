/var/spool/slurmctld:
  mount.mounted:
    - device: fs1:/export/state
    - fstype: nfs
