// Package content reads what a session holds: the files it touched, what it left
// open and did, its days, prompts and texts. It changes a session in one place
// alone, where it bounds the texts of one line (Bound).
package content
