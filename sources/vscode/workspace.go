package vscode

// readWorkspace finds out what folder the storage is of. A workspace that cannot
// be read is told. Where one is gone, or says nothing, the place is guessed by
// what the chat itself says.
func (r *reading) readWorkspace() {
	if p, ok := r.Item.Part(partWorkspace); ok {
		place, err := r.src.workspace(p)
		if err != nil {
			r.Problem(r.Item.File(p), err)
		}
		r.place = place
	}
	r.place.Guessed = !isPlaced(r.place) && r.place.Repository == ""
}
