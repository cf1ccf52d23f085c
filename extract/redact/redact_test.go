package redact

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Every token below was made up and never was valid.
const (
	ghToken  = "ghp_SYNTHETIC0example0token0for0tests000"
	jwtToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzeW50aGV0aWMifQ.c3ludGhldGljLXNpZ25hdHVyZS0wMDE"
	pemBody  = "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu"
	pemBlock = "-----BEGIN RSA PRIVATE KEY-----\n" + pemBody + "\nKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==\n-----END RSA PRIVATE KEY-----"
)

// masker is the one of most tests: reading the rules takes a moment.
var masker = sync.OnceValue(func() plainMasker { return maskerOf("key of the tests") })

func maskerOf(key string) plainMasker {
	m, err := New([]byte(key), Options{})
	if err != nil {
		panic(err)
	}
	return plainMasker{m}
}

// plainMasker is a Masker whose rules never fail.
type plainMasker struct{ *Masker }

func (m plainMasker) Text(s string) string {
	out, err := m.Masker.Text(s)
	if err != nil {
		panic(err)
	}
	return out
}

func TestSecretsAreMasked(t *testing.T) {
	escaped := strings.ReplaceAll(pemBlock, "\n", `\n`)
	for _, c := range []struct{ rule, before, secret, after string }{
		{"github-token", "", ghToken, ""},
		{"github-token", "use ", ghToken, " please"},
		{"github-token", `{"out":"line\n`, ghToken, `\nnext"}`},
		{"github-token", "https://example.org/?q=%20", ghToken, "&x=1"},
		{"github-token", "https://", ghToken, "@github.com/octo-org/widget"},
		{"github-token", "\x1b[32m", ghToken, "\x1b[0m"},
		{"github-token", `\u001b[1;32m`, ghToken, `\u001b[0m`},
		{"github-token", "GITHUB_TOKEN=", ghToken, "\n"},
		{"github-token", `"token": "`, ghToken, `"`},
		{"github-token", "Authorization: Bearer ", ghToken, ""},
		{"github-token", "日本", ghToken, "語"},
		{"github-token", "", "github_pat_11SYNTHETIC0aB3dE5fG7_hI9jK1lM3nO5", "."},
		{"github-token", "the store cut here: ", "ghp_SYNTH3TIC0", "..."},
		{"anthropic-key", "key=", "sk-ant-api03-synthetic_0000-AbCdEfGhIjKl", ";"},
		{"openai-key", "(", "sk-proj-Synthetic0Abc1Def2Ghi3Jkl4", ")"},
		{"openai-key", "", "sk-4f9a0c1d2e3b4a5968778695a4b3c2d1", ""},
		{"slack-token", "", "xoxb-123456789012-SYNTHETICabc", ""},
		{"aws-key", "aws_access_key_id = ", "AKIASYNTHETIC0ABCDEF", "\n"},
		{"google-key", "", "AIzaSyntheticSynthetic0123456789_-AbCde", ""},
		{"gitlab-token", "", "glpat-Synthetic_0123456789", ""},
		{"npm-token", "//registry.npmjs.org/:_authToken=", "npm_Synthetic0Synthetic1Synthetic2Synth3", ""},
		{"jwt", "token ", jwtToken, ", expired"},
		{"private-key", "x\n", pemBlock, "\ny"},
		{"private-key", `{"key":"`, escaped, `"}`},
		{"private-key", "", "-----BEGIN PRIVATE KEY-----\n" + pemBody, ""},
		{"authorization", "Authorization: Basic ", "c3ludGhldGljOnNlY3JldA==", "\r\n"},
		{"authorization", `-H "Authorization: Bearer `, "a1b2c3d4e5f6", `"`},
		{"authorization", `"authorization": "token `, "0123abcd4567efab", `"`},
		{"authorization", "send bearer ", "Zm9vYmFy-0123456789", " then"},
		{"url-password", "postgres://widget:", "hunter2!", "@db.internal:5432/widget"},
		{"url-password", "https://user:", "p@ssw0rd", "@host/x"},
		{"assignment", "export DB_PASSWORD=", "Tr0ub4dor&3x", "\n"},
		{"assignment", "SECRET_KEY_BASE: '", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "'"},
		{"assignment", `{\"api_key\": \"`, "q7Lw0Zp3Xk9v", `\"}`},
		{"assignment", "API_KEY=", "550e8400-e29b-41d4-a716-446655440000", ""},
		{"assignment", "aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYSYNTHET1C0", "\n"},
		{"assignment", "Server=db;Pwd=", "s3cr3t-Passw0rd", ";Timeout=5"},
	} {
		got := masker().Text(c.before + c.secret + c.after)
		if strings.Contains(got, c.secret) {
			t.Errorf("%q is still in %q", c.secret, got)
			continue
		}
		expect.Is(t, Number(got)[0], c.before+"[redacted:"+c.rule+"#1]"+c.after)
	}
}

