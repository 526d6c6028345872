* octgen dialect gurobi, fixed format
* octgen sense max
* golden file
* octgen name model "quadratic"
NAME          octgen
ROWS
 N  obj
 L  disc
 E  square
 N  loose
COLUMNS
    x         obj       -1             disc      1
    y         obj       0
    unused    obj       0
RHS
    RHS       disc      4
    RHS       square    0.25
BOUNDS
 LO BND       x         -1
 UP BND       x         1
 LO BND       y         0
 UP BND       y         2
 LO BND       unused    0
 PL BND       unused
QUADOBJ
    x         x         3
    x         y         -1
QCMATRIX   disc
    x         x         1
    x         y         -1
    y         x         -1
QCMATRIX   square
    y         y         1
* octgen quadratic loose x y 0.5
SOS
 S1 s1
    x         -1
    y         2.5
ENDATA
