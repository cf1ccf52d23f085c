// Package names gives notes their ids, their paths and their place in a layout: pure
// functions of facts that never change.
//
// A file name is made of the day, the first prompt and the id. Of two UUIDs that begin alike
// the session that came first has the short name. The name of a checkpoint carries its number
// and not its title: after a rewind a number is used again with another title, and one id has
// one name. Layout.Place is applied once, where a draft is planned.
package names
