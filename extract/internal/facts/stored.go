package facts

import (
	jsonv1 "encoding/json"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/sessionloom/sessionloom/vault"
)

// storedProperty is a property in the state; times are told from texts.
type storedProperty struct {
	Key  string
	Text *string    `json:",omitempty"`
	Int  *int       `json:",omitempty"`
	Time *time.Time `json:",omitempty"`
	List []string   `json:",omitempty"`
	Flag *bool      `json:",omitempty"`
}

// EncodeProperties packs properties for the state.
func EncodeProperties(props []vault.Property) ([]byte, error) {
	out := make([]storedProperty, len(props))
	for i, p := range props {
		s := storedProperty{Key: p.Key}
		switch v := p.Value.(type) {
		case string:
			s.Text = &v
		case int:
			s.Int = &v
		case time.Time:
			s.Time = &v
		case []string:
			s.List = v
		case bool:
			s.Flag = &v
		}
		out[i] = s
	}
	b, err := jsonv1.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode properties: %w", err)
	}
	return b, nil
}

// DecodeProperties unpacks what EncodeProperties packed, nothing out of nothing.
func DecodeProperties(b []byte) ([]vault.Property, error) {
	if len(b) == 0 {
		return nil, nil
	}
	var in []storedProperty
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("decode properties: %w", err)
	}
	out := make([]vault.Property, len(in))
	for i, s := range in {
		out[i] = vault.Property{Key: s.Key}
		switch {
		case s.Text != nil:
			out[i].Value = *s.Text
		case s.Int != nil:
			out[i].Value = *s.Int
		case s.Time != nil:
			out[i].Value = *s.Time
		case s.List != nil:
			out[i].Value = s.List
		case s.Flag != nil:
			out[i].Value = *s.Flag
		default:
			out[i].Value = []string{}
		}
	}
	return out, nil
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
