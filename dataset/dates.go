package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/octgen/octgen/internal/nearest"
)

// Date describes the numeric encoding of a date column: days since the first date, with
// the time of day as a fraction of a day.
type Date struct {
	Format string `json:"format"` // one of DateFormats
	First  string `json:"first"`  // day 0, YYYY-MM-DD: the day of the earliest training date
}

// secondsPerDay ignores leap seconds, as UTC dates in Go do.
const secondsPerDay = 24 * 60 * 60

// dayFormats are the date formats in the order of trial, with the layouts of package
// time. Days and months may have one or two digits. Two-digit years 69 to 99 mean 1969 to
// 1999.
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

// clockFormats are the time formats that may follow a day. Seconds may have a fraction; Z
// is a Z or an offset such as +02:00.
var clockFormats = []struct{ name, layout string }{
	{"", ""},
	{" hh:mm:ss", " 15:04:05"},
	{" hh:mm", " 15:04"},
	{"Thh:mm:ss", "T15:04:05"},
	{"Thh:mm", "T15:04"},
	{"Thh:mm:ssZ", "T15:04:05Z07:00"},
	{" hh:mm:ssZ", " 15:04:05Z07:00"},
}

// DateFormats returns the names of the supported date formats, without and with a time of
// day, in the order of trial.
func DateFormats() []string {
	var names []string
	for _, clock := range clockFormats {
		for _, day := range dayFormats {
			names = append(names, day.name+clock.name)
		}
	}
	return names
}

// dateLayouts maps the names of the formats to layouts of package time.
var dateLayouts = sync.OnceValue(func() map[string]string {
	layouts := make(map[string]string)
	for _, clock := range clockFormats {
		for _, day := range dayFormats {
			layouts[day.name+clock.name] = day.layout + clock.layout
		}
	}
	return layouts
})

// dateReader parses dates of one format.
type dateReader struct {
	format, layout string
	first          float64 // seconds since 1970 of day 0
}

func newDateReader(format string) (*dateReader, error) {
	layout, ok := dateLayouts()[format]
	if !ok {
		return nil, fmt.Errorf("unknown date format %q; %s", format, nearest.Hint(format, DateFormats(),
			"valid formats include YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY hh:mm (docs/data.md)"))
	}
	return &dateReader{format: format, layout: layout}, nil
}

// reader returns a reader for the dates of the encoder.
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

// seconds returns the seconds from 1970 to the date s, and whether s is a date of the
// format.
func (r *dateReader) seconds(s string) (float64, bool) {
	t, err := time.Parse(r.layout, s)
	if err != nil {
		return 0, false
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 { // the offset can move the year out of the range of Date.First
		return 0, false
	}
	return unixSeconds(t), true
}

// dayOf returns the day of so many seconds since 1970.
func dayOf(seconds float64) string { return time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly) }

// unixSeconds returns the seconds from 1970 to t.
func unixSeconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// days converts seconds since 1970 to days since day 0.
func (r *dateReader) days(seconds float64) float64 { return (seconds - r.first) / secondsPerDay }

// learned returns the Date for the encoder.
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

// plausible reports whether the texts, all of the format, are dates rather than codes of digits and signs.
func (r *dateReader) plausible(texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		t, _ := time.Parse(r.layout, s)
		return t.Year() < 1800 || t.Year() > 2200
	})
}

// dateFormatOf returns a reader of the first format that fits all the texts, of which
// there must be at least one, or nil. If another format also fits but gives different
// dates, other is its reader.
func dateFormatOf(texts []string) (format, other *dateReader) {
	if !strings.ContainsAny(texts[0], "0123456789") {
		return nil, nil
	}
	for _, name := range DateFormats() {
		r := &dateReader{format: name, layout: dateLayouts()[name]}
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

// sameDates reports whether both formats parse the texts to the same dates.
func sameDates(a, b *dateReader, texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		x, _ := a.seconds(s)
		y, _ := b.seconds(s)
		return x != y
	})
}

// Cut expresses a number of days as a date of the column's format. The dates that count
// less than days are those before the returned date, and, if through is set, that date
// itself. This is exact for all dates that a column of the format can hold, to the
// microsecond if the format has seconds. For example, 341.5 days after 2021-01-06 is
// 2021-12-14 in a column of days, the first date that does not count less. Days and
// months have two digits, times with an offset are in UTC, and a year outside the range
// of two digits is written in full. The date is "" if there is no such date in the years
// 0 to 9999.
func (d *Date) Cut(days float64) (date string, through bool) {
	r, err := d.reader()
	if err != nil {
		return "", false
	}
	t, ok := r.firstFrom(days)
	if !ok {
		return "", false
	}
	date = r.write(t)
	if r.hasSeconds() { // the previous date may be shorter: 08:52:30, not 08:52:30.000001
		if before := r.write(t.Add(-r.step())); len(before) < len(date) {
			return before, true
		}
	}
	return date, false
}

// firstFrom returns the first date of the format that does not count less than days.
func (r *dateReader) firstFrom(days float64) (time.Time, bool) {
	const mostDays = 10_000 * 366 // more than the days from the first year to the last
	if !(math.Abs(days) <= mostDays) {
		return time.Time{}, false
	}
	whole, part := math.Modf(days)
	t := time.Unix(int64(r.first), 0).UTC().AddDate(0, 0, int(whole))
	step := r.step()
	t = t.Add(time.Duration(part * float64(24*time.Hour))).Truncate(step)
	for !(r.count(t) < days) { // the division by the seconds of a day rounds
		t = t.Add(-step)
	}
	for r.count(t) < days {
		t = t.Add(step)
	}
	if month := t.AddDate(0, 0, 1-t.Day()).Truncate(24 * time.Hour); !strings.Contains(r.format, "DD") && t.Day() != 1 {
		t = month.AddDate(0, 1, 0)
	}
	return t, t.Year() >= 0 && t.Year() <= 9999
}

// count returns the days from day 0 to t.
func (r *dateReader) count(t time.Time) float64 { return r.days(unixSeconds(t)) }

func (r *dateReader) hasSeconds() bool { return strings.Contains(r.format, "ss") }

// step returns the resolution of the format; a format of months has that of days.
func (r *dateReader) step() time.Duration {
	switch {
	case r.hasSeconds():
		return time.Microsecond
	case strings.Contains(r.format, "mm"):
		return time.Minute
	}
	return 24 * time.Hour
}

// write formats a date in the column's format.
func (r *dateReader) write(t time.Time) string {
	year := "06"
	if t.Year() < 1969 || t.Year() > 2068 {
		year = "2006"
	}
	return t.Format(strings.NewReplacer("YYYY", "2006", "YY", year, "Month", "January", "Mon", "Jan", "MM", "01", "DD", "02",
		"hh", "15", "mm", "04", "ss", "05.999999", "Z", "Z07:00").Replace(r.format))
}
