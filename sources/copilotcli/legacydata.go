package copilotcli

import "strings"

// legacySession is what is kept of a legacy session.
type legacySession struct {
	SessionID     string          `json:"sessionId"`
	StartTime     instant         `json:"startTime"`
	SelectedModel string          `json:"selectedModel"`
	Timeline      []legacyEntry   `json:"timeline"`
	ChatMessages  []legacyMessage `json:"chatMessages"`
}

// legacyEntry is one entry of a timeline.
type legacyEntry struct {
	Type      string     `json:"type"`
	Text      string     `json:"text"`
	Timestamp instant    `json:"timestamp"`
	ID        string     `json:"id"`
	CallID    string     `json:"callId"`
	Name      string     `json:"name"`
	ToolTitle string     `json:"toolTitle"`
	Arguments *arguments `json:"arguments"`
	Result    struct {
		Type string `json:"type"`
		Log  string `json:"log"`
	} `json:"result"`
}

// legacyMessage is one message of the model's conversation.
type legacyMessage struct {
	Role       string     `json:"role"`
	Content    legacyText `json:"content"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string     `json:"name"`
			Arguments *arguments `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// legacyText is the text of a message, or its parts.
type legacyText struct {
	Text  string       `json:"text" as:"text"`
	Parts []legacyText `as:"list"`
}

// String joins the parts.
func (t legacyText) String() string {
	var parts []string
	for _, part := range append(t.Parts, legacyText{Text: t.Text}) {
		if part.Text != "" {
			parts = append(parts, part.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}
