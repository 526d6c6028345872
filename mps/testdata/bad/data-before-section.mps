 x obj 1
