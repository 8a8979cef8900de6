print("making data")
