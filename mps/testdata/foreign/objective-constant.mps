NAME t
OBJSENSE
    MAXIMIZE
ROWS
 N cost
 N other
 N third
 L r1
COLUMNS
 x cost 1 r1 1
 x other 3
RHS
 RHS cost -3 r1 5
 RHS other 4
ENDATA