func TestSecretsSideBySide(t *testing.T) {
	in := "postgres://a:" + "hunter2!@" + ghToken + "@h " + pemBlock + ghToken + "," + jwtToken
	got := Number(masker().Text(in))[0]
	if strings.Contains(got, "SYNTHETIC") || strings.Contains(got, "eyJ") || !strings.HasSuffix(got, "[redacted:private-key#1][redacted:github-token#1],[redacted:jwt#1]") {
		t.Errorf("%q became %q", in, got)
	}
}

func TestLookAlikesStay(t *testing.T) {
	for _, s := range []string{
		"commit 5f75d04a1b2c3d4e5f60718293a4b5c6d7e8f901",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"session 7524f8de-6567-42a5-9569-07102f5d4c6c",
		"GITHUB_TOKEN=<token>", "GITHUB_TOKEN=${TOKEN}", "API_KEY=$API_KEY", "PASSWORD=******", "password: xxxxxxxxxxxx",
		"API_KEY=your-api-key-1", "token = process.env.GITHUB_TOKEN1", "ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "ghp_your_token_here",
		"Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "the bearer authentication scheme", "authorization is checked first",
		"https://user:${PASSWORD}@host/", "https://user:<password>@host/", "http://localhost:8080/a@b", "ssh://git@github.com:22/o/r",
		"token := sign2.Claims(ctx, key2)", "Token: a.Token2.Value1", "if password == other1234 {", "tokens_used: 123456a", "max_tokens=4096",
		"token_expires_at: 2026-11-03T08:30:05Z", "PASSWORD_FILE=/run/secrets/db1", "PWD=/home/dev/src/widget2",
		"tokenizer = bert-base-uncased2", "session_token: 7524f8de-6567-42a5-9569-07102f5d4c6c",
		"a flask-sqlalchemy-extension-2024-release", "sk-fading-circle-with-a-long-name", "task-0123456789abcdefghij0123",
		"eyJ.not.a.token", "-----BEGIN CERTIFICATE-----\n" + pemBody + "\n-----END CERTIFICATE-----",
		"cache-key: go-9eee3692f09e2e8c662248b483b7ffc050fec94d", "session_key: 7524f8de-6567-42a5-9569-07102f5d4c6c", "kind: Secret\ndata:\n  a: <value>",
		"AKIAlowercase0000000", "MAKIAABCDEFGHIJKLMNO1", "npm_config_registry", "x://y:@z", "The password: use the one of last week",
	} {
		if got := masker().Text(s); got != s {
			t.Errorf("%q became %q", s, Number(got)[0])
		}
	}
}

func TestMaskTellsOnlyEquality(t *testing.T) {
	a, b := masker().Text(ghToken), maskerOf("other").Text(ghToken)
	if a != masker().Text(ghToken) || a == b || strings.Contains(a, "SYNTH") {
		t.Errorf("masks %q, %q", a, b)
	}
	expect.Is(t, len(a), len(maskOpen)+len("github-token~")+hashLen+len(maskClose), "mask", "bytes")
}

func TestForgedMarksAreDropped(t *testing.T) {
	for in, want := range map[string]string{
		"a\ue000b\ue001c": "abc",
		"ghp_SYNTHETIC0\ue000example0token0for0tests": "[redacted:github-token#1]",
		"\ue000No-rule~0123456789ab\ue001":            "No-rule~0123456789ab",
		"\ue000an-old-rule~0123456789ab\ue001":        "[redacted:an-old-rule#1]",
		"\ue000jwt~0123456789ab\ue001":                "[redacted:jwt#1]",
	} {
		expect.Is(t, Number(masker().Text(in))[0], want, in, "became")
	}
}

func TestNumberFollowsFirstAppearance(t *testing.T) {
	m := masker()
	one, two := m.Text(ghToken), m.Text(strings.ToUpper(ghToken[4:])+" "+jwtToken)
	other := m.Text("ghp_OTHER0SYNTHETIC0token0for0tests00000")
	got := Number("x "+other, one+two, one+other)
	want := []string{
		"x [redacted:github-token#1]",
		"[redacted:github-token#2]" + strings.ToUpper(ghToken[4:]) + " [redacted:jwt#1]",
		"[redacted:github-token#2][redacted:github-token#1]",
	}
	for i := range want {
		expect.Is(t, got[i], want[i], "text", i)
	}
}

