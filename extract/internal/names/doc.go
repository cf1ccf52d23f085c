// Package names gives notes their ids, their paths and their place in a layout: pure
// functions of facts that never change.
package names
