
==  Welcome to the SYMPHONY MILP Solver 
==  Copyright 2000-2019 Ted Ralphs and others 
==  All Rights Reserved. 
==  Distributed under the Eclipse Public License 1.0 
==  Version: 5.6.17 
==  Build Date: Sep 18 2022 

Reading input file...


Starting Preprocessing...
Preprocessing detected infeasibility...while improving bounds of 
	row [0]

Total Presolve Time: 0.000012...


****************************************************
* Problem Found Infeasible in Preprocessing        *
****************************************************
