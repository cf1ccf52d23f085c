// Package note takes the text of a note apart and writes it: frontmatter,
// markers, regions, properties, task boxes, links and names. It knows texts
// alone: it reads no disk and decides nothing about what a note is to say.
//
// A note of ours carries its identity in the frontmatter property `id`, the
// fingerprints of our properties in one comment line, and our text in two
// regions:
//
//	---
//	id: "session:…"
//	---
//
//	%% sessionloom:props v=1 title=q3_Zk1 tags=8FhW2c,Vb01-x %%
//	%% sessionloom:begin body v=1 sha256=0123456789abcdef %%
//
//	…
//
//	%% sessionloom:end body %%
//
//	%% sessionloom:begin nav v=1 sha256=fedcba9876543210 %%
//
//	…
//
//	%% sessionloom:end nav %%
//
// The hash of a region is that of its text as we last rendered it, and the
// props line holds one short fingerprint for each property (for each entry of
// tags and aliases), so what a human changed is decidable from the file alone,
// on any machine. Everything else in the file is the user's and stays byte for
// byte: a note is changed by edits of single stretches, never by writing it out
// anew.
//
// The fingerprints of properties stand in the note and not in the ledger: else a lost ledger
// or a second machine could not tell our value from the user's. What the user took out stays
// in the props line, so that it stays out.
package note

// Version is the v of the marker lines this version writes. A note with a
// newer one is left to the newer version. It is raised by the first change of
// what notes say that follows a release.
const Version = 1
