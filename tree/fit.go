package tree

import "fmt"

// Fit is what a fit knows of its tree, for those who have the tree alone: pages, exports, reviewers.
type Fit struct {
	Method    string   `json:"method"`
	Data      string   `json:"data,omitempty"`  // name of the file, without its folder
	Status    string   `json:"status"`          // as octgen fit prints it
	Claim     string   `json:"claim,omitempty"` // what is proved of all trees within limits
	Objective *float64 `json:"objective,omitempty"`
	Bound     *float64 `json:"bound,omitempty"`
	Gap       *float64 `json:"gap,omitempty"`
	RMSE      *float64 `json:"rmse,omitempty"`      // of numbers, on the training rows
	MeanRMSE  *float64 `json:"mean_rmse,omitempty"` // of their mean as the only answer
	Test      *FitTest `json:"test,omitempty"`      // on rows that were not used; nil for none

	Proof *FitProof `json:"proof,omitempty"` // a file that shows what is claimed; nil for none
}

// FitProof is a proof file, which was checked.
type FitProof struct {
	File  string `json:"file"`  // name of the file, without its folder
	Bytes int    `json:"bytes"` // without compression
}

// FitTest are the errors of a tree on test rows.
type FitTest struct {
	Rows   float64  `json:"rows"`
	Errors float64  `json:"errors"`         // 0 of numbers
	RMSE   *float64 `json:"rmse,omitempty"` // of numbers
}

// Certainty is a sentence that says what is proved; proved reports whether it is an optimum.
func (f *Fit) Certainty() (text string, proved bool) {
	text, proved = f.certainty()
	if p := f.Proof; p != nil {
		text += fmt.Sprintf(" Proof: %s, %d bytes, checked.", p.File, p.Bytes)
	}
	return text, proved
}

func (f *Fit) certainty() (text string, proved bool) {
	switch {
	case f.Claim != "":
		return "Proved optimal: " + f.Claim + " on the training rows.", true
	case f.Status == "optimal":
		return "Proved optimal among the trees of the method " + f.Method + ".", true
	case f.Gap != nil && f.Objective != nil && f.Bound != nil:
		return fmt.Sprintf("Not proved: gap %s %%. Its objective is %s; a tree down to %s is not ruled out.", Plain(100**f.Gap, 2), Plain(*f.Objective, 4), Plain(*f.Bound, 4)), false
	}
	return "Not proved: found by " + f.Method + "; better trees may exist.", false
}
