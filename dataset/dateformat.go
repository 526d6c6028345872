package dataset

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/internal/nearest"
)

// Date says how the fields of a column of dates become numbers: days since the first
// one, with the time of day as a part of a day.
type Date struct {
	Format string `json:"format"` // one of DateFormats
	First  string `json:"first"`  // day 0, YYYY-MM-DD: that of the earliest date of training
}

// secondsPerDay is without leap seconds, as dates of UTC are.
const secondsPerDay = 24 * 60 * 60

// dayFormats are the forms of a day, in the order in which they are tried, and the
// layouts of package time that read them. Days and months may have one digit or two.
// Of two-digit years 69 to 99 are 1969 to 1999.
var dayFormats = []struct{ name, layout string }{
	{"YYYY-MM-DD", "2006-1-2"},
	{"YYYY/MM/DD", "2006/1/2"},
	{"MM/DD/YYYY", "1/2/2006"},
	{"DD/MM/YYYY", "2/1/2006"},
	{"DD.MM.YYYY", "2.1.2006"},
	{"DD-MM-YYYY", "2-1-2006"},
	{"MM-DD-YYYY", "1-2-2006"},
	{"MM/DD/YY", "1/2/06"},
	{"DD/MM/YY", "2/1/06"},
	{"DD.MM.YY", "2.1.06"},
	{"DD Mon YYYY", "2 Jan 2006"},
	{"DD-Mon-YYYY", "2-Jan-2006"},
	{"DD-Mon-YY", "2-Jan-06"},
	{"Mon DD, YYYY", "Jan 2, 2006"},
	{"DD Month YYYY", "2 January 2006"},
	{"Month DD, YYYY", "January 2, 2006"},
	{"YYYY-MM", "2006-1"},
	{"YYYYMMDD", "20060102"},
}

// clockFormats are what may follow a day. Seconds may have a fraction; Z is a Z or an
// offset such as +02:00.
var clockFormats = []struct{ name, layout string }{
	{"", ""},
	{" hh:mm:ss", " 15:04:05"},
	{" hh:mm", " 15:04"},
	{"Thh:mm:ss", "T15:04:05"},
	{"Thh:mm", "T15:04"},
	{"Thh:mm:ssZ", "T15:04:05Z07:00"},
	{" hh:mm:ssZ", " 15:04:05Z07:00"},
}

// DateFormats are the names of the formats that dates may have, without and with a
// time of day, in the order in which they are tried.
func DateFormats() []string {
	var names []string
	for _, clock := range clockFormats {
		for _, day := range dayFormats {
			names = append(names, day.name+clock.name)
		}
	}
	return names
}

// dateLayouts are the layouts of package time by the names of the formats.
var dateLayouts = func() map[string]string {
	layouts := make(map[string]string)
	for _, clock := range clockFormats {
		for _, day := range dayFormats {
			layouts[day.name+clock.name] = day.layout + clock.layout
		}
	}
	return layouts
}()

// dateReader reads the dates of one format.
type dateReader struct {
	format, layout string
	first          float64 // seconds since 1970 of day 0
}

func newDateReader(format string) (*dateReader, error) {
	layout, ok := dateLayouts[format]
	if !ok {
		return nil, fmt.Errorf("unknown date format %q; %s", format, nearest.Hint(format, DateFormats(),
			"the formats are such as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY hh:mm (docs/data.md)"))
	}
	return &dateReader{format: format, layout: layout}, nil
}

// reader returns the reader of the encoder's dates.
func (d *Date) reader() (*dateReader, error) {
	r, err := newDateReader(d.Format)
	if err != nil {
		return nil, err
	}
	first, err := time.Parse(time.DateOnly, d.First)
	if err != nil {
		return nil, fmt.Errorf("first date %q; want YYYY-MM-DD", d.First)
	}
	r.first = float64(first.Unix())
	return r, nil
}

// seconds returns the seconds from 1970 to a date, and whether s is one.
func (r *dateReader) seconds(s string) (float64, bool) {
	t, err := time.Parse(r.layout, s)
	if err != nil {
		return 0, false
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 { // by its offset; it could not be written as Date.First
		return 0, false
	}
	return unixSeconds(t), true
}

// unixSeconds is the seconds from 1970 to t.
func unixSeconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// days returns the days from day 0 to that many seconds since 1970.
func (r *dateReader) days(seconds float64) float64 { return (seconds - r.first) / secondsPerDay }

// learned is what the encoder keeps.
func (r *dateReader) learned() *Date {
	return &Date{Format: r.format, First: time.Unix(int64(r.first), 0).UTC().Format(time.DateOnly)}
}

// fits reports whether every text is a date of the format.
func (r *dateReader) fits(texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		_, ok := r.seconds(s)
		return !ok
	})
}

// dateFormatOf returns the reader of the format that all the texts have, of which there
// is one at least; nil where there is none. Where they have a second one by which they
// are other dates, that one comes back, too.
func dateFormatOf(texts []string) (format, other *dateReader) {
	if !strings.ContainsAny(texts[0], "0123456789") {
		return nil, nil
	}
	for _, name := range DateFormats() {
		r := &dateReader{format: name, layout: dateLayouts[name]}
		switch {
		case !r.fits(texts):
		case format == nil:
			format = r
		case !sameDates(format, r, texts):
			return format, r
		}
	}
	return format, nil
}

// sameDates reports whether the texts are the same dates by both formats.
func sameDates(a, b *dateReader, texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		x, _ := a.seconds(s)
		y, _ := b.seconds(s)
		return x != y
	})
}
