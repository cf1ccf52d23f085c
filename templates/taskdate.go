package templates

import "regexp"

// In a list Dataview and Tasks take a sign such as 📅 with a date behind it for
// when something is due, begun or done. An escaped dash makes it words again.
const taskSigns = "[\u2795\U0001F6EB\u23F3\u231B\U0001F4C5\U0001F4C6\U0001F5D3\uFE0F\u2705]"

var (
	taskDate = regexp.MustCompile(taskSigns + `\s*[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	dated    = regexp.MustCompile(taskSigns + `[\s>]*[0-9]{4}$`)
	monthDay = regexp.MustCompile(`^-[0-9]{2}-[0-9]{2}`)
)

// dateSpan is how far before a dash, in bytes, the sign of its date is looked for.
const dateSpan = 64

// datesTask says that the current dash is the first one of such a date.
func (l *line) datesTask() bool {
	return isDigit(l.last()) && monthDay.MatchString(l.src[l.i:]) && dated.Match(l.out[max(0, len(l.out)-dateSpan):])
}
