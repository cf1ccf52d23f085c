package ledger

import "bytes"

// Key names a value of which a ledger has one.
type Key string

// The keys of all values.
const (
	keySchema      Key = "schema"       // version of the tables
	MaskKey        Key = "mask_key"     // key under which secrets become opaque
	PlanKey        Key = "plan_key"     // key by which plans are sealed
	Rules          Key = "rules"        // fingerprint of the rules under which everything is masked
	Unmasked       Key = "unmasked"     // set while notes may show what is masked since
	Rendering      Key = "rendering"    // fingerprint of templates and settings
	Rerender       Key = "rerender"     // set while what they changed is not rendered anew yet
	VaultPrint     Key = "vault"        // fingerprint of the managed folder
	Head           Key = "head"         // commit that was checked out in the vault
	TombstonePrint Key = "tombstones"   // fingerprint of the tombstones in the vault
	Unmanaged      Key = "unmanaged"    // sightings of the notes in the managed folder that are none of ours
	Searched       Key = "searched"     // set once notes of ours were looked for outside of the managed folder
	AliasesDue     Key = "aliases_due"  // set while it may have changed which ids belong together
	ProjectsDue    Key = "projects_due" // set while the projects of notes say other than the records
)

// Value returns a value, nil where there is none.
func (l *Ledger) Value(key Key) ([]byte, error) {
	var v []byte
	_, err := l.one([]any{&v}, "SELECT value FROM kv WHERE key=?", string(key))
	return v, err
}

// SetValue stores a value. One that stands there already costs no write.
func (l *Ledger) SetValue(key Key, value []byte) error {
	old, err := l.Value(key)
	if err != nil || old != nil && bytes.Equal(old, value) {
		return err
	}
	// An empty value is read as none: that it stands there already only the
	// database sees.
	return l.run("INSERT INTO kv(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value WHERE value IS NOT excluded.value", string(key), value)
}
