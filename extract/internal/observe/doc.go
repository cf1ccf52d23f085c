// Package observe tells what stands in the vault and how it is known again: the
// snapshot of the managed folder, notes that are none of ours, copies, and what
// version control took away for the time being.
package observe
