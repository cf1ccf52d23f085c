//go:build !unix

package main

// ownerOf is not asked where no user is root.
func ownerOf(string) string { return "" }
