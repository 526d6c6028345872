package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteDOT writes t as a Graphviz digraph: `dot -Tpdf tree.dot`. The
// child of the rows that a condition holds of is drawn at the left.
func (t *Tree) WriteDOT(w io.Writer, f Format) error {
	conditions := t.Conditions(f)
	out := bufio.NewWriter(w)
	out.WriteString("digraph tree {\n" +
		"\tgraph [ordering=out];\n" +
		"\tnode [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];\n" +
		"\tedge [fontname=\"Helvetica\"];\n")
	for i := range t.Nodes {
		n := &t.Nodes[i]
		var lines []string
		fill := ""
		if n.Split != nil {
			lines = append(lines, conditions[i].Text)
		} else {
			lines = append(lines, t.Answer(n, f))
			fill = fmt.Sprintf(", fillcolor=\"%s\"", classColor(n.Class).light)
		}
		if n.Count != nil {
			lines = append(lines, "n = "+f.amount(sum(n.Count)))
		}
		if mean := n.MeanRewards(); mean != nil {
			lines = append(lines, "reward = "+f.Rough(mean[n.Class]))
		} else if n.Count != nil && !t.IsPolicy() { // rows of policies have no class
			lines = append(lines, f.amounts(n.Count))
		}
		fmt.Fprintf(out, "\tn%d [label=\"%s\"%s];\n", i, dotLines(lines), fill)
	}
	for i := range t.Nodes {
		if c := conditions[i]; !t.Nodes[i].Leaf() {
			fmt.Fprintf(out, "\tn%d -> n%d [label=\"yes\"];\n\tn%d -> n%d [label=\"no\"];\n", i, c.Yes, i, c.No)
		}
	}
	out.WriteString("}\n")
	return out.Flush()
}

// dotEscaper escapes text for a quoted DOT string: a backslash would start an
// escape of Graphviz's own (\N is the node's name), and Graphviz reads HTML
// entities in labels.
var dotEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

func dotLines(lines []string) string {
	for i := range lines {
		lines[i] = dotEscaper.Replace(lines[i])
	}
	return strings.Join(lines, `\n`)
}

// Sizes of the drawing, in SVG user units (pixels at 100 %).
const (
	svgMargin    = 16.0
	svgFont      = 13.0
	svgSmall     = 11.0
	svgPadding   = 12.0 // between a box's side and its text
	svgBox       = 56.0 // height of a box
	svgLevel     = 112.0
	svgGap       = 18.0
	svgLegendRow = 22.0
	svgLongest   = 48 // characters of a line; longer ones are cut, the title has them whole
)

// classColors are the line and fill colours of the classes, repeated when
// there are more classes: Okabe & Ito's palette, safe for colour-blind readers.
var classColors = []struct{ strong, light string }{
	{"#0072b2", "#d6e9f5"},
	{"#e69f00", "#fcefd2"},
	{"#009e73", "#d3f0e7"},
	{"#cc79a7", "#f7e6ef"},
	{"#56b4e9", "#e2f2fc"},
	{"#d55e00", "#fae0d0"},
	{"#8a8100", "#f4f1cf"},
	{"#666666", "#e6e6e6"},
}

func classColor(k int) struct{ strong, light string } { return classColors[k%len(classColors)] }

// svgNode is what a box shows.
type svgNode struct {
	head, note string  // two lines
	title      string  // the whole text, shown on hover
	width      float64 // of the box
}

