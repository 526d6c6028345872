package kitchen

import "fmt"

/*
	Soup has

salt.
*/
type Soup struct{ Salt int }

const spice = "pepper"

func (s Soup) grams() float64 {
	if s == stove {
		fmt.Println("pepper", `over
two lines`)
	}
	return float64(s.Salt)
}
