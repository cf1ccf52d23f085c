package sources

import "strings"

// IsUUID tells whether an id is a UUID in lower case: 8-4-4-4-12 hex digits.
func IsUUID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c < '0' || c > '9' && c < 'a' || c > 'f':
			return false
		}
	}
	return true
}

// FoldUUID is the form of a name by which one session is found in several places:
// a UUID in lower case. Of any other name the case of letters tells one from another.
func FoldUUID(name string) string {
	if low := strings.ToLower(name); IsUUID(low) {
		return low
	}
	return name
}
