package redact

import "strings"

// Bounds of the manifests that are read, in bytes.
const (
	manifestNear   = 16 << 10 // between the kind of one and its data
	manifestBlock  = 64 << 10 // its data
	manifestMargin = 32       // in front of its lines
)

// findManifest finds the values of a Secret of Kubernetes, from the first one to
// the last of the block. The data are before its kind or behind it, at the same
// column.
func findManifest(s string, from, to int) span {
	start := back(s, from, max(0, from-manifestMargin), func(c byte) bool { return c != '\n' })
	margin := strings.Replace(s[start:from], "-", " ", 1) // of an item of a list
	if sp := dataBehind(s[:min(len(s), to+manifestNear)], to, margin); sp.to > 0 {
		return valuesOf(s, sp.to, margin)
	}
	if sp := dataBefore(s, start, margin); sp.to > 0 {
		return valuesOf(s, sp.to, margin)
	}
	// What is in front of the kind may be of another text.
	sp := dataBehind(s[:min(len(s), to+manifestNear/16)], to, "")
	if sp.to == 0 {
		return span{}
	}
	return valuesOf(s, sp.to, "")
}

// dataBehind goes down from the kind of a manifest to its data.
func dataBehind(s string, at int, margin string) span {
	for n := strings.IndexByte(s[at:], '\n'); n >= 0; n = strings.IndexByte(s[at:], '\n') {
		at += n + 1
		switch field := fieldAt(s[at:], margin); field {
		case "data:", "stringData:":
			return span{at, at + len(margin) + len(field)}
		case "kind:", "---":
			return span{}
		}
	}
	return span{}
}

// dataBefore goes up to them.
func dataBefore(s string, at int, margin string) span {
	for least := max(0, at-manifestNear); at > least; {
		start := max(least, 1+strings.LastIndexByte(s[:at-1], '\n'))
		switch field := fieldAt(s[start:at], margin); field {
		case "data:", "stringData:":
			return span{start, start + len(margin) + len(field)}
		case "kind:", "---":
			return span{}
		}
		at = start
	}
	return span{}
}

// fieldAt is the name at the start of a line, with its colon, nothing if it does not
// are at that margin.
func fieldAt(line, margin string) string {
	const longest = 12
	if len(line) <= len(margin) || strings.Replace(line[:len(margin)], "-", " ", 1) != margin {
		return ""
	}
	line = line[len(margin):]
	end := run(line[:min(len(line), longest)], 0, func(c byte) bool { return isLetter(c) || c == '-' })
	if end < len(line) && line[end] == ':' {
		end++
	}
	return line[:end]
}

// valuesOf is the stretch from the first to the last value of the block whose name
// ends at i.
func valuesOf(s string, i int, margin string) (found span) {
	plain := strings.HasSuffix(s[:i], "stringData:")
	for limit := min(len(s), i+manifestBlock); i < limit && strings.IndexByte("\r\n", s[i]) >= 0; {
		at := run(s[:limit], i, func(c byte) bool { return c == '\r' || c == '\n' })
		end := run(s[:limit], at, func(c byte) bool { return c != '\n' })
		line := s[at:end]
		if !strings.HasPrefix(line, margin) || len(line) <= len(margin) || !isBlank(line[len(margin)]) {
			break
		}
		_, value, ok := strings.Cut(line, ": ")
		if !ok {
			value = line[len(margin):] // goes on from the line before
		}
		value = strings.Trim(value, " \t\r\"'")
		if isBase64(value) || plain && isPassword(value) {
			if found.to == 0 {
				found.from = at + strings.LastIndex(line, value)
			}
			found.to = at + strings.LastIndex(line, value) + len(value)
		}
		i = end
	}
	return found
}

// isBase64 distinguishes the data of a Secret from a placeholder.
func isBase64(s string) bool {
	const least = 8
	return len(s) >= least && !strings.HasSuffix(s, ":") && run(s, 0, func(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=", c) >= 0 }) == len(s)
}
