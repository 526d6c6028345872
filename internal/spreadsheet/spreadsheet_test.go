package spreadsheet

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "a=b": "a=b", "-1": "-1", "+1.5e3": "+1.5e3", "-": "-", "+": "+", "- 1": "'- 1", "-inf": "'-inf", "+0x1p-2": "'+0x1p-2",
		"=1+1": "'=1+1", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)",
		"\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "＝1": "'＝1", "'a": "''a", "'": "''", "it's": "it's",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzText: what is made of a text is safe, and the text can be had again.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "=1", "'=1", "''", "-1", "-1-1", "＠"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Text(text)
		if strings.TrimPrefix(got, "'") != text {
			t.Errorf("%q became %q", text, got)
		}
		if got != "" && strings.ContainsAny(got[:1], "=@\t\r\n") || got == text && strings.HasPrefix(text, "'") {
			t.Errorf("%q", got)
		}
	})
}
