package formulate

// OCTNeeds lists what the encodings of oct and oct-h need, the default of each
// form first.
func OCTNeeds() []EncodingNeeds {
	var all []EncodingNeeds
	for _, e := range OCTEncodings() {
		all = append(all, EncodingNeeds{Form: "oct", Encoding: e, Discrete: true, Indicator: e == Indicator})
	}
	for _, e := range OCTHEncodings() {
		all = append(all, EncodingNeeds{Form: "oct-h", Encoding: e, Discrete: true, Indicator: e == Indicator})
	}
	return all
}
