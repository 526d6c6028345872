x#1 True
