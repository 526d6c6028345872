Problem:    octgen
Rows:       3
