package facts

import (
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// EncodeProperties packs properties for the state, as a note has them.
func EncodeProperties(props []vault.Property) []byte {
	b := []byte("---\n")
	for _, p := range props {
		if p.Value != nil {
			b = note.AppendProperty(b, p)
		}
	}
	return append(b, "---\n"...)
}

// DecodeProperties unpacks what EncodeProperties packed, nothing out of nothing.
func DecodeProperties(b []byte) []vault.Property {
	if len(b) == 0 {
		return nil
	}
	return note.Parse("", b).Props
}

// ValueOf is the value of a property, false where there is none.
func ValueOf(props []vault.Property, key string) (any, bool) {
	for _, p := range props {
		if p.Key == key {
			return p.Value, true
		}
	}
	return nil, false
}
