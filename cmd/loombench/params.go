package main

// params determine a corpus.
type params struct {
	Kind     string // one of kinds
	Sessions int
	MB       int    // size of all logs or chats together, MiB
	Seed     uint64 // seed of the random source
}

// Kinds of a corpus.
const (
	logs  = "logs"  // event logs of Copilot CLI
	long  = "long"  // event logs of an agent that works alone for a long time
	chats = "chats" // chats of VS Code

	transcripts = "transcripts" // transcripts of Claude Code
	rollouts    = "rollouts"    // rollouts of Codex
	geminiChats = "gemini"      // chats of Gemini CLI
	longRollout = "rollout"     // a long session of an agent that works alone
	database    = "database"    // a database of opencode

	conversations = "conversations" // conversations of Cursor
	sparseState   = "sparse"        // conversations in a mostly empty database of Cursor
)

// kinds returns all kinds.
func kinds() []string {
	return []string{logs, long, chats, transcripts, rollouts, geminiChats, longRollout, conversations, sparseState, database}
}
