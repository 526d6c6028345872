* QUADOBJ holds one triangle, whichever: HiGHS 1.10 loses the upper one's entries.
NAME t
ROWS
 N obj
 G r1
COLUMNS
 x obj -4 r1 1
 y obj -4 r1 1
RHS
 RHS r1 1
QUADOBJ
 x x 4
 y x 2
 y y 2
ENDATA
