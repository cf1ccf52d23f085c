// Package session makes one session of the layers of one id, and takes out of a fork
// what its parent tells. It is pure: the result is a function of the set of layers.
//
// Secrets are masked before layers are stored, and layers are merged after it: they are kept
// apart, so that one that grows or comes back is merged anew with the others.
//
// A reader marks what came before a fork and keeps it; package loader decides whether the
// parent tells it.
package session
