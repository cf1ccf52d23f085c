package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Kind is the purpose of a command.
type Kind string

// The kinds of commands. Commands of git, and those that look at files, have none.
const (
	Test   Kind = "test"
	Build  Kind = "build"
	Run    Kind = "run"
	Lint   Kind = "lint"
	Deploy Kind = "deploy"
)

// entry is a kind of a program's commands: with that word, or all others if it is "".
type entry struct {
	behind string
	kind   Kind
}

var table = func() map[string][]entry {
	out := map[string][]entry{}
	for kind, list := range programs {
		for one := range strings.SplitSeq(list, ";") {
			program, behind, _ := strings.Cut(strings.TrimSpace(one), " ")
			out[program] = append(out[program], entry{behind, kind})
		}
	}
	return out
}()

// programs lists commands by kind: the program, and a word after it if required.
var programs = map[Kind]string{
	Test: `go test; gotestsum; ginkgo; pytest; py.test; unittest; tox; nox; hatch test; python test; cargo test; cargo nextest; cargo bench; jest; vitest; mocha; ava; karma; jasmine; node --test; playwright test;
		cypress run; ng test; deno test; bun test; dotnet test; vstest; rspec; cucumber; minitest; phpunit; pest; paratest; behat; codecept run; php test; ctest; bats; shellspec; swift test; xcodebuild test;
		flutter test; dart test; zig test; bazel test; meson test; mix test; terraform test; terragrunt test; helm test; molecule test; k6 run`,
	Build: `go build; go install; go generate; cargo build; build; tsc; vite build; webpack; rollup; esbuild; tsup; swc; parcel build; next build; nuxt build; ng build; astro build; dotnet build; dotnet publish; dotnet pack;
		msbuild; javac; kotlinc; mvn install; mvnw install; gcc; g++; cc; clang; clang++; cmake; ninja; meson compile; bazel build; buck2 build; swift build; xcodebuild; flutter build; zig build; wasm-pack build; maturin build;
		poetry build; uv build; hatch build; gem build; jekyll build; hugo; mkdocs build; goreleaser build; ko build; docker build; docker bake; podman build; buildah; helm package; helm template; kustomize build;
		packer build; terraform plan; tofu plan; terragrunt plan; protoc; buf generate`,
	Run: `go run; cargo run; dotnet run; java; docker run; docker up; podman run; flask; uvicorn; gunicorn; hypercorn; streamlit run; celery; rails server; rails runner; puma; swift run; zig run; skaffold dev; http.server`,
	Lint: `gofmt; gofumpt; goimports; go vet; go fmt; golangci-lint; staticcheck; govulncheck; eslint; prettier; biome; oxlint; stylelint; standard; xo; next lint; ng lint; tsc --noEmit; vue-tsc; deno lint; deno fmt;
		deno check; ruff; black; flake8; mypy; pylint; pyright; isort; bandit; cargo clippy; cargo fmt; cargo check; cargo deny; cargo audit; rustfmt; ktlint; detekt; checkstyle; dotnet format; rubocop; standardrb; brakeman;
		erb_lint; php -l; phpcs; phpcbf; phpstan; psalm; php-cs-fixer; pint; clang-tidy; clang-format; cppcheck; bash -n; sh -n; shellcheck; shfmt; hadolint; yamllint; markdownlint; markdownlint-cli2; actionlint;
		pre-commit run; buf lint; tflint; tfsec; checkov; terraform fmt; terraform validate; tofu fmt; tofu validate; kubeval; kubeconform; helm lint; swiftlint; swiftformat; trivy`,
	Deploy: `docker push; podman push; kubectl apply; kubectl restart; helm install; helm upgrade; terraform apply; tofu apply; terragrunt apply; pulumi up; cdk deploy; serverless deploy; sls deploy; sam deploy; vercel;
		netlify deploy; fly deploy; flyctl deploy; wrangler deploy; wrangler publish; firebase deploy; gcloud deploy; aws deploy; aws sync; az deploy; eb deploy; ansible-playbook; cargo publish; twine upload;
		poetry publish; uv publish; gem push; dotnet push; goreleaser release; skaffold run; argocd sync; cap deploy; kamal deploy`,
}

// runners are programs that run a project's scripts by name.
const runners = " npm pnpm yarn bun make gmake just task mage rake composer invoke inv gradle gradlew mvn mvnw ant sbt mill nx turbo rails lein doit grunt gulp "

