// Package inert reads a page as Obsidian and its plugins do and names what would
// act in it: run, load, link, hide or be taken for ours. It knows nothing of how
// pages are escaped, so that it can judge those that are.
package inert

// Finding is something that would act, or hides what does.
type Finding struct {
	Line int    // from 1
	Kind string // a word that does not change, such as "html"
	Text string // the place, shortened; hostile as it stands
}

// Find judges the text of a region that we rendered: anything in it that no page
// of ours ever holds. What our pages do hold (links to notes, boxes, charts,
// callouts, embedded views and pictures of the vault) is no finding.
func Find(region string) []Finding { return nil }
