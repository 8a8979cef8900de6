zone = "a"
gpu_count = 8
# gpus = 8
/*
gpus = 8
*/
