package note

// Texts are the parts of a note that show something, each as a search for secrets
// is to see it: the regions, the values of properties as we wrote them, and all
// else as it stands there.
func Texts(raw []byte) []string {
	doc := ParseDocument(raw)
	if doc.Broken != "" {
		return []string{string(raw)}
	}
	var out []string
	for _, f := range doc.Front.Fields {
		if doc.Props != nil && doc.Props.Prints.Wrote(f.Key, f.Entries) || f.Key == KeyID {
			out = append(out, f.Entries...)
		} else {
			out = append(out, string(raw[f.Start:f.End]))
		}
	}
	for _, r := range []*Region{doc.Body, doc.Nav} {
		if r != nil {
			out = append(out, r.Text)
		}
	}
	for _, free := range doc.Outside() {
		out = append(out, string(free))
	}
	return out
}
