package tree

// layout is a tidy drawing of a tree (Reingold & Tilford 1981, with boxes of
// different widths): parents are centred over their children, boxes of one
// level do not overlap, and subtrees are as close as their outlines allow.
type layout struct {
	x     []float64 // (nodes) centre of the box; the leftmost box begins at 0
	depth []int     // (nodes) level, 0 for the root
	width float64   // from the leftmost box's left side to the rightmost one's right side
}

// outline is the left and right extent of a subtree at each level below and
// including its root, relative to the root's centre.
type outline struct{ left, right []float64 }

// arrange places boxes of the given widths (one per node), at least gap apart, the child
// of a condition's yes at the left.
func (t *Tree) arrange(c []Condition, width []float64, gap float64) layout {
	l := layout{x: make([]float64, len(t.Nodes)), depth: make([]int, len(t.Nodes))}
	outlines := make([]outline, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		own := outline{[]float64{-width[i] / 2}, []float64{width[i] / 2}}
		if n.Split != nil {
			a, b := outlines[c[i].Yes], outlines[c[i].No]
			half := separation(a, b, gap) / 2
			l.x[c[i].Yes], l.x[c[i].No] = -half, half // relative to the parent for now
			own = own.over(a, b, half)
			outlines[n.Left], outlines[n.Right] = outline{}, outline{}
		}
		outlines[i] = own
	}
	left, right := 0.0, 0.0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Split != nil {
			for _, child := range []int{n.Left, n.Right} {
				l.x[child] += l.x[i]
				l.depth[child] = l.depth[i] + 1
			}
		}
		left = min(left, l.x[i]-width[i]/2)
		right = max(right, l.x[i]+width[i]/2)
	}
	for i := range l.x {
		l.x[i] -= left
	}
	l.width = right - left
	return l
}

// separation returns the least distance of the centres of the neighbours a and
// b at which their boxes are at least gap apart on every level.
func separation(a, b outline, gap float64) float64 {
	d := 0.0
	for level := range min(len(a.right), len(b.left)) {
		d = max(d, a.right[level]-b.left[level]+gap)
	}
	return d
}

// over returns the outline of a node with own outline o, one level, over the
// subtrees a and b at distance half to its left and right.
func (o outline) over(a, b outline, half float64) outline {
	for level := range max(len(a.left), len(b.left)) {
		switch {
		case level >= len(b.left):
			o.left = append(o.left, a.left[level]-half)
			o.right = append(o.right, a.right[level]-half)
		case level >= len(a.left):
			o.left = append(o.left, b.left[level]+half)
			o.right = append(o.right, b.right[level]+half)
		default:
			o.left = append(o.left, a.left[level]-half)
			o.right = append(o.right, b.right[level]+half)
		}
	}
	return o
}
