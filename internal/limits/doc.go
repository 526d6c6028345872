// Package limits holds no code: its tests hold every native method, and fits with
// executables, to their deadlines on large data.
package limits
