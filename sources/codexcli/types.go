package codexcli

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// record is a line of a rollout: a payload in its envelope. Lines of the oldest rollouts are a payload without one.
type record struct {
	payload               // also has the type of an envelope, and its time: see meta.Began
	Ordinal *decode.Whole `json:"ordinal"` // only in paginated rollouts
	Payload enveloped     `json:"payload"`
}

type enveloped struct {
	payload
	there bool
}

func (e *enveloped) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if e.there = d.PeekKind() == '{'; !e.there {
		return false, d.SkipValue()
	}
	return true, d.Read(&e.payload)
}

// payload has the members of all records, events and items.
type payload struct {
	body
	Item       body   `json:"item"` // a completed item
	RecordType string `json:"record_type"`
	bare       bool   // it has no envelope

	meta
	Model         string `json:"model"` // fields of a turn's context:
	Collaboration struct {
		Mode string `json:"mode"`
	} `json:"collaboration_mode"`

	TurnID   string        `json:"turn_id"` // fields of an event:
	Message  string        `json:"message"`
	Images   []decode.None `json:"images"`
	Locals   []string      `json:"local_images"`
	Reason   string        `json:"reason"`
	Last     string        `json:"last_agent_message"`
	NumTurns decode.Whole  `json:"num_turns"`
	Name     string        `json:"thread_name"`
	Goal     struct {
		Objective string `json:"objective"`
		Status    string `json:"status"`
	} `json:"goal"`
	Info struct {
		Last usage `json:"last_token_usage"`
	} `json:"info"`
	Usage usage `json:"usage"`

	Role      string           `json:"role"` // fields of a response item:
	Tool      string           `json:"name"`
	Namespace string           `json:"namespace"`
	Arguments *tools.Arguments `json:"arguments"`
	Input     string           `json:"input"`
	Output    content          `json:"output"`
	Action    struct {
		Command tools.Command `json:"command"`
		Query   string        `json:"query"`
	} `json:"action"`
	Invocation offer `json:"invocation"`
}

// body has the members of items, and of events about the same things in older rollouts.
type body struct {
	agent
	offer
	Type     string        `json:"type"`
	ID       string        `json:"id"`
	CallID   string        `json:"call_id"`
	Content  content       `json:"content"`
	Phase    string        `json:"phase"`
	Kind     string        `json:"kind"`
	Status   string        `json:"status"`
	Success  *bool         `json:"success"`
	Source   origin        `json:"source"`
	Command  tools.Command `json:"command"`
	ExitCode *decode.Whole `json:"exit_code"`
	Gave     decode.Large  `json:"aggregated_output"`
	Stdout   decode.Large  `json:"stdout"`
	Changes  decode.Table[struct {
		Type string `json:"type"` // add, delete, update
		Move string `json:"move_path"`
	}] `json:"changes"`
	Query    string  `json:"query"`
	Path     string  `json:"path"`
	Text     string  `json:"text"`
	Prompt   string  `json:"prompt"`
	Parsed   []part  `json:"parsed_cmd"`
	Hint     string  `json:"user_facing_hint"`
	Review   *review `json:"review_output"`
	WorkerID string  `json:"agent_thread_id"`
	Agents   []agent `json:"receiver_agents"`
	States   decode.Table[struct {
		Word      string `json:"-" as:"text"`
		Completed string `json:"completed"` // its last words
	}] `json:"agents_states"`
}

// item returns the completed item, or the event's own members.
func (d *payload) item() *body {
	if d.Type == "item_completed" {
		return &d.Item
	}
	return &d.body
}

// id returns the id of an item: for an outcome, its call's.
func (b *body) id() string { return cmp.Or(b.CallID, b.ID) }

// ok reports whether it succeeded; nil: unknown.
func (b *body) ok() *bool {
	if b.Success != nil || b.Status == "" || b.Status == "in_progress" {
		return b.Success
	}
	return new(b.Status == "completed")
}

type meta struct {
	Began        string `json:"timestamp"`
	Cwd          string `json:"cwd"`
	Originator   string `json:"originator"`
	Version      string `json:"cli_version"`
	ThreadSource string `json:"thread_source"`
	History      string `json:"history_mode"`
	SessionID    string `json:"session_id"` // for a sub-agent, the root's
	ForkedFrom   string `json:"forked_from_id"`
	Base         *struct {
		ThreadID string       `json:"thread_id"`
		End      decode.Whole `json:"end_ordinal_exclusive"`
	} `json:"history_base"` // the rollout continues the one with this id, which for the first one is the thread's
	Start decode.Whole `json:"subagent_history_start_ordinal"` // earlier records were copied
	Git   struct {
		Branch     string `json:"branch"`
		Repository string `json:"repository_url"`
	} `json:"git"`
}

// origin is where a thread comes from: "cli", "exec", or the kind of a sub-agent.
type origin struct {
	Word  string `json:"-" as:"text"`
	Agent *struct {
		Kind  string `json:"other" as:"text"` // "review", "guardian"
		Spawn agent  `json:"thread_spawn"`
	} `json:"subagent"`
}

// agent is a sub-agent, in calls and in its own thread.
type agent struct {
	ThreadID  string `json:"thread_id"` // in an event, the thread's own
	Parent    string `json:"parent_thread_id"`
	AgentPath string `json:"agent_path"`
	Nickname  string `json:"agent_nickname"`
	AgentRole string `json:"agent_role"`
}

// name returns a sub-agent's name: the path of its task in newer versions, else its nickname and role.
func (a agent) name() string {
	name, role := cmp.Or(strings.TrimPrefix(a.AgentPath, "/root/"), a.Nickname), a.AgentRole
	switch {
	case role == "" || role == "default":
		return name
	case name == "":
		return role
	}
	return name + " (" + role + ")"
}

// offer is a tool of a server, with the server.
type offer struct {
	Server string `json:"server"`
	Called string `json:"tool"`
}

// usage counts tokens. Those that came from a cache are among the input.
type usage struct {
	In  decode.Whole `json:"input_tokens"`
	Out decode.Whole `json:"output_tokens"`
}

// part is a part of a message, a text or an attachment, or an action of a command.
type part struct {
	Type      string `json:"type"`
	Text      string `json:"text" as:"text"`
	Path      string `json:"path"`
	Name      string `json:"name"`
	Encrypted string `json:"encrypted_content"`
}

// content is the content of a message or the output of a call: a text, parts of it, or an object that says whether it
// succeeded.
type content struct {
	Text    string `json:"content" as:"text"`
	Parts   []part `as:"list"`
	Success *bool  `json:"success"`
}

func (c content) all() []part {
	if c.Text != "" {
		return []part{{Type: "text", Text: c.Text}}
	}
	return c.Parts
}

func (c content) String() string {
	var out []string
	for _, c := range c.all() {
		if c.Text != "" {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "\n")
}

type review struct {
	Findings []struct {
		Title string `json:"title"`
		Body  string `json:"body"`
		Place struct {
			Path  string `json:"absolute_file_path"`
			Lines struct {
				Start decode.Whole `json:"start"`
				End   decode.Whole `json:"end"`
			} `json:"line_range"`
		} `json:"code_location"`
	} `json:"findings"`
	Explanation string `json:"overall_explanation"`
}
