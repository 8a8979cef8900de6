print("tuned")