// WriteSVG writes t as a self-contained SVG drawing: split conditions, rows,
// and the class shares of every node as a bar, of a policy the mean reward. All text of the
// user's is escaped.
func (t *Tree) WriteSVG(w io.Writer, f Format) error {
	conditions := t.Conditions(f)
	nodes := make([]svgNode, len(t.Nodes))
	widths := make([]float64, len(t.Nodes))
	for i := range t.Nodes {
		nodes[i] = t.svgNode(i, conditions[i], f)
		widths[i] = nodes[i].width
	}
	l := t.arrange(conditions, widths, svgGap)
	legend := t.svgLegend(max(l.width, 240))
	levels := 1 + t.Depth()
	top := svgMargin + legend.height
	width := 2*svgMargin + max(l.width, legend.width)
	height := top + float64(levels-1)*svgLevel + svgBox + svgMargin
	shift := svgMargin + (width-2*svgMargin-l.width)/2 // centred under the legend
	for i := range l.x {
		l.x[i] += shift
	}

	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="%s">`+"\n",
		px(width), px(height), px(svgFont))
	title := "Decision tree"
	if t.IsPolicy() {
		title = "Policy tree"
	}
	fmt.Fprintf(out, "<title>%s</title>\n", title)
	fmt.Fprintf(out, `<rect width="%s" height="%s" fill="#ffffff"/>`+"\n", px(width), px(height))
	out.WriteString(legend.svg)
	for i := range t.Nodes { // edges first: boxes lie over them
		if c := conditions[i]; !t.Nodes[i].Leaf() {
			y := top + float64(l.depth[i])*svgLevel
			svgEdge(out, l.x[i], y, l.x[c.Yes], "yes")
			svgEdge(out, l.x[i], y, l.x[c.No], "no")
		}
	}
	for i := range t.Nodes {
		t.svgBox(out, i, nodes[i], l.x[i], top+float64(l.depth[i])*svgLevel)
	}
	out.WriteString("</svg>\n")
	return out.Flush()
}

func (t *Tree) svgNode(i int, c Condition, f Format) svgNode {
	n := &t.Nodes[i]
	var s svgNode
	if n.Split != nil {
		s.head = c.Text
	} else {
		s.head = t.Answer(n, f)
	}
	s.title = s.head
	if n.Count != nil {
		rows, mean := sum(n.Count), n.MeanRewards()
		s.note = "n = " + f.amount(rows)
		switch {
		case mean != nil:
			s.note += ", reward " + f.Rough(mean[n.Class])
		case n.Split == nil && !t.IsPolicy():
			wrong := rows - n.Count[n.Class]
			s.note += ", " + f.amount(wrong) + " wrong"
		}
		for k, v := range mean {
			s.title += "\n" + OneLine(t.Classes[k]) + ": reward " + f.Rough(v)
		}
		for k, rows := range n.Count {
			if t.IsPolicy() { // rows have no class
				break
			}
			s.title += "\n" + OneLine(t.Classes[k]) + ": " + f.amount(rows)
		}
	}
	s.head = shorten(s.head)
	head := textWidth(s.head, svgFont)
	if n.Split == nil {
		head *= 1.1 // set bold
	}
	s.width = 2*svgPadding + max(head, textWidth(s.note, svgSmall), 56)
	return s
}

func (t *Tree) svgBox(out *bufio.Writer, i int, s svgNode, x, y float64) {
	n := &t.Nodes[i]
	fill, line, weight := "#ffffff", "#555555", "normal"
	if n.Split == nil {
		c := classColor(n.Class)
		fill, line, weight = c.light, c.strong, "bold"
	}
	fmt.Fprintf(out, `<g><title>%s</title>`, xmlText(s.title))
	fmt.Fprintf(out, `<rect x="%s" y="%s" width="%s" height="%s" rx="6" fill="%s" stroke="%s"/>`,
		px(x-s.width/2), px(y), px(s.width), px(svgBox), fill, line)
	fmt.Fprintf(out, `<text x="%s" y="%s" text-anchor="middle" font-weight="%s" fill="#111111">%s</text>`, px(x), px(y+19), weight, xmlText(s.head))
	if n.Count != nil {
		fmt.Fprintf(out, `<text x="%s" y="%s" text-anchor="middle" font-size="%s" fill="#444444">%s</text>`, px(x), px(y+35), px(svgSmall), xmlText(s.note))
		if t.IsPolicy() {
			out.WriteString("</g>\n")
			return
		}
		svgBar(out, n.Count, x-s.width/2+svgPadding, y+svgBox-13, s.width-2*svgPadding)
	}
	out.WriteString("</g>\n")
}

// svgBar draws the class shares side by side.
func svgBar(out *bufio.Writer, count []float64, x, y, width float64) {
	total := sum(count)
	if total <= 0 {
		return
	}
	done := 0.0
	for k, c := range count {
		if c <= 0 {
			continue
		}
		fmt.Fprintf(out, `<rect x="%s" y="%s" width="%s" height="6" fill="%s"/>`, px(x+width*done/total), px(y), px(width*c/total), classColor(k).strong)
		done += c
	}
}

// svgEdge draws the edge from the bottom of the box at (x, y) to the top of the
// child's box.
func svgEdge(out *bufio.Writer, x, y, child float64, label string) {
	from, to := y+svgBox, y+svgLevel
	middle := (from + to) / 2
	fmt.Fprintf(out, `<path d="M%s %s C%s %s %s %s %s %s" fill="none" stroke="#888888" stroke-width="1.3"/>`,
		px(x), px(from), px(x), px(middle), px(child), px(middle), px(child), px(to))
	anchor, at := "end", child-5
	if child > x {
		anchor, at = "start", child+5
	}
	fmt.Fprintf(out, `<text x="%s" y="%s" text-anchor="%s" font-size="%s" fill="#666666">%s</text>`+"\n", px(at), px(to-6), anchor, px(svgSmall), label)
}

type svgPart struct {
	svg           string
	width, height float64
}

// svgLegend draws the classes' colours in rows of at most the given width.
func (t *Tree) svgLegend(limit float64) svgPart {
	var b strings.Builder
	x, y, widest := 0.0, 0.0, 0.0
	for k, name := range t.Classes {
		text := shorten(OneLine(name))
		width := 18 + textWidth(text, svgSmall) + 14
		if x > 0 && x+width > limit {
			x, y = 0, y+svgLegendRow
		}
		fmt.Fprintf(&b, `<rect x="%s" y="%s" width="12" height="12" rx="2" fill="%s"/>`, px(svgMargin+x), px(svgMargin+y), classColor(k).strong)
		fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="%s" fill="#222222">%s</text>`+"\n", px(svgMargin+x+18), px(svgMargin+y+10), px(svgSmall), xmlText(text))
		x += width
		widest = max(widest, x)
	}
	return svgPart{b.String(), widest, y + svgLegendRow + 12}
}

// textWidth estimates the width of text from above: the drawing must not
// depend on the fonts of the machine that shows it. The classes of letters are
// those of a wide sans-serif face (DejaVu Sans); letters beyond Latin, Greek
// and Cyrillic count as full width.
func textWidth(s string, size float64) float64 {
	em := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("ijlI.,:;|'!", r):
			em += 0.37
		case strings.ContainsRune("mwMW@%", r):
			em += 1.02
		case r >= 0x530:
			em += 1.1
		case r >= 'A' && r <= 'Z' || strings.ContainsRune("<>=+~_", r):
			em += 0.86
		default:
			em += 0.67
		}
	}
	return em * size
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= svgLongest {
		return s
	}
	r := []rune(s)
	return string(r[:svgLongest-1]) + "…"
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

func xmlText(s string) string { return xmlEscaper.Replace(s) }

// px writes a coordinate with at most two decimals.
func px(v float64) string {
	s := fmt.Sprintf("%.2f", v)
	s = strings.TrimRight(s, "0")
	return strings.TrimSuffix(s, ".")
}

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
