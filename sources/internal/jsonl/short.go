package jsonl

import "bytes"

// Shorten appends a line to a buffer. Of a text of more than longest bytes only its end is left from
// a mark on, if the mark stands among the last bytes: what a program puts behind a long output.
func Shorten(to, line []byte, longest int, mark byte) []byte {
	const last = 100
	for {
		begin := bytes.IndexByte(line, '"') + 1
		if begin == 0 {
			return append(to, line...)
		}
		end := begin + textEnd(line[begin:])
		if kept := line[max(begin, end-last):end]; end-begin <= longest {
			to = append(to, line[:end]...)
		} else if to = append(to, line[:begin]...); bytes.LastIndexByte(kept, mark) >= 0 {
			to = append(to, kept[bytes.LastIndexByte(kept, mark):]...)
		}
		if end == len(line) {
			return to
		}
		to, line = append(to, '"'), line[end+1:]
	}
}

// textEnd returns where the quote stands that ends a text, or the length of the line.
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
