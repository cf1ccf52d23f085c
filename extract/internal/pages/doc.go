// Package pages builds the notes of a vault: what their frontmatter, body and
// navigation say. It asks the state by the interfaces of builder.go alone.
//
// Boxes stand in the session note alone: other pages list the same open ends as plain bullets,
// so that there is one box to tick and task plugins count each once. Links to memory stand in
// the nav region, which is made of notes: a saved file may vanish from its source while its
// note stays. The page of a file exists while the file is edited in hot_files.min_sessions
// sessions; it goes, if untouched, when a rewind takes that away, so that no page depends on
// the history of its vault.
package pages
