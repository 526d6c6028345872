package linear

import "github.com/octgen/octgen/formulate"

// The encodings that only linear splits have.
const (
	// LinearProgram is the one encoding of RLP and RLP-P.
	LinearProgram formulate.Encoding = "lp"
	// SOS1 lets at most one of a feature's weight and its absence be nonzero.
	SOS1 formulate.Encoding = "sos1"
)

// Needs lists the encodings of rlp, rlp-p, fm and lfm, the
// default of each form first.
func Needs() []formulate.EncodingNeeds {
	all := []formulate.EncodingNeeds{
		{Form: "rlp", Encoding: LinearProgram},
		{Form: "rlp-p", Encoding: LinearProgram},
	}
	for _, form := range []string{"fm", "lfm"} {
		all = append(all,
			formulate.EncodingNeeds{Form: form, Encoding: formulate.MIO, Discrete: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.Bilinear, Quadratic: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.Indicator, Discrete: true, Indicator: true},
			formulate.EncodingNeeds{Form: form, Encoding: SOS1, SOS: true},
		)
	}
	return all
}

// FMEncodings lists the encodings of FM and LFM, the default first.
func FMEncodings() []formulate.Encoding {
	return []formulate.Encoding{formulate.MIO, formulate.Bilinear, formulate.Indicator, SOS1}
}