// targets are words in the names of targets and scripts.
var targets = []struct {
	kind  Kind
	words string
}{
	{Test, " test tests testing spec specs check verify e2e unit coverage bench "}, {Build, " build compile assemble package dist bundle "},
	{Lint, " lint fmt format vet typecheck types style clippy eslint prettier spotless ktlint detekt "}, {Deploy, " deploy release publish push "}, {Run, " run start dev serve server watch up preview "},
}

var (
	// wrapper matches a prefix that runs another command, or an assignment.
	wrapper = pattern.Lazy(`^(?:(?:\$env:)?[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\S*)(?:\s+|$)|(?:sudo|time|nice|nohup|env|exec|npx|bunx|bundle exec|pnpm (?:exec|dlx)|yarn dlx|(?:uv|poetry|pipenv|pdm|hatch|rye) run|timeout \S+|` +
		`(?:[^\s"']*[/\\])?py(?:thon[0-9.]*)?(?:\.exe)? -m)\s+)(?:(?:-y|--yes|--)\s+)?`)
	// interpreter matches programs that run a file, inline their options before a script of the command line.
	interpreter = pattern.Lazy(`^(?:py|python[0-9.]*|node|ts-node|tsx|deno|bun|ruby|php|perl|bash|sh|zsh|cmd|pwsh|powershell|Rscript|julia|lua|elixir)$`)
	inline      = pattern.Lazy(`^(?i:-|-[a-z]*[cepr]|--eval|--print|-command|eval|/c)$`)
	installs    = pattern.Lazy(`^(?:install|add|ci|i|remove|update|upgrade|create|init)$`)
	word        = pattern.Lazy(`[A-Z]?[a-z0-9]+|[A-Z]+`)
)

// kindOf returns the kind of a simple command, and the program, with target or script, whose later success
// shows that it works. Both are "" for others, as for a script in the command line. Quotations do not count.
func kindOf(command string) (kind Kind, program string) {
	for cut := wrapper().FindString(command); cut != ""; cut = wrapper().FindString(command) {
		command = command[len(cut):]
	}
	words := strings.Fields(command)
	if len(words) == 0 {
		return "", ""
	}
	if i := slices.IndexFunc(words[1:], func(w string) bool { return strings.ContainsAny(w[:1], `'"`) }); i >= 0 {
		words = words[:i+1]
	}
	named := nameOf(words[0])
	if kind = tableKind(named, words[1:]); kind != "" {
		return kind, named
	}
	isRunner, interprets := strings.Contains(runners, " "+named+" "), interpreter().MatchString(named)
	for i, w := range words[1:] {
		isFirst := i == 0 || words[i] == "run" || words[i][0] == '-' // but for options
		switch kind := targetKind(w); {
		case isRunner && installs().MatchString(w), interprets && isFirst && inline().MatchString(w):
			return "", ""
		case isRunner && w[0] != '-' && w != "run" && kind != "":
			return kind, named + " " + w
		case interprets && isFirst && w[0] != '-' && (strings.ContainsAny(w, "./") || w == "artisan"):
			return scriptKind(w)
		}
	}
	if named == "make" && len(words) == 1 {
		return Build, named
	}
	if !isRunner && !interprets && strings.ContainsAny(words[0], `/\`) && words[0][0] != '/' {
		return scriptKind(words[0])
	}
	return "", ""
}

func nameOf(file string) string {
	file = path.Base(strings.ReplaceAll(strings.Trim(file, `"'`), `\`, "/"))
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		file = strings.TrimSuffix(file, end)
	}
	return file
}

// tableKind looks up a program. The first word in the table counts.
func tableKind(named string, rest []string) (kind Kind) {
	best := len(rest)
	for _, e := range table[named] {
		i := slices.IndexFunc(rest[:best], func(w string) bool { return strings.EqualFold(w, e.behind) })
		if i >= 0 {
			kind, best = e.kind, i
		} else if e.behind == "" && best == len(rest) {
			kind = e.kind
		}
	}
	return kind
}

func scriptKind(file string) (Kind, string) {
	name := nameOf(file)
	if kind := targetKind(name); kind != "" {
		return kind, name
	}
	return Run, name
}

// targetKind returns the kind of the first word of a name that has one; "run" yields to others.
func targetKind(name string) (kind Kind) {
	for _, w := range word().FindAllString(name, -1) {
		for _, t := range targets {
			if strings.Contains(t.words, " "+strings.ToLower(w)+" ") {
				if kind = t.kind; kind != Run {
					return kind
				}
			}
		}
	}
	return kind
}
