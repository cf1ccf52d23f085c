package schedule

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// When is a recurring time, counted from midnight. The zero value means none.
type When struct {
	Every        time.Duration // interval, or zero
	Daily        bool
	Hour, Minute int // time of the day, by the clock of the machine
}

// ParseWhen reads "every" with a duration or "daily" with a time of the day.
func ParseWhen(how, value string) (When, error) {
	switch how {
	case "every":
		d, err := time.ParseDuration(value)
		if err != nil {
			return When{}, fmt.Errorf("wants a time such as 30m or 2h, got %q", value)
		}
		w := When{Every: d}
		return w, w.check()
	case "daily":
		t, err := time.Parse("15:04", value)
		if err != nil {
			return When{}, fmt.Errorf("wants a time of the day such as 09:00, got %q", value)
		}
		return When{Daily: true, Hour: t.Hour(), Minute: t.Minute()}, nil
	}
	return When{}, fmt.Errorf("%q is no kind of time", how)
}

// check requires times at the same minutes each day.
func (w When) check() error {
	m := w.minutes()
	switch {
	case w.Daily && w.Every == 0 && w.Hour >= 0 && w.Hour < 24 && w.Minute >= 0 && w.Minute < 60:
		return nil
	case !w.Daily && w.Every == time.Duration(m)*time.Minute && m > 0 && (m < 60 && 60%m == 0 || m%60 == 0 && 24*60%m == 0):
		return nil
	}
	return errors.New("wants minutes that divide an hour (5m, 10m, 15m, 20m, 30m) or hours that divide a day (1h, 2h, 3h, 4h, 6h, 8h, 12h)")
}

func (w When) minutes() int { return int(w.Every / time.Minute) }

// String returns the two words for ParseWhen with a blank between.
func (w When) String() string {
	if w == (When{}) {
		return "at unknown times"
	}
	return w.In("daily %02d:%02d", "every %dm", "every %dh")
}

// In formats the time: daily takes hour and minute, minutes and hours one number.
func (w When) In(daily, minutes, hours string) string {
	m := w.minutes()
	switch {
	case w.Daily:
		return fmt.Sprintf(daily, w.Hour, w.Minute)
	case m%60 != 0:
		return fmt.Sprintf(minutes, m)
	}
	return fmt.Sprintf(hours, m/60)
}

// Next returns the first such time after another, in its time zone.
func (w When) Next(after time.Time) time.Time {
	t := after.Truncate(time.Minute)
	for range 2 * 24 * 60 {
		t = t.Add(time.Minute)
		if w.holds(t.Hour(), t.Minute()) {
			break
		}
	}
	return t
}

func (w When) holds(hour, minute int) bool {
	m := w.minutes()
	switch {
	case w.Daily:
		return hour == w.Hour && minute == w.Minute
	case m < 60:
		return minute%m == 0
	}
	return minute == 0 && hour%(m/60) == 0
}

// Period returns the time between two runs.
func (w When) Period() time.Duration {
	if w.Daily {
		return 24 * time.Hour
	}
	return w.Every
}

// Spread returns the random delay of a timer, so that not all begin at once.
func (w When) Spread() time.Duration { return min(w.Period()/10, 5*time.Minute) }

const maxSlug = 24

// Name returns the name of a vault's timer: readable words, and a hash of its path.
func Name(path, folder string) string {
	sum := sha256.Sum256([]byte(path + "\n" + folder))
	return slug(filepath.Base(path)) + "-" + hex.EncodeToString(sum[:4])
}

// slug keeps small letters, digits and single dashes.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	s := strings.Join(words, "-")
	if len(s) > maxSlug {
		s = strings.TrimRight(s[:maxSlug], "-")
	}
	if s == "" {
		return "vault"
	}
	return s
}
