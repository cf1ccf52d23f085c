package templates

// Inline escapes a text as the task boxes of a page show it, so that a caller
// can tell beforehand how a box will read. It is idempotent.
func Inline(s string) string { return inline(s) }
