// Package vscode reads the history of GitHub Copilot Chat in VS Code, its forks
// and its servers: chat sessions, transcripts, memories and indexes below each
// edition's user folder, and chats its user exported
// (formats/vscode-copilot-chat.md).
package vscode
