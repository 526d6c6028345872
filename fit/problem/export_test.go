package problem

// Register is register, for methods of tests.
var Register = register
