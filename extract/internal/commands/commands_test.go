package commands

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var at = time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)

// ran is a call that ended with an exit code, -1 for an unknown one.
func ran(command string, exit int) sources.Tool {
	t := sources.Tool{Name: "bash", Kind: sources.ToolRun, Command: command}
	if exit >= 0 {
		t.Exit = &exit
	}
	return t
}

func turn(user string, tools ...sources.Tool) sources.Turn {
	return sources.Turn{At: at, User: user, Tools: tools}
}

// sessionOf makes a session in a project, with a commit in each turn that is named.
func sessionOf(turns []sources.Turn, commits ...int) *sources.Session {
	s := &sources.Session{Place: sources.Place{Cwd: "/home/dev/src/widget", GitRoot: "/home/dev/src/widget"}, Turns: turns}
	for i, turn := range commits {
		s.Refs = append(s.Refs, sources.Ref{Type: sources.Commit, Value: fmt.Sprint("c", i), Turn: turn})
	}
	return s
}

func TestLine(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, c := range []struct{ command, want string }{
		{"go test ./...", "go test ./..."},
		{"cd /home/dev/src/widget && go test", "go test"},
		{"cd \"/home/dev/src/widget\"; go test", "go test"},
		{"cd /home/dev/src/widget/\ngo test", "go test"},
		{"cd ~/src/widget && go test", "go test"},
		{"cd /home/dev/src/widget/cmd && go test", "cd ~/src/widget/cmd && go test"},
		{"cat /home/dev/x /Users/ann/y /srv/z", "cat ~/x ~/y /srv/z"},
		{`type C:\Users\ann\y`, `type ~\y`},
		{"cat > a <<'EOF'\nbody && x\nEOF\ngo  test\t./...", "cat > a <<'EOF' … go test ./..."},
		{"cat > a <<-EOF && ls\n\tbody\n\tEOF\ngo test", "cat > a <<-EOF && ls … go test"},
		{"cat <<A > x; cat <<B > y\n1\nA\n2\nB\nls", "cat <<A > x; cat <<B > y … … ls"},
		{"cat > a <<'EOF'\nnever ends…", "cat > a <<'EOF' …"},
		{"cat > a <<'EOF'\nnever ends", "cat > a <<'EOF' never ends"},
		{"wc <<< EOF\nls", "wc <<< EOF ls"},
		{"Set-Content a @'\nbody\n'@; ls", "Set-Content a @'…'@; ls"},
		{"go test \\\n  -run X", "go test -run X"},
		{long, strings.TrimSpace(long[:195]) + "…"},
	} {
		got := Of(sessionOf([]sources.Turn{turn("", ran(c.command, 0))}))[0]
		if got.Line != c.want || got.Failed || len(got.Line) > maxText {
			t.Errorf("%.60q is %q, want %q", c.command, got.Line, c.want)
		}
	}
}

func TestOf(t *testing.T) {
	no := false
	described := ran("make", 2)
	described.Detail = "Build it"
	same, denied := ran("cd /home/dev/src/widget && make", -1), ran("rm x", -1)
	same.Detail, denied.OK = "cd ~/src/widget && make", &no
	got := Of(sessionOf([]sources.Turn{turn("", described, sources.Tool{Name: "view", Kind: sources.ToolRead, Detail: "a"}), turn("", same, denied)}))
	var rows []string
	for _, c := range got {
		rows = append(rows, fmt.Sprintf("%d %s|%s %v", c.Turn, c.Description, c.Line, c.Failed))
	}
	if want := []string{"0 Build it|make true", "1 |make false", "1 |rm x true"}; !slices.Equal(rows, want) || *got[0].Exit != 2 {
		t.Errorf("%q, want %q", rows, want)
	}
}

