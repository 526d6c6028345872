package main

import "slices"

// backward returns the arrows that run back up: of all ways to put the files of the
// room one above the other, one is taken that leaves few arrows from a lower file
// to a higher one. None are left where the files can be put in order, that is where
// no arrows make a circle; else their number is that of a local optimum, and the
// least number may be a little smaller.
func (r *room) backward() []arrow {
	var all []arrow
	for a := range r.arrows {
		all = append(all, a)
	}
	sortArrows(all)
	height := heights(order(len(r.files), all))
	return slices.DeleteFunc(all, func(a arrow) bool { return height[a.from] > height[a.to] })
}

func sortArrows(all []arrow) {
	slices.SortFunc(all, func(a, b arrow) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})
}

// heights is the place of each file in an order, from the ground.
func heights(order []int) []int {
	height := make([]int, len(order))
	for i, f := range order {
		height[f] = i
	}
	return height
}

// order puts n files one above the other, from the ground. It begins with a walk
// along the arrows that puts a file above all that it leads to, which leaves no
// arrow upward where there are no circles; then it moves one file at a time to
// where it leaves the fewest arrows upward, until that helps no more.
func order(n int, arrows []arrow) []int {
	up := make([][]int, n) // up[a][b]: 1 where there is an arrow from a to b
	for i := range up {
		up[i] = make([]int, n)
	}
	for _, a := range arrows {
		up[a.from][a.to] = 1
	}
	files := walk(n, up)
	for moved := true; moved; {
		moved = false
		for f := range n {
			moved = improve(files, f, up) || moved
		}
	}
	return files
}

// walk lists the files depth first, each after those that it leads to.
func walk(n int, up [][]int) []int {
	var files []int
	seen := make([]bool, n)
	var visit func(f int)
	visit = func(f int) {
		if seen[f] {
			return
		}
		seen[f] = true
		for to := range n {
			if up[f][to] != 0 {
				visit(to)
			}
		}
		files = append(files, f)
	}
	for f := range n {
		visit(f)
	}
	return files
}

// improve moves a file to its best place and says whether that is a better one.
func improve(files []int, f int, up [][]int) bool {
	at := slices.Index(files, f)
	best, place := 0, at
	for _, step := range []int{-1, 1} {
		gain := 0
		for i := at + step; i >= 0 && i < len(files); i += step {
			// f passes files[i]: arrows between the two turn around.
			o := files[i]
			gain += step * (up[f][o] - up[o][f])
			if gain > best {
				best, place = gain, i
			}
		}
	}
	if best == 0 {
		return false
	}
	if place < at {
		copy(files[place+1:at+1], files[place:at])
	} else {
		copy(files[at:place], files[at+1:place+1])
	}
	files[place] = f
	return true
}
