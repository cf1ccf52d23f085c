// Package export turns a session into what `export` prints of it.
package export
