// Package ingest brings the state up to date with the sources: it lists them, compares
// what they list with what was last seen, reads what moved, takes the secrets out, and
// stores the layers.
//
// An item is read whole when one of its parts moved. A reading whose layers have the hashes
// of the stored ones ends there. What a reader says of each layer decides what a poorer reading
// means (poorer.go): a layer that failed or is left out stays; a log that lost its start leaves
// the old one beside it; a log that is whole and shorter was taken back by its user, and counts.
package ingest
