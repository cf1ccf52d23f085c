package tools

import "strings"

// Bounds of what is kept of an error, in bytes.
const (
	errorHead  = 300 // of the beginning of what a failed call printed
	errorTail  = 700 // of its end
	errorLine  = 200 // of a line in any other output
	errorLines = 6   // how many of these
)

// ErrorsIn are the lines of an output that tell of an error: both ends of it where the call failed,
// else the first lines that name an error the way compilers, tests and programs do.
func ErrorsIn(output string, failed bool) string {
	output = strings.TrimSpace(output)
	if !failed {
		return strings.Join(namedErrors(output), "\n")
	}
	if len(output) <= errorHead+errorTail {
		return strings.ToValidUTF8(output, "")
	}
	head := output[:errorHead]
	head = head[:strings.LastIndexAny(head, "\n ")+1]
	tail := output[len(output)-errorTail:]
	tail = tail[strings.IndexAny(tail, "\n ")+1:]
	return strings.ToValidUTF8(strings.TrimSpace(head)+"\n"+tail, "")
}

func namedErrors(output string) (lines []string) {
	for _, word := range []string{"rror", "FAIL", "atal: ", "anic: "} { // Error, error, fatal, panic
		for rest, at := output, 0; len(lines) < errorLines; rest = output[at:] {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			i += at
			from := strings.LastIndexByte(output[:i], '\n') + 1
			at = len(output)
			if end := strings.IndexByte(output[i:], '\n'); end >= 0 {
				at = i + end
			}
			line := strings.TrimSpace(output[max(from, i-errorLine/2):min(at, i+errorLine/2)])
			lines = append(lines, strings.ToValidUTF8(line, ""))
		}
	}
	return lines
}
