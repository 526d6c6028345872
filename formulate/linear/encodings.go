package linear

import (
	"github.com/octgen/octgen/formulate"
)

// Needs lists the encodings of rlp, rlp-p, fm and lfm, the
// default of each form first.
func Needs() []formulate.EncodingNeeds {
	all := []formulate.EncodingNeeds{
		{Form: "rlp", Encoding: formulate.LinearProgram},
		{Form: "rlp-p", Encoding: formulate.LinearProgram},
	}
	for _, form := range []string{"fm", "lfm"} {
		all = append(all,
			formulate.EncodingNeeds{Form: form, Encoding: formulate.MIO, Discrete: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.Bilinear, Quadratic: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.Indicator, Discrete: true, Indicator: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.SOS1, SOS: true},
		)
	}
	return all
}

// FMEncodings lists the encodings of FM and LFM, the default first.
func FMEncodings() []formulate.Encoding {
	return []formulate.Encoding{formulate.MIO, formulate.Bilinear, formulate.Indicator, formulate.SOS1}
}
