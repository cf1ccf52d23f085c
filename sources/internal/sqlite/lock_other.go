//go:build !unix

package sqlite

import "os"

// lockShared does nothing where two handles of one process share no locks; an opening that then fails
// is tried again.
func lockShared(*os.File) error { return nil }
