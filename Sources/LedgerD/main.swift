print("ledgerd")
