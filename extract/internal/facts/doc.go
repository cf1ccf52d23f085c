// Package facts is what pages may know of notes: their frontmatter and task boxes, as
// they stand in the vault, whoever wrote them, and the index of a project made of them.
//
// Pages that list notes are made of facts alone, so a ticked box, a lost ledger and another
// machine need no way of their own. What shows something of a change is the answer of one pure
// function, [Dependents]. A day or week shows as left open what its sessions left open on their
// last day and nobody closed since. The score of a hot file takes a session's last activity
// for the time of its edits, since no fact tells more.
package facts