func TestCutMasks(t *testing.T) {
	mask := masker().Text(ghToken)
	for n := len(maskOpen); n < len(mask); n++ {
		if !utf8.ValidString(mask[:n]) {
			continue
		}
		expect.Is(t, Number("a " + mask[:n] + "… b")[0], "a [redacted]… b", "mask cut at", n)
		expect.Is(t, Strip("a"+mask[:n]), "a", "mask cut at", n, "stripped to")
	}
	expect.Is(t, Strip("fix "+mask+" now"), "fix  now", "stripped to")
}

func TestPlainTextIsNotCopied(t *testing.T) {
	m, s := masker(), strings.Repeat("Tests of the token parser pass; see https://example.org. ", 50)
	if n := testing.AllocsPerRun(10, func() { _ = m.Text(s) }); n > 0 {
		t.Errorf("%v allocations for a text without secrets", n)
	}
}

// hostile texts are all key words and nearly secrets: were one looked at to the
// end of the text for every key, reading them would never end.
func hostile() []string {
	return []string{"password=", "eyJaaaaaaaa.", "://a:a", "-----BEGIN PRIVATE KEY-----", "Bearer a1", "ghp_a1", maskOpen + "jwt~", "a@://:",
		"token=a1b2c3d4", "token='a1b2c3d4", "[1mghp_a",
		"session=", "cookie: session=a1", "mysql ", "login ", "$2a$1", ":5432:", "otpauth://", "--token ", "sk-", "crsr_", "jina_", "?code=a1", "1/11", "MTk.Ga."}
}

func TestHostileTextIsReadOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing runs at once in it")
	}
	m := masker()
	for _, unit := range hostile() {
		const size = 1 << 16
		s := strings.Repeat(unit, size/len(unit))
		if got := m.Text(s); m.Text(got) != got {
			t.Errorf("text of %q is masked again", unit)
		}
	}
}

func BenchmarkHostile50MB(b *testing.B) {
	m := masker()
	for _, unit := range hostile() {
		s := strings.Repeat(unit, 50<<20/len(unit))
		b.Run(unit[len(unit)/2:], func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				m.Text(s)
			}
		})
	}
}

func FuzzTextIsIdempotent(f *testing.F) {
	for _, s := range []string{ghToken, jwtToken, pemBlock, "password=" + ghToken + "x", "://a:b@" + ghToken + "@c", "Bearer " + jwtToken,
		"Authorization: Basic abc123def456:" + ghToken, "TOKEN=a1b2c3d4" + maskOpen + "jwt~0123456789ab" + maskClose, maskOpen + maskClose} {
		f.Add(s)
	}
	m := masker()
	f.Fuzz(func(t *testing.T, s string) {
		once := m.Text(s)
		expect.Is(t, m.Text(once), once, s, "once", "twice")
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("%q became invalid UTF-8", s)
		}
		if numbered := Number(once)[0]; strings.Contains(numbered, maskOpen) || strings.Contains(numbered, maskClose) {
			t.Errorf("%q keeps marks of a mask", numbered)
		}
	})
}

func BenchmarkText(b *testing.B) {
	plain := strings.Repeat("func (r *Ring) Verify(tok string) (Claims, error) { // walks the keys, newest first; the token is checked\n"+
		"\treturn Claims{}, fmt.Errorf(\"verify %q: %w\", tok, ErrSignature)\n}\n=== RUN TestExpiry --- PASS: TestExpiry (0.00s) internal/auth 0.012s\n", 4000)
	secrets := strings.Repeat(plain[:20000]+"\nGITHUB_TOKEN="+ghToken+"\n", 40)
	for name, s := range map[string]string{"plain": plain, "secrets": secrets} {
		b.Run(name, func(b *testing.B) {
			m := masker()
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				m.Text(s)
			}
		})
	}
}

// BenchmarkTranscript reads what transcripts are made of: prose, code and JSON.
func BenchmarkTranscript(b *testing.B) {
	var text strings.Builder
	for _, pattern := range []string{"../../docs/*.md", "../*.go", "../../vault/*.go", "../../testdata/*/*/*/*.jsonl", "../../testdata/*/*/*/*/*.json"} {
		files := expect.Value(filepath.Glob(pattern))(b)
		for _, file := range files {
			one := expect.Value(os.ReadFile(file))(b)
			text.Write(one)
		}
	}
	m, s := masker(), text.String()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		m.Text(s)
	}
}