// Only what exit code 0 of the whole proves is reported.
func TestWorked(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"go vet ./... && go test ./...", "lint go vet ./..., test go test ./..."},
		{"gofmt -l . ; go build ./... && go test ./...", "build go build ./..., test go test ./..."},
		{"go build ./...\ngo test ./...", "test go test ./..."},
		{"go build ./... &&\n  go test ./...", "build go build ./..., test go test ./..."},
		{"go test ./... ;", "test go test ./..."},
		{"go test ./... | tail -5", ""},
		{"go vet ./... && go test ./... 2>&1 | tee log && make build", "lint go vet ./..., build make build"},
		{"go test ./... || true", ""},
		{"go vet . || go fmt . && go test .", "test go test ."},
		{"go vet . && go test . || go build .", ""},
		{"go test . || exit 1; go build .", "build go build ."},
		{"go run . &", ""},
		{"go vet . && npm start & npm test", "test npm test"},
		{"! go test ./...", ""},
		{"set -euo pipefail\ngo vet ./...\ngo build ./... && make lint\ngo test ./... | tail\nmake test", "lint go vet ./..., test make test"},
		{"echo 'go build && x' && go test -run 'A && B; C' ./...", "test go test -run 'A && B; C' ./..."},
		{`echo "a \" && go build" && go test`, "test go test"},
		{"(cd web; npm test) && go test", "test go test"},
		{"go test $(go list ./... | grep -v x)", "test go test $(go list ./... | grep -v x)"},
		{"go test ./... # && go build", "test go test ./..."},
		{"for d in a b; do go test ./$d; done", ""},
		{"if go test .; then go build .; fi", ""},
		{"cat > x.go <<'EOF'\ngo build\nEOF\ngo test .", "test go test ."},
		{"cd web && npm test && cd .. && go test", "test cd web && npm test, test go test"},
		{"cd web && npm test && cd /home/dev/src/widget && go test", "test cd web && npm test, test go test"},
		{"go test ./... > /dev/null 2>&1", "test go test ./..."},
		{"git add -A && git commit -m 'go test'", ""},
		{"ls && cat a && grep b c && sed -i s/a/b/ c && echo done", ""},
		{"M=\"a/b.md\"; N='a/c' go test .", "test N='a/c' go test ."},
	} {
		var got []string
		for _, w := range Worked(sessionOf([]sources.Turn{turn("", ran(c.command, 0), ran(c.command, 1), ran(c.command, -1))})) {
			got = append(got, string(w.Kind)+" "+w.Line)
		}
		expect.Is(t, strings.Join(got, ", "), c.want, c.command)
	}
	if got := Worked(sessionOf([]sources.Turn{{Inherited: true, Tools: []sources.Tool{ran("go test", 0)}}})); len(got) > 0 {
		t.Errorf("a fork has %v from its parent", got)
	}
}

