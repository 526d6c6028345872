NAME words
OBJSENSE MIN
ROWS
 N COST
 G R0
 L RHS
COLUMNS
    C0        R0           -1.0        COST       -1.0
    OBJSENSE  R0           -1.0        COST       -1.0
    RANGES    R0           -1.0        RHS        -1.0
    RHS       R0           -1.0        COST       -1.0
    BOUNDS    RHS          -1.0
RHS
    RHS       R0           -1.0        RHS         4.0
RANGES
    RHS       RHS           2.0
BOUNDS
 UP RHS       RHS           5.0
 UP BOUNDS    3.0
 LO RHS       1.0
ENDATA
