{ ... }: {
  services.slurm = {
    clusterName = "lab";
    extraConfig = builtins.readFile ./slurm.conf;
  };
}
