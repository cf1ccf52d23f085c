// Package pages builds the notes of a vault: what their frontmatter, body and
// navigation say. It asks the state by the interfaces of builder.go alone.
package pages