func TestKinds(t *testing.T) {
	for kind, list := range map[Kind][]string{
		Test: {"go test ./...", "go -C tools test", "FOO=1 BAR='a b' go test .", "npm test", "npm run test:unit", "npm --prefix web test", "pnpm -r test", "yarn e2e", "npx -y vitest run", "bun test", "node --test",
			"pytest -q", "python -m pytest", "python3 -m unittest discover", "uv run pytest", "poetry run pytest -x", "tox -e py312", "timeout 60 pytest", "python manage.py test", "cargo test --all", "cargo nextest run",
			"mvn -q test", "./mvnw verify", "./gradlew testDebugUnitTest", "gradle :app:connectedAndroidTest", "dotnet test --no-build", "bundle exec rspec", "rails test", "rake spec", "vendor/bin/phpunit", "php artisan test",
			"ctest --output-on-failure", "bats test/", "make check", "make -j4 test", "just test", "./scripts/run_tests.sh", "bash scripts/e2e.sh", "mix test", "terraform test", "npx playwright test", "venv/bin/python -m pytest"},
		Build: {"go build ./...", "cargo build --release", "npm run build", "vite build", "tsc -p .", "mvn clean install", "./gradlew assembleDebug", "dotnet build", "make", "cmake --build build", "gcc -o a a.c",
			"docker build -t x .", "docker compose -f a.yml build", "python -m build", "terraform plan", "hugo --minify", `.\build.ps1`, "scripts/build.sh"},
		Run: {"go run ./cmd/x", "cargo run", "npm start", "npm run dev", "python3 scripts/index.py", "node server.js", "docker compose up -d", "dotnet run", "java -jar a.jar", "./bin/widgetd -v", "php artisan migrate", "flask run",
			"bun run DrawPicture.ts --prompt \"a style for a test\"", "bun a.ts <<< '{\"x\": \"test\"}'", "python3 -u a.py", "deno run --allow-net a.ts", `"C:/Program/python.exe" -u a.py`},
		Lint: {"gofmt -l .", "go vet ./...", "golangci-lint run", "eslint .", "npx prettier --check .", "npm run lint", "tsc --noEmit", "ruff check", "python -m mypy src", "cargo clippy", "cargo fmt --check", "./gradlew ktlintCheck",
			"dotnet format", "bundle exec rubocop", "vendor/bin/phpstan analyse", "clang-format -i a.c", "shellcheck *.sh", "bash -n a.sh", "hadolint Dockerfile", "terraform validate", "helm lint", "pre-commit run -a", "make lint"},
		Deploy: {"docker push x", "kubectl -n prod apply -f x", "helm upgrade --install x .", "terraform apply -auto-approve", "npm publish", "cargo publish", "make deploy", "./scripts/deploy.sh prod", "vercel --prod", "aws s3 sync a b", "twine upload dist/*"},
		"": {"git push", "ls", "cat test.go", "grep -r test .", "sed -i s/test/x/ a", "cd test", "echo test", "npm install test-lib", "yarn add build-tools", "npm ci", "pip install pytest", "go mod tidy", "go version", "go",
			"kubectl get pods", "docker ps", "terraform init", "python3 -c 'print(1)'", "bash -c 'go test'", "bash --norc -lc 'timeout 4 look -n 5'", "node -e 1", "/usr/bin/find . -name test", "which pytest", "cp test.go b.go", "then go test", "done", "(go test)", "python3", "export X=1", "aws s3 ls",
			`M="$HOME/a/b.md"`, "M=$(cat ./a)", `$env:M="a/b"`, "venv/bin/python -c 'import test'", `"~/py/python.exe" -c "import a"`, "bun -e \"await test()\"", "python3 - <<'EOF' …", `cmd.exe /c "a\b.bat"`},
	} {
		for _, command := range list {
			if got, program := kindOf(command); got != kind || (got == "") != (program == "") {
				t.Errorf("%q is %q (%s), want %q", command, got, program, kind)
			}
		}
	}
}

