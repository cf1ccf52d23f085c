package claudecode

import (
	"bytes"
	"context"
	"testing"
)

func FuzzPrompts(f *testing.F) {
	f.Add([]byte(`{"display":"x [Pasted text #1 +8 lines]","pastedContents":{"1":{"content":"y"}},"timestamp":1,"sessionId":"3f0d5a10-77a1-4b0e-8f5d-0a6f1f3e2b05"}` + "\n"))
	f.Add([]byte("{\"display\":7}\n\x00\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l := newPromptList(nil)
		must(t, l.Read(context.Background(), bytes.NewReader(text), 0))
		for _, id := range l.all.Left() {
			for i, turn := range l.all[id].Turns {
				if turn.Index != i || turn.User == "" {
					t.Fatalf("turn %d: %+v", i, turn)
				}
			}
		}
	})
}
