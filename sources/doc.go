// Package sources holds the model of a coding agent's history and the contract
// every reader of such a history fulfils. It knows nothing of notes.
//
// A reader lives in a package of its own (sources/copilotcli, …) and turns what
// lies on disk into sparse [Session] values, one per layer of trust. What
// belongs together, and which layer wins, is decided by package extract.
package sources
