// Package faults breaks the world around the built program (kills it, fills the
// disk, cuts the power, holds locks, changes files under its hands) and sees
// whether the vault is whole and nothing that a human wrote is lost. It holds
// tests only. What they proved, with points and runs, is in docs/safety.md.
package faults
