cluster.addNodegroupCapacity('more', {labels: {workload: 'train'}});
