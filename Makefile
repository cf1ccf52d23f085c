# Everything a developer does, by name. `make` alone lists it.
.DEFAULT_GOAL := help
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

GORELEASER := github.com/goreleaser/goreleaser/v2@v2.16.0

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build ./sessionloom
	go build -o sessionloom ./cmd/sessionloom

.PHONY: test
test: ## run the tests
	go test ./...

CONCURRENT := go func|errgroup\.|\.Go\(|sync\.(Mutex|RWMutex|WaitGroup|Once|Map|Pool)\b|t\.Parallel
.PHONY: race
race: ## run the tests of what runs concurrently with the race detector
	go test -race -short $$(git grep -lE '$(CONCURRENT)' -- 'extract/*.go' 'vault/*.go' 'sources/*.go' | xargs -n1 dirname | sort -u | sed 's,^,./,')

.PHONY: lint
lint: ## format, vet and lint
	test -z "$$(gofmt -l .)"
	go vet ./...
	go run $(GOLANGCI) run ./...

.PHONY: golden
golden: ## write the golden pages anew; review the diff like code
	go test ./templates ./cmd/sessionloom ./sources/claudecode ./sources/codexcli ./sources/copilotcli ./sources/cursor ./sources/geminicli ./sources/opencode -update

.PHONY: bench
bench: ## measure speed and memory beside this machine's floors
	go run ./cmd/loombench

LOGS = $$(go run ./cmd/loombench --generate logs),$$(go run ./cmd/loombench --generate long --sessions 1 --mb 1000)
.PHONY: profile
profile: ## measure anew what the compiler optimizes the program for (takes a minute, 1.3 GB of logs)
	go test -trimpath -pgo=off ./cmd/sessionloom -run xxx -bench FirstSync -benchtime 2x -o "$$(mktemp)" \
	  -cpuprofile cmd/sessionloom/default.pgo -bench.homes "$(LOGS)"

.PHONY: soak
soak: ## play many long random histories, edits and mischief (hours)
	$(MAKE) whole
	go test ./cmd/sessionloom -run 'TestWatchSoak$$' -v -timeout 60m -watch.soak 30m
	go test ./extract -run TestIncrementalEqualsFresh -timeout 60m -model.runs 200 -model.steps 120
	go test ./cmd/sessionloom -run TestChatsIncrementalIsFresh -timeout 60m -chat.runs 200
	go test ./vault -run 'TestLivingNotes$$' -timeout 60m -living.runs 400 -living.steps 400
	go test ./extract -run TestRuleAddedAtRandom -timeout 60m -remask.runs 200

.PHONY: whole
whole: ## look at all after each step of a scene, and play all cases that "make test" samples (minutes)
	go test ./cmd/sessionloom -timeout 30m -whole -chat.runs 4 -machines.steps 30 -grow.steps 30
	go test ./extract -run 'TestIncrementalEqualsFresh|TestPlansDoWhatASyncDoes|TestRuleAddedAtRandom' -model.runs 6 -model.steps 40 -remask.runs 12
	go test ./extract -run TestOnePoisonedField -poison.all
	go test ./sources/opencode -run Grow -grow.steps 25

.PHONY: machines
machines: ## have several machines share a vault, in many ways (hours)
	go test ./cmd/sessionloom -run 'Machines|GitResolves|MissingAfterGit' -timeout 60m -whole -machines.runs 40 -machines.steps 50

FUZZTIME ?= 1m
.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME each
	@for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep ^Fuzz); do \
	    echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

FAULTS ?= /tmp/sessionloom-faults-$(shell git rev-parse --short HEAD)
.PHONY: faults
faults: ## inject every fault at every point, test by test, and print what held (hours; goes on in FAULTS where it stopped; needs strace, root for some)
	@mkdir -p $(FAULTS)
	@for t in $$(go test ./cmd/sessionloom/faults -list ^Test | grep ^Test); do \
	  test -e $(FAULTS)/$$t.held && continue; echo $$t; \
	  go test ./cmd/sessionloom/faults -run "^$$t$$" -v -count=1 -timeout 6h -faults.every 1 >$(FAULTS)/$$t.log && mv $(FAULTS)/$$t.log $(FAULTS)/$$t.held; \
	done; cat $(FAULTS)/* | grep '^| ' | sort -u; ! ls $(FAULTS)/*.log 2>/dev/null

COPILOT ?= 1.0.102
.PHONY: e2e-copilot
e2e-copilot: ## follow the genuine Copilot CLI, its version in COPILOT, through all it does (needs npm, tmux)
	go test ./cmd/sessionloom/faults -run TestRealCopilot -v -count=1 -timeout 30m -faults.copilot $(COPILOT)

CLAUDE ?= 2.1.332
CODEX ?= 0.169.0
.PHONY: e2e-agents
e2e-agents: ## watch the genuine Claude Code and Codex, their versions in CLAUDE and CODEX (needs npm, git)
	go test ./cmd/sessionloom/faults -run 'TestRealClaude|TestRealCodex' -v -count=1 -timeout 20m -faults.claude $(CLAUDE) -faults.codex $(CODEX)

GEMINI ?= 0.61.0
.PHONY: e2e-asked
e2e-asked: ## ask the genuine Claude Code, Codex, Copilot CLI and Gemini CLI as distil does, and look what they reach and what of their answers stands (needs npm, git)
	go test ./cmd/sessionloom/faults -run TestRealAsked -v -count=1 -timeout 20m \
	  -faults.claude $(CLAUDE) -faults.codex $(CODEX) -faults.copilot $(COPILOT) -faults.gemini $(GEMINI)

.PHONY: secrets
secrets: ## recall, precision and speed of finding secrets, beside gitleaks' own engine
	go -C .ci/gitleaks run .
	go test ./extract/redact -run xxx -bench 'Transcript|Text|Hostile' -cpu 1

.PHONY: controls
controls: ## break each guard and see its test go red
	go run ./.ci/controls

.PHONY: dist
dist: ## make what a release is made of in ./dist: archives, deb, rpm, checksums
	go run -ldflags='-s -w' $(GORELEASER) release --snapshot --clean --skip=publish

.PHONY: release
release: ## publish the tag that is checked out (its workflow does)
	go run -ldflags='-s -w' $(GORELEASER) release --clean

.PHONY: pictures
pictures: ## render the README's pictures from the sample (needs Node.js, Chromium)
	cd docs/render && npm install --no-package-lock --silent && node render.mjs

.PHONY: ecosystem
ecosystem: ## have a tool that is not ours judge the sample vault (needs Node.js, npm)
	cd .ci/ecosystem && npm install --no-package-lock --silent && node verdict.mjs

.PHONY: ci
ci: ## what runs on every change
	.ci/run
