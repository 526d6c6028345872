package dataset

// DateLayouts are the layouts of package time by the names of the formats.
func DateLayouts() map[string]string { return dateLayouts() }
