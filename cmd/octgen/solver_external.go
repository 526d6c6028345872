package main

import _ "github.com/octgen/octgen/solvers/external" // registers the solvers
