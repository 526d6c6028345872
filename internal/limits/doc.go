// Package limits holds no code: its tests hold every native method to its deadline on
// large data.
package limits
