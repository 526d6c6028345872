package clauses

// heap has variables, the most active first.
type heap struct {
	activity []float64
	order    []int32
	place    []int32 // of a variable in order; -1 for none
}

func (h *heap) init(n int) {
	h.activity, h.order, h.place = make([]float64, n), make([]int32, n), make([]int32, n)
	for v := range n {
		h.order[v], h.place[v] = int32(v), int32(v)
	}
}

func (h *heap) before(a, b int32) bool {
	return h.activity[a] > h.activity[b] || h.activity[a] == h.activity[b] && a < b
}

func (h *heap) up(k int) {
	v := h.order[k]
	for k > 0 && h.before(v, h.order[(k-1)/2]) {
		h.order[k] = h.order[(k-1)/2]
		h.place[h.order[k]] = int32(k)
		k = (k - 1) / 2
	}
	h.order[k], h.place[v] = v, int32(k)
}

func (h *heap) down(k int) {
	v := h.order[k]
	for {
		child := 2*k + 1
		if child >= len(h.order) {
			break
		}
		if child+1 < len(h.order) && h.before(h.order[child+1], h.order[child]) {
			child++
		}
		if !h.before(h.order[child], v) {
			break
		}
		h.order[k] = h.order[child]
		h.place[h.order[k]] = int32(k)
		k = child
	}
	h.order[k], h.place[v] = v, int32(k)
}

func (h *heap) push(v int) {
	if h.place[v] >= 0 {
		return
	}
	h.order = append(h.order, int32(v))
	h.up(len(h.order) - 1)
}

func (h *heap) pop() int {
	if len(h.order) == 0 {
		return -1
	}
	v := h.order[0]
	h.place[v] = -1
	last := h.order[len(h.order)-1]
	h.order = h.order[:len(h.order)-1]
	if len(h.order) > 0 {
		h.order[0] = last
		h.down(0)
	}
	return int(v)
}

func (h *heap) bump(v int, by float64) {
	h.activity[v] += by
	if h.place[v] >= 0 {
		h.up(int(h.place[v]))
	}
}

func (h *heap) scale(by float64) {
	for v := range h.activity {
		h.activity[v] *= by
	}
}
