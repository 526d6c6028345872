* octgen dialect portable, free format
* golden file
* octgen name model "columns"
NAME octgen FREE
ROWS
 N obj
COLUMNS
 empty obj 0
 fixed obj 1
 negative obj 1
 INT0 'MARKER' 'INTORG'
 count obj 1
 zeroone obj 1
 INT0 'MARKER' 'INTEND'
 BIN1 'MARKER' 'INTORG'
 binary obj 1
 one obj 1
 BIN1 'MARKER' 'INTEND'
 INT2 'MARKER' 'INTORG'
 any obj 1
 INT2 'MARKER' 'INTEND'
RHS
BOUNDS
 LO BND empty 0
 PL BND empty
 FX BND fixed 3
 MI BND negative
 UP BND negative -1
 LO BND count 0
 PL BND count
 LO BND zeroone 0
 UP BND zeroone 1
 BV BND binary
 FX BND one 1
 FR BND any
ENDATA
