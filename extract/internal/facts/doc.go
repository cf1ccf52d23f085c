// Package facts is what pages may know of notes: their frontmatter and task boxes, as
// they stand in the vault, whoever wrote them, and the index of a project made of them.
package facts
