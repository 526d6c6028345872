* octgen dialect portable, free format
* octgen sense max
* golden file
* octgen name model "max"
NAME octgen FREE
ROWS
 N obj
 L cap
COLUMNS
 BIN0 'MARKER' 'INTORG'
 x obj -3 cap 4
 BIN0 'MARKER' 'INTEND'
 INT1 'MARKER' 'INTORG'
 y obj -1 cap 1
 INT1 'MARKER' 'INTEND'
 z obj -0.5 cap 2
 octgen_one obj -2.5
RHS
 RHS cap 10
BOUNDS
 BV BND x
 LO BND y -2
 UP BND y 7
 LO BND z 0
 PL BND z
 FX BND octgen_one 1
ENDATA
