package sources

import "strings"

// IsUUID tells whether an id is a UUID in lower case: 8-4-4-4-12 hex digits.
func IsUUID(id string) bool {
	const shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(id) != len(shape) {
		return false
	}
	for i, c := range []byte(id) {
		if digit := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'; digit != (shape[i] == 'x') || !digit && c != '-' {
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
