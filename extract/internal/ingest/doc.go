// Package ingest brings the state up to date with the sources: it lists them, compares
// what they list with what was last seen, reads what moved, takes the secrets out, and
// stores the layers.
package ingest
