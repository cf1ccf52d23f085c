// Package faults injects faults around the built program (kills, full disks, power cuts, held locks,
// concurrent changes) and checks that the vault is whole and no person's text is lost. It has only tests.
// Their points and runs are in docs/safety.md.
package faults
