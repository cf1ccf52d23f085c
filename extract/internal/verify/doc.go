// Package verify finds what is wrong with a vault and with what is remembered of it,
// and lists where secrets are masked. It changes neither.
package verify
