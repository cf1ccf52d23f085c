package chatlog

// A restart is a place in a log from which on it says nothing of the first
// Requests requests, and of the header only what a later entry may change
// without harm. To read on from there is to read all that can have changed.
type restart struct {
	Requests int
	Offset   int64 // start of a line
	Line     int   // number of lines before it
}

// restarts are the places found so far, with more requests and at greater
// offsets from one to the next.
type restarts struct {
	at   []restart
	from int // requests below are not expected to change
	// broken says that an entry changed what is taken to be settled.
	broken bool
}

// line begins a line: with so many requests, it is a place to restart at.
func (r *restarts) line(at restart) {
	r.clip(at.Requests - 1)
	if at.Requests > 0 {
		r.at = append(r.at, at)
	}
}

// clip takes away the places with more requests than these.
func (r *restarts) clip(requests int) {
	for len(r.at) > 0 && r.at[len(r.at)-1].Requests > requests {
		r.at = r.at[:len(r.at)-1]
	}
}

// clear takes all away.
func (r *restarts) clear() { r.at, r.broken = nil, true }

// note looks at an entry before it is applied.
func (r *restarts) note(e entry) {
	first, settled := e.touches()
	if !settled {
		r.clear()
		return
	}
	if first >= 0 {
		r.clip(first)
		r.broken = r.broken || first < r.from
	}
}

// touches tells the first request an entry may change, -1 for none. settled is
// false for one that changes what a resumed read takes as given.
func (e entry) touches() (first int, settled bool) {
	switch head := e.path[0]; head.name {
	case "requests":
		switch {
		case len(e.path) > 1:
			return e.path[1].index, e.path[1].index >= 0
		case e.kind == kindPush && e.cut >= 0:
			return int(e.cut), true
		}
		return -1, e.kind == kindPush
	case "customTitle", "computedTitle", "lastMessageDate":
		// One that is taken away would still be known of the earlier read.
		return -1, len(e.path) == 1 && e.kind == kindSet && (e.value.Text() != "" || numeric(e))
	case "version", "sessionId", "creationDate", "initialLocation", "isImported", "workingDirectory", "repoData":
		return -1, false
	}
	return -1, true // left out
}

func numeric(e entry) bool {
	_, ok := e.value.Int()
	return ok
}
