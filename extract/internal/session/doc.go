// Package session makes one session of the layers of one id, and takes out of a fork
// what its parent tells. It is pure: the result is a function of the set of layers.
package session
