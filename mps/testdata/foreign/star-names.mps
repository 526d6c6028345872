* A comment: the star stands in column 1.
NAME          stars
ROWS
 N  *OBJ*
 G  *r1*
 L  r2
* so is this,
   
COLUMNS
    *x*       *OBJ*     1   *r1*  1
*   and this, whatever section it is in
    *x*       r2        1
    y         *OBJ*     2   *r1*  3
RHS
    *RHS*     *r1*      4
    *RHS*     r2        5
RANGES
    *RNG*     r2        6
BOUNDS
 UP *BND*     *x*       7
 FR *BND*     y
QUADOBJ
    *x*       *x*       2
ENDATA
