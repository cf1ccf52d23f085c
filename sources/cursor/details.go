package cursor

import (
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each user folder what has no note of its own: drafts and sub-agents.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	for _, u := range s.cfg.users() {
		if u.global == "" {
			continue
		}
		var drafts, agents int
		err := sqlite.View(ctx, files.Below(u.global, partWorkspace), s.cfg.TempDir, func(db *sqlite.DB) error {
			drafts, agents = 0, 0
			x, err := newIndex(ctx, db)
			if err != nil {
				return err
			}
			return eachComposer(ctx, db, func(id, text string) {
				var c struct {
					Headers []decode.None `json:"fullConversationHeadersOnly"`
					Inline  []decode.None `json:"conversation"`
				}
				switch {
				case x.root(id) != "":
					agents++
				case decode.Text(text, &c) == nil && len(c.Headers)+len(c.Inline) == 0:
					drafts++
				}
			})
		})
		if err != nil {
			return out, fmt.Errorf("look into the database of %q: %w", u.Root.Path, err)
		}
		count := func(n int, what string) {
			if n > 0 {
				out[u.Root.Path] = append(out[u.Root.Path], words.Count(n, "conversation")+" "+what)
			}
		}
		count(drafts, "in which nothing was said")
		count(agents, "of sub-agents")
	}
	return out, ctx.Err()
}
