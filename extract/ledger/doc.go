// Package ledger remembers, in one SQLite file per vault, what was read and what
// stands in the vault: fingerprints of the sources, the kept (masked, compressed)
// content of every layer, cached facts of every note, and what is still due.
//
// It is a cache. Delete it and the next run rebuilds it from sources and vault.
// What is due is stored in the same transaction as the content that made it so;
// it is cleared only after the notes are in the vault. So the ledger may lag
// behind the vault, it never runs ahead of it.
package ledger
