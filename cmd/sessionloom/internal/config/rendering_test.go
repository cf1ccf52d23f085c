package config

import (
	"maps"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestSettingsSurviveTheMarker(t *testing.T) {
	s := extract.Settings{
		Transcript: "none", Timezone: "Europe/Berlin", HomeCount: 7, JournalNames: "my {date}",
		HotFiles: extract.HotFiles{MinSessions: 3, HalfLife: 14, Listed: 0},
	}
	got, err := Rendering(Seeds(s), "vault.yaml")
	if err != nil || got != s {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A marker of another version may say less or more than this one knows.
func TestMarkerMaySayLessOrMore(t *testing.T) {
	got, err := Rendering(map[string]string{"shape": "round", "home_count": "3"}, "vault.yaml")
	want := extract.DefaultSettings()
	want.HomeCount, want.JournalNames = 3, "{date}"
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWrongSettingOfTheVaultIsNamed(t *testing.T) {
	for key, value := range map[string]string{"transcript": "all", "home_count": "many", "timezone": "Nowhere"} {
		kept := maps.Clone(Seeds(extract.DefaultSettings()))
		kept[key] = value
		_, err := Rendering(kept, "some/vault.yaml")
		if exit.CodeOf(err) != exit.CodeUsage || !strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "some/vault.yaml") {
			t.Errorf("%s: got %v", key, err)
		}
	}
}

var must = expect.OK
