package vault

import "bytes"

// MergeBases brings together two versions of a base; base is nil where they have
// no common one. Where one side is as this program wrote it and the other one was
// changed by a human, the human's lines stand; of two that nobody changed the one
// of the newer release does. Only where two humans changed the same lines clean is
// false, and the text holds both between the usual conflict markers; or where what
// comes out is no base any more.
func MergeBases(base, ours, theirs []byte) (text []byte, clean bool) {
	switch {
	case bytes.Equal(ours, theirs), base != nil && bytes.Equal(base, theirs):
		return ours, true
	case base != nil && bytes.Equal(base, ours):
		return theirs, true
	}
	o, a, b := sealedOf(base), sealedOf(ours), sealedOf(theirs)
	spelled := spellingOf(base, ours, theirs)
	if a.pure && b.pure {
		if a.version < b.version {
			a = b
		}
		return spelled.apply(a.line + a.rest), true
	}
	common := o.rest
	if base == nil {
		common = commonLines(a.rest, b.rest)
	}
	human := withMarkers
	switch {
	case a.pure:
		human = func(c clash) string { return c.ours } // the second side is called so
	case b.pure:
		human = func(c clash) string { return c.theirs }
	}
	merged, clean := mergeLines(common, a.rest, b.rest, human)
	clean = (clean || a.pure || b.pure) && wellFormed("x.base", merged)
	return spelled.apply(sealOfBoth(o, a, b) + merged), clean
}

// sealed is a base with its first line taken off.
type sealed struct {
	line    string // empty where a program of the user's dropped it
	version int
	rest    string
	pure    bool // nobody changed it since we wrote it
}

func sealedOf(text []byte) sealed {
	var s sealed
	var sum string
	s.line, s.version, sum, s.rest = cutSeal(plainLines(text))
	s.pure = s.line != "" && textHash([]byte(s.rest)) == sum
	return s
}

// sealOfBoth is the first line of a merged base: that of the newer text in it, and
// none where a side dropped it, for nobody knows then what it began as.
func sealOfBoth(o, a, b sealed) string {
	switch {
	case a.line == "" || b.line == "":
		return ""
	case a.line == o.line || a.version < b.version:
		return b.line
	}
	return a.line
}
