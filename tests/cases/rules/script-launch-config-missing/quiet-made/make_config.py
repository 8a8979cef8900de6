print("making")
