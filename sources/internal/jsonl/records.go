package jsonl

import "bytes"

// blank may stand between two records of a line: the NUL bytes are of a power failure.
const blank = " \t\r\n\x00"

// Records finds the records of a line: one, or several where two writers met, for a torn line
// stays in a log for ever, and the next process goes on behind it. read decodes the one that a
// text begins with, and tells its size. take takes in what was read last; what could not be read
// counts as one. heads are how records begin: behind a torn one the next is found by them.
func Records(line []byte, heads []string, read func(text []byte) (size int64, ok bool), take func(ok bool)) {
	size, ok := read(line)
	if !ok { // a byte order mark
		line = bytes.ReplaceAll(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), []byte{0}, nil)
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return
		}
		size, ok = read(line)
	}
	take(ok)
	for tries := 64; tries > 0; { // beginnings behind a torn record that are looked at
		behind, follows := line[1:], false
		if ok {
			if behind = bytes.TrimLeft(line[size:], blank); len(behind) == 0 {
				return
			}
			follows = behind[0] == '{'
		}
		if !follows {
			if behind = next(behind, heads); behind == nil {
				break
			}
		}
		was := ok
		line = behind
		if size, ok = read(line); ok { // else it is a part of the torn one
			rest := bytes.TrimLeft(line[size:], blank)
			ok = len(rest) == 0 || rest[0] == '{'
		}
		if ok || was && follows {
			take(ok)
		}
		if !ok {
			tries--
		}
	}
	if ok { // something is left that is none
		take(false)
	}
}

// Whole tells whether a text is one record and nothing else: the last line of a log may lack its end.
func Whole(text []byte, read func(text []byte) (size int64, ok bool)) bool {
	size, ok := read(text)
	return ok && len(bytes.TrimLeft(text[size:], blank)) == 0
}

// next is a text from the first of these beginnings on, nil where there is none.
func next(text []byte, heads []string) []byte {
	at := -1
	for _, h := range heads {
		if i := bytes.Index(text, []byte(h)); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return text[at:]
}
