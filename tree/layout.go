package tree

// layout is a tidy drawing of a tree (Reingold & Tilford 1981, with boxes of
// different widths): parents are centred over their children, boxes of one
// level do not overlap, and subtrees are as close as their outlines allow.
type layout struct {
	x     []float64 // (nodes) centre of the box; the leftmost box begins at 0
	depth []int     // (nodes) level, 0 for the root
	width float64   // from the leftmost box's left side to the rightmost one's right side
}

// outline is the left and right extent of a subtree at each level, relative to its root's
// centre. The deepest level is first, so that a root is appended to the outline of what is
// below it, and extents are stored less a shift, so that the outline moves as a whole.
type outline struct {
	left, right []float64
	shift       float64
}

// boxOutline is the outline of one box.
func boxOutline(width float64) outline {
	return outline{left: []float64{-width / 2}, right: []float64{width / 2}}
}

// levels returns the number of levels.
func (o *outline) levels() int { return len(o.left) }

// at returns the extent at a level, 0 for the root.
func (o *outline) at(level int) (left, right float64) {
	i := len(o.left) - 1 - level
	return o.left[i] + o.shift, o.right[i] + o.shift
}

// arrange places boxes of the given widths (one per node), at least gap apart, the child
// of a condition's yes at the left.
func (t *Tree) arrange(c []Condition, width []float64, gap float64) layout {
	l := layout{x: make([]float64, len(t.Nodes)), depth: make([]int, len(t.Nodes))}
	outlines := make([]outline, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		if n.Split == nil {
			outlines[i] = boxOutline(width[i])
			continue
		}
		a, b := &outlines[c[i].Yes], &outlines[c[i].No]
		half := separation(a, b, gap) / 2
		l.x[c[i].Yes], l.x[c[i].No] = -half, half // relative to the parent for now
		outlines[i] = join(a, b, half)
		outlines[i].raise(width[i])
		outlines[n.Left], outlines[n.Right] = outline{}, outline{}
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
func separation(a, b *outline, gap float64) float64 {
	d := 0.0
	for level := range min(a.levels(), b.levels()) {
		_, right := a.at(level)
		left, _ := b.at(level)
		d = max(d, right-left+gap)
	}
	return d
}

// join returns the outline of the subtrees a and b, at distance half to the left and right
// of their parent. It changes only the levels that both have, in the memory of the deeper
// one: the work for a whole tree is in proportion to its nodes.
func join(a, b *outline, half float64) outline {
	shared := min(a.levels(), b.levels())
	if a.levels() > b.levels() {
		o := outline{a.left, a.right, a.shift - half}
		for level := range shared {
			_, right := b.at(level)
			o.right[len(o.right)-1-level] = right + half - o.shift
		}
		return o
	}
	o := outline{b.left, b.right, b.shift + half}
	for level := range shared {
		left, _ := a.at(level)
		o.left[len(o.left)-1-level] = left - half - o.shift
	}
	return o
}

// raise puts a root of the given width above the levels of o.
func (o *outline) raise(width float64) {
	o.left = append(o.left, -width/2-o.shift)
	o.right = append(o.right, width/2-o.shift)
}
