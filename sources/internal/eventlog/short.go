package eventlog

import "bytes"

// longText is the size in bytes of a text that is left out of a line of which no text
// is shown.
const longText = 4 << 10

// shortened appends a line to a buffer, every long text of it empty.
func shortened(to, line []byte) []byte {
	for {
		begin := bytes.IndexByte(line, '"') + 1
		if begin == 0 {
			return append(to, line...)
		}
		end := begin + textEnd(line[begin:])
		if end-begin > longText {
			to = append(to, line[:begin]...)
		} else {
			to = append(to, line[:end]...)
		}
		if end == len(line) {
			return to
		}
		to, line = append(to, '"'), line[end+1:]
	}
}

// textEnd is where the quote stands that ends a text, or the length of the line.
func textEnd(line []byte) int {
	for at := 0; ; at++ {
		n := bytes.IndexByte(line[at:], '"')
		if n < 0 {
			return len(line)
		}
		at += n
		escapes := 0
		for escapes < at && line[at-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}
