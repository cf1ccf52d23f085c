// Package watch knows folders, events and time, and nothing of sessions: it runs
// a pass when something changed below the folders it was given, and now and then
// without being told.
//
// An event is a hint and no more. Each pass looks at everything, so events that
// were lost, doubled or too many do no harm: they cost at most the time until the
// next look. That is why only as many folders are watched as is cheap, why no
// event is read while a pass is due anyway, and why the limits of the system are
// no failure.
//
// Which folders to watch is worked out anew, by stat alone, before a pass: after a folder came
// or went, at each look, after lost events and after a sleep of the machine. A folder whose
// inode is another gets a new watch. Nothing is held between passes: each opens ledger, vault
// and lock for itself. After a pass the loop rests twenty times as long as the pass took.
package watch
