package observe

// Fate is what became of a note or file of ours that does not lie where it lay.
type Fate int

const (
	// Deleted is what a human deleted: a wish to be kept.
	Deleted Fate = iota
	// Moved is what lies elsewhere.
	Moved
	// Unknown is what may lie where nobody could look.
	Unknown
	// Forgotten is what is not missed: we took it away, it was never ours, or what
	// it shows was forgotten, be it on another machine.
	Forgotten
	// HiddenByGit is what git took out of the vault for the time being.
	HiddenByGit
	// LeftByCheckout is what another commit, which is checked out now, does not have.
	LeftByCheckout
)

// evidence is what is known of a note or file that is gone.
type evidence struct {
	at        string  // where it was found
	unlooked  bool    // it may lie where nobody could look
	forgotten bool    // nobody misses it
	absence   Absence // what git knows of it
	checkout  bool    // another commit is checked out than when nothing was missing
}

// fate decides what became of a note or file that is gone. Absence is not
// deletion: that is what is left when nothing else explains it.
func (e evidence) fate() Fate {
	switch {
	case e.at != "":
		return Moved
	case e.unlooked:
		return Unknown
	case e.forgotten:
		return Forgotten
	case e.absence == Hidden:
		return HiddenByGit
	case e.checkout && e.absence != InCommit:
		return LeftByCheckout
	}
	return Deleted
}
