package dataset

import (
	"math"
	"strings"
	"time"
)

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