func TestFixes(t *testing.T) {
	edit := func(path string) sources.Tool { return sources.Tool{Kind: sources.ToolEdit, Detail: path} }
	failing := func(command, printed string) sources.Tool {
		c := ran(command, 1)
		c.Errors = printed
		return c
	}
	for name, c := range map[string]struct {
		turns []sources.Turn
		want  string
	}{
		"by an edit":                  {[]sources.Turn{turn("", edit("z.go"), ran("go test ./a", 1), edit("a.go"), edit("b.go"), edit("a.go")), turn("", ran("go vet . && go test ./a", 0), edit("y.go"))}, "0 go test ./a = edits of `b.go`, `a.go`"},
		"by what failed before":       {[]sources.Turn{turn("", failing("go test", "Exit code 1\n\n> x@0.0.0 test\nFAIL: TestRing\nmore"), edit("a.go"), ran("go test ./a", 0))}, "0 go test: FAIL: TestRing = `go test ./a` after edits of `a.go`"},
		"not by an edit that failed":  {[]sources.Turn{turn("", ran("go test", 1), sources.Tool{Kind: sources.ToolEdit, Detail: "a.go", OK: new(bool)}, ran("go test", 0))}, ""},
		"of the same script":          {[]sources.Turn{turn("", ran("python3 a.py", 1), edit("a.py"), ran("python3 b.py", 0), ran("python3 a.py && echo ok", 0))}, "0 python3 a.py = edits of `a.py`"},
		"of the same target":          {[]sources.Turn{turn("", ran("npm run build", 1), edit("a.ts"), ran("npm run lint", 0))}, ""},
		"not by itself":               {[]sources.Turn{turn("", ran("go test", 1), ran("go test", 0))}, ""},
		"not by what may have failed": {[]sources.Turn{turn("", ran("go test", 1), edit("a.go"), ran("go test | tail", 0))}, ""},
		"several are fixed by one":    {[]sources.Turn{turn("", ran("go test", 1), ran("go test", 1), edit("a.go"), ran("go test", 0))}, "0 go test = edits of `a.go`"},
		"an unknown command":          {[]sources.Turn{turn("", ran("pytest", 127), edit("a.py"), ran("pytest", 0))}, ""},
		"a stopped one":               {[]sources.Turn{turn("", ran("go test", 130), edit("a.go"), ran("go test", 0))}, ""},
		"an unknown end":              {[]sources.Turn{turn("", ran("go test", -1), edit("a.go"), ran("go test", 0))}, ""},
		"a missing path":              {[]sources.Turn{turn("", ran("go test ./internal/stor/", 1), edit("a.go"), ran("go test ./internal/store/", 0))}, ""},
		"a path that is there":        {[]sources.Turn{turn("", ran("go test ./internal/store/", 1), edit("a.go"), ran("go test ./internal/store", 0))}, "0 go test ./internal/store/ = `go test ./internal/store` after edits of `a.go`"},
		"a look at files":             {[]sources.Turn{turn("", ran("grep x y", 1), edit("a.go"), ran("grep x y", 0))}, ""},
		"of another script":           {[]sources.Turn{turn("", ran("venv/bin/python -c 'import a'", 1), edit("a.py"), ran("venv/bin/python -c 'print(1)'", 0))}, ""},
		"what a fork has":             {[]sources.Turn{{Tools: []sources.Tool{ran("go test", 1), edit("a.go"), ran("go test", 0)}, Inherited: true}}, ""},
	} {
		var got []string
		for _, f := range Fixes(sessionOf(c.turns)) {
			got = append(got, fmt.Sprintf("%d %s = %s", f.Turn, f.Text, f.By()))
		}
		expect.Is(t, strings.Join(got, "; "), c.want, name)
	}
}

// FuzzCommands holds that any command gives lines that are short and one.
func FuzzCommands(f *testing.F) {
	for _, seed := range []string{"cd web && npm test", "cat <<'EOF' > a\nx\nEOF\nls", "a | b || c & d; ! e", "cd \\\n", "set -e\n#", "@'\n'@", "make", "x=\"1\" go test ./a/b:c", "cd $HOME;(", "\\", "`'\""} {
		f.Add(seed, "It fails: 'x error'")
	}
	f.Fuzz(func(t *testing.T, command, prompt string) {
		s := sessionOf([]sources.Turn{turn(prompt, ran(command, 0), ran(command, 1), ran(command+"\nmake", 0))}, 0)
		var lines []string
		for _, c := range Of(s) {
			lines = append(lines, c.Line, c.Description)
		}
		for _, w := range Worked(s) {
			lines = append(lines, w.Line)
		}
		for _, fix := range Fixes(s) {
			lines = append(lines, fix.Text)
		}
		for _, line := range lines {
			if len(line) > maxText || strings.ContainsAny(line, "\n\r\t") {
				t.Errorf("%q of %q", line, command)
			}
		}
	})
}

func TestLinesThatContinue(t *testing.T) {
	if got := partsOf("cd a && \\\n  ls -la && \\\n  go test ./...", sources.Place{}); len(got) != 1 || got[0].line != "cd a && go test ./..." {
		t.Errorf("%+v", got)
	}
}

// A command counts by its folder, program and first arguments.
func TestFirst(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"bash -n a.sh", "bash -n lib/b.sh c.sh", true}, {"go test ./a", "CGO_ENABLED=0 go test -run X ./...", true}, {"cargo run -- a", "cargo run -- b", true},
		{"go test ./a", "go build ./a", false}, {"python3 a.py", "python3 b.py", false}, {"npm run build", "npm run lint", false},
		{"cd web && npm test", "npm test", false}, {"cd web && npm test", "cd web && npm test -- a", true}, {"an unknown one", "another", false},
	} {
		_, a := First(c.a, sources.Place{})
		_, b := First(c.b, sources.Place{})
		expect.Is(t, a == b, c.same, c.a, c.b)
	}
}
