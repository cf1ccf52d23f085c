package sqlite

// LockShared is what keeps a writer from removing its -wal while it is opened.
var LockShared = lockShared
