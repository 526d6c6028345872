NAME t
 x obj 1
