package extract

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAskedByItselfOnlyAboutSessionsThatRest(t *testing.T) {
	s := newStage(t, 1)
	turns := s.w.living()[0].s.Turns
	last := turns[len(turns)-1].At
	if end := turns[len(turns)-1].End; end.After(last) {
		last = end
	}
	for _, c := range []struct {
		after time.Duration
		fails bool
		asked int
	}{
		{10 * time.Minute, false, 0}, // it may go on
		{8 * 24 * time.Hour, false, 0},
		{2 * time.Hour, true, 1},
		{2*time.Hour + 30*time.Minute, false, 0}, // the agent failed just now
		{4 * time.Hour, false, 1},
		{5 * time.Hour, false, 0}, // it answered
	} {
		asked := 0
		_, err := s.run(func(e *Engine) (Report, error) {
			e.Now = func() time.Time { return last.Add(c.after) }
			r, _, err := e.Distil(context.Background(), Distil{Sessions: 9, Characters: 100_000, By: "claude", ByItself: true,
				Ask: func(context.Context, string) (string, error) {
					if asked++; c.fails {
						return "", errors.New("out of order")
					}
					return `{"lines": []}`, nil
				}})
			return r, err
		})
		if err != nil || asked != c.asked {
			t.Errorf("%s after the session: asked %d times, want %d; %v", c.after, asked, c.asked, err)
		}
	}
}

func TestStoppedDistilKeepsWhatIsAnswered(t *testing.T) {
	s := newStage(t, 3)
	ask := func(most int) (asked int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		_, err := s.run(func(e *Engine) (Report, error) {
			r, _, err := e.Distil(ctx, Distil{Sessions: 9, Characters: 100_000, By: "claude", Ask: func(context.Context, string) (string, error) {
				if asked++; asked > most {
					cancel()
					return "", ctx.Err()
				}
				return `{"lines": []}`, nil
			}})
			return r, err
		})
		if (err != nil) != (asked > most) {
			t.Errorf("asked %d times: %v", asked, err)
		}
		return asked
	}
	if first, second := ask(1), ask(9); first != 2 || second != 2 {
		t.Errorf("asked %d times, then %d: want 2, then about the two that are left", first, second)
	}
}
