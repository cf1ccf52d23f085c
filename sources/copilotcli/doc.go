// Package copilotcli reads the history GitHub Copilot CLI keeps below its home,
// ~/.copilot: the event log of each session, what lies beside it, and the store
// derived from the logs, in every layout the CLI has used. The format has no
// stability contract, so it is read leniently: what is unknown is counted, what
// is damaged is told, and the rest is read.
//
// Settings, logs, credentials and backups are never opened.
package copilotcli
