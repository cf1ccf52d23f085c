// Package templates is the words of the vault: it turns typed views into the
// text of pages. A page is an embedded text/template, one file per kind of page.
//
// Text of a transcript stands in views under types that escape themselves, so that
// no template can print it raw. A value of Go's own type string is never text of a
// transcript: it is a word of a template, or made of numbers and times. What an
// escaper gave is a [*Markdown], which a template can test and print but not take
// apart. The escapers are those of package escape.
//
// An escaper holds in the place it is made for. The pages of a user's templates are
// therefore judged by an independent reader: at load with hostile views, and each
// time one is rendered (see [With]).
//
// [With] gives a whole set or all faults, never the embedded part in place of a broken one.
// The fingerprint of the set is part of what makes all notes due.
package templates
