// Package sidecars reads what VS Code and its Copilot Chat extension keep beside
// a chat: transcripts, files of the memory tool, editing sessions and the
// database of the agent host. Each gives a sparse session, or a part of one, that
// completes the chat or stands for it where the chat is gone
// (formats/vscode-copilot-chat.md, sections 4 and 5).
package sidecars
