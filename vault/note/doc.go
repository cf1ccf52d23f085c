// Package note takes the text of a note apart and writes it: frontmatter,
// markers, regions, properties, task boxes, links and names. It knows texts
// alone: it reads no disk and decides nothing about what a note is to say.
//
// A note of ours carries its identity in the frontmatter property `id`, our text in two
// regions, and what only the program needs in one comment at its end:
//
//	---
//	id: "session:…"
//	---
//
//	%% sessionloom body %%
//
//	…
//
//	%% /sessionloom body 0123456789abcdef %%
//
//	%% sessionloom nav %%
//
//	…
//
//	%% /sessionloom nav fedcba9876543210 %%
//
//	%% sessionloom facts
//	version 2
//	prop created=k1_0aT title=q3_Zk1 ¦ … ¦ ~8dIk_w
//	%%
//
// The hash in the closing marker of a region is that of its text as we last rendered it, and
// the comment holds one short fingerprint for each property (for each entry of tags and
// aliases), so what a human changed is decidable from the file alone, on any machine. Everything else in the file is the user's and stays byte for
// byte: a note is changed by edits of single stretches, never by writing it out
// again.
//
// The fingerprints of properties are in the note and not in the ledger: else a lost ledger
// or a second machine could not tell our value from the user's. What the user took out stays
// in the comment, so that it stays out.
package note

// Version is that of the marker lines. It is raised by the first change of what notes say that
// follows a release. A newer note is left to the newer version.
const Version = 2
