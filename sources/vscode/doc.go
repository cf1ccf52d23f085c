// Package vscode reads the history of GitHub Copilot Chat in VS Code, its forks
// and its servers: chat sessions, transcripts, memories and indexes below each
// edition's user folder, and chats its user exported
// (formats/vscode-copilot-chat.md).
//
// A session gets one item in each storage that holds it; those are joined by its id. A chat log
// is the whole conversation (rank log). The older document is left behind when a log begins, an
// export is whole but of a moment of the past, and memory, edits and the agent host complete a
// chat (rank sidecar). Transcripts and stores are append-only or cut: they fill gaps and know
// nothing of a rewind (rank store). Indexes alone make no note (rank index).
//
// Limits: a storage that no longer tells its folder gives a guessed place, and without a ledger
// the note then tells the project but not the folder. An edited .code-workspace moves no part of
// an item: its folders are seen when a session of it changes.
package vscode
