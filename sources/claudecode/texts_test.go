package claudecode

import (
	"reflect"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestSectionsOfACompaction(t *testing.T) {
	const lead = "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n"
	const tail = "\n\nIf you need specific details from before compaction (like exact code snippets), read the full transcript at: /x\nContinue the conversation from where it left off without asking.\n\nThe messages after this summary are kept verbatim."
	for name, c := range map[string]struct {
		text string
		want sources.Checkpoint
	}{
		"sections": {lead + "<system-reminder>\nx\n</system-reminder>\nSummary:\n1. Primary Request and Intent:\n   Shard it, `a < b`.\n\n2. Pending Tasks:\n   - one\n     - deeper\n\n3. Optional Next Step:\n   Commit.\n\n4. Oddities:\n   none" + tail,
			sources.Checkpoint{Overview: "Shard it, `a < b`.", NextSteps: "- one\n  - deeper\n\nCommit.", Technical: "**Oddities**\n\nnone"}},
		"markdown headings":  {lead + "## 1. Primary Request and Intent:\n\nShard it.\n\n## 2. Pending Tasks\n- one\n\n### 3. Oddities:\n1. Odd\n2. Even" + tail, sources.Checkpoint{Overview: "Shard it.", NextSteps: "- one", Technical: "**Oddities**\n\n1. Odd\n2. Even"}},
		"an analysis before": {lead + "Analysis:\nThe user asked.\n\nSummary:\n1. Current Work:\n   x", sources.Checkpoint{WorkDone: "x"}},
		"no sections":        {"Some words.\n\nMore.", sources.Checkpoint{Raw: "Some words.\n\nMore."}},
		"words in front":     {"Well:\n1. Current Work:\n   x", sources.Checkpoint{Raw: "Well:\n1. Current Work:\n   x"}},
		"nothing":            {lead, sources.Checkpoint{}},
	} {
		if got := checkpoint(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, c.want)
		}
	}
}
