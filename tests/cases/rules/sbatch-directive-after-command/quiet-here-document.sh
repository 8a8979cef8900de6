#!/bin/bash
#SBATCH --nodes=1
cat > job.sh <<'EOF'
#!/bin/bash
#SBATCH --nodes=4
EOF
sbatch job.sh
