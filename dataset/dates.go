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
var dateLayouts = sync.OnceValue(func() map[string]string {
	layouts := make(map[string]string)
	for _, clock := range clockFormats {
		for _, day := range dayFormats {
			layouts[day.name+clock.name] = day.layout + clock.layout
		}
	}
	return layouts
})

// dateReader reads the dates of one format.
type dateReader struct {
	format, layout string
	first          float64 // seconds since 1970 of day 0
}

func newDateReader(format string) (*dateReader, error) {
	layout, ok := dateLayouts()[format]
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

// sameDates reports whether the texts are the same dates by both formats.
func sameDates(a, b *dateReader, texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		x, _ := a.seconds(s)
		y, _ := b.seconds(s)
		return x != y
	})
}

// Cut puts a number of days in words: the dates that count less than it are those before
// the date that comes back, and with through that date itself, too. This is exact of all
// dates that a column of the format can hold, to the microsecond where it has seconds:
// 341.5 days after 2021-01-06 are 2021-12-14 in a column of days, the first date that
// counts no less. The date is in the form of the column, of two digits where the
// column may have one, in UTC where it has an offset, and with all digits of a year that
// two would not tell. It is "" where there is no such date in the years 0 to 9999.
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
	if r.hasSeconds() { // the date before may be the shorter one: 08:52:30, not 08:52:30.000001
		if before := r.write(t.Add(-r.step())); len(before) < len(date) {
			return before, true
		}
	}
	return date, false
}

// firstFrom is the first date of the format that counts no less than days.
func (r *dateReader) firstFrom(days float64) (time.Time, bool) {
	const mostDays = 10_000 * 366 // from the first year to the last, and more
	if !(math.Abs(days) <= mostDays) {
		return time.Time{}, false
	}
	whole, part := math.Modf(days)
	t := time.Unix(int64(r.first), 0).UTC().AddDate(0, 0, int(whole))
	step := r.step()
	t = t.Add(time.Duration(part * float64(24*time.Hour))).Truncate(step)
	for !(r.count(t) < days) { // the division by the seconds of a day is rounded
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

// count is the days that a date counts.
func (r *dateReader) count(t time.Time) float64 { return r.days(unixSeconds(t)) }

func (r *dateReader) hasSeconds() bool { return strings.Contains(r.format, "ss") }

// step is the least distance of two dates of the format, of months that of days.
func (r *dateReader) step() time.Duration {
	switch {
	case r.hasSeconds():
		return time.Microsecond
	case strings.Contains(r.format, "mm"):
		return time.Minute
	}
	return 24 * time.Hour
}

// write writes a date in the form of the column.
func (r *dateReader) write(t time.Time) string {
	year := "06"
	if t.Year() < 1969 || t.Year() > 2068 {
		year = "2006"
	}
	return t.Format(strings.NewReplacer("YYYY", "2006", "YY", year, "Month", "January", "Mon", "Jan", "MM", "01", "DD", "02",
		"hh", "15", "mm", "04", "ss", "05.999999", "Z", "Z07:00").Replace(r.format))
}
