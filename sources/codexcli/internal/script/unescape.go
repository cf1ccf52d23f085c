package script

import (
	"strconv"
	"strings"
)

// escapes of a text of JavaScript that stand for another sign.
var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '0': "\x00", '\n': ""}

// unescape returns the text that stands between quotes.
func unescape(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		digits := map[byte]int{'u': 4, 'x': 2}[text[i]]
		if code, err := strconv.ParseUint(text[i+1:min(i+1+digits, len(text))], 16, 32); digits > 0 && err == nil {
			b.WriteRune(rune(code))
			i += digits
		} else if sign, ok := escapes[text[i]]; ok {
			b.WriteString(sign)
		} else {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
