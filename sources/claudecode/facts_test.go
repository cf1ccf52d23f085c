package claudecode_test

// fact is what is known of a session of the sample, which Claude Code 1.0.128, 2.0.76, 2.1.45
// and 2.1.330 wrote while a driver typed the prompts.
type fact struct {
	id          string
	prompts     []string // own ones that were not taken back
	back        int      // prompts that were
	copied      int      // prompts of the parent
	parent      string
	checkpoints int
	title       string
	tools       string // calls with those of the parent
	in, out     int64  // tokens with those of the parent
	headless    bool
	cwd, branch string
}

var facts = []fact{
	{id: "0b5c1c0e-5d0a-4e0e-9a51-6b1a0a6d1c01", prompts: []string{
		"widgetd has no timeouts at all: a slow client can hold a connection forever. Set sensible ones.",
		"There are no long downloads. Add a write timeout of 30 s and commit.",
	}, tools: "Bash 2, Edit 1, Grep 1, MultiEdit 1, Read 2, TodoWrite 2", in: 147971, out: 785, cwd: "/home/dev/src/widget", branch: "main"},
	{id: "2d089746-26f8-4c31-b6f9-72070e5d3f5c", prompts: []string{
		"Let a sub-agent list every broken link of the manual, then fix the ones that are typos.",
		"Write the missing page cookies.md with everything the manual says about cookies.",
		"Only three lines, please.",
		"Put cookies into the nav, after auth.",
	}, checkpoints: 1, tools: "Bash 1, Edit 2, Read 2, Task 1, Write 1", in: 160085, out: 501, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "78484eb6-deb0-4462-8570-5f8481fd5aa0", prompts: []string{
		"Plan ETag support for GET /widgets/{id}. I want 304 answers.",
		"Yes, go on. Keep sha256.",
	}, back: 1, tools: "Bash 1, Edit 1, ExitPlanMode 1, Read 2, TodoWrite 2, Write 2", in: 162132, out: 788, cwd: "/home/dev/src/widget", branch: "main"},
	{id: "7c0f2a52-0c4e-4d35-8f0a-2f6f9b1d2a04", prompts: []string{
		"Is there a data race in internal/store? Ask a sub-agent for a second opinion.",
	}, tools: "Read 1, Task 1", in: 36650, out: 134, cwd: "/home/dev/src/widget", branch: "main"},
	{id: "3f0d5a10-77a1-4b0e-8f5d-0a6f1f3e2b05", prompts: []string{
		"widgetd drops running requests when it gets SIGTERM. Let it finish them, at most ten seconds.",
		"Add a test in internal/store that a value survives 50 ms, run it from that folder, then commit everything.",
		"Was the ten second limit tested?",
	}, tools: "Bash 4, Edit 3, Grep 1, Read 1, Write 1", in: 177021, out: 881, headless: true, cwd: "/home/dev/src/widget", branch: "main"},
	{id: "cc692469-d079-4c3a-9996-836c5291389a", prompts: []string{
		"Add GET /metrics with the number of requests per route, Prometheus text format, standard library only. Keep a task list.",
		"Run the whole test suite with the race detector twenty times.",
		"/changelog v0.5.0",
		"Wire up GET /metrics now.",
		"Does Prometheus accept the default content type?",
	}, title: "Metrics endpoint", tools: "Bash 4, Edit 1, Read 1, TaskCreate 3, TaskUpdate 3, ToolSearch 1, Write 1", in: 235071, out: 937, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "aa81fc45-db5c-4d1a-852f-1885e56c3827", prompts: []string{
		"Which kinds of pagination would suit GET /widgets?",
		"Write it with a cursor instead.",
	}, back: 2, title: "Pagination of the widget list", tools: "Write 1", in: 45771, out: 158, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "b8a3b8e4-0cc6-4843-a870-22e91189938e", prompts: []string{
		"In this branch: sign the cursor with an HMAC.",
	}, copied: 2, parent: "aa81fc45-db5c-4d1a-852f-1885e56c3827", title: "cursor-with-hmac", tools: "Read 1, Write 1", in: 77017, out: 228, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "e28a2b9d-074e-47e8-9a26-62fa28bbb046", prompts: []string{
		"Plan cache headers for the static answers of the API. Ask me if something is unclear.",
	}, tools: "AskUserQuestion 1, Edit 1, ExitPlanMode 1, Read 1, Write 1", in: 104548, out: 358, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "178b4c76-c54b-4eeb-b588-578de963b96c", prompts: []string{
		"The mutex of internal/store is hot. Would sharding help? Measure first.",
		"Remember for the future: no sharding until the p99 of Get is above 1 ms.",
		"Commit the benchmark.",
		"What is left to do here?",
	}, checkpoints: 2, tools: "Bash 2, Read 1, Write 3", in: 143391, out: 520, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "46685f7d-0ed5-4337-bf84-e4fb59bbd6d5", prompts: []string{
		"Which headings of the manual are not in sentence case?",
	}, tools: "Grep 1", in: 30237, out: 67, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "9230cbd7-4e2c-46a8-a195-c21a6cc5a860", prompts: []string{
		"Write reference/metrics.md from this draft:\n\nGET /metrics\nreturns text\none line per route\ncounter: widgetd_requests_total\nlabel: route\nno authentication\nnot for the public port",
	}, tools: "Write 1", in: 30623, out: 115, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "9d7a3c44-61b2-4f0c-b7a5-5e0c2f1d8a12", prompts: []string{
		"Before v0.5: do our error texts leak anything? Let two sub-agents look at httpx and store, then sum up.",
	}, title: "Error texts before v0.5", tools: "Agent 2", in: 28124, out: 222, headless: true, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "13dfe7c0-c2de-475d-8809-8f61200c978f", prompts: []string{
		"Run the benchmark in the background and tell me when it is done. Meanwhile let an agent look for TODO comments, also in the background.",
	}, tools: "Agent 1, Bash 1", in: 63631, out: 164, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "6ed2f55e-9dd3-4b08-a407-1d6b7d39ac7e", prompts: []string{
		"Suppose the limit were configurable. Which flag name fits the others?",
	}, copied: 3, parent: "3f0d5a10-77a1-4b0e-8f5d-0a6f1f3e2b05", tools: "Bash 4, Edit 3, Grep 1, Read 1, Write 1", in: 192974, out: 905, headless: true, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "beaf816b-6252-4226-a422-7aa3f7c00331", prompts: []string{
		"Is there a page on pagination?",
		"Write reference/pagination.md.",
		"Go on where you stopped.",
	}, tools: "Grep 1, Write 1", in: 60753, out: 140, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "5a1b8e90-2c3d-4e5f-9a6b-7c8d9e0f1a17", prompts: []string{
		"Which branch is this worktree on, and what differs from main?",
	}, tools: "Bash 1", in: 27899, out: 72, headless: true, cwd: "/home/dev/src/widget-skew", branch: "clock-skew"},
	{id: "6b2c9fa1-3d4e-4f60-8b7c-8d9e0f1a2b18", prompts: []string{
		"Write a token bucket in internal/httpx/bucket.go.",
	}, tools: "Bash 1, Write 1", in: 42202, out: 147, headless: true, cwd: "/home/dev/src/widget", branch: "worktree-rate-limit"},
	{id: "b9d3694f-ae19-4c97-a55f-b5c41b1cc808", prompts: []string{
		"samples.csv の経路ごとの中央値を教えて。",
		"What does this chart show?",
		"summary.md にまとめて。",
	}, tools: "Bash 1, Read 1, Write 1", in: 91843, out: 233, cwd: "/home/dev/lab/latency"},
	{id: "7c3d0ab2-4e5f-4071-9c8d-9e0f1a2b3c20", prompts: []string{
		"Renderer check, as it stands in the ticket:\n---\ntitle: \"not frontmatter\"\n---\nCheck that the renderer leaves [[links]], ![[embeds]], %%comments%%, <% tp.date.now() %> and `= this.file.name` alone. Token: ghp_SYNTHETIC0example0token0for0tests000",
	}, tools: "Bash 1", in: 27462, out: 116, headless: true, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "24a8b5af-2f33-46c6-ba9e-f7f44a245417", prompts: []string{
		"Shorten the start page.",
		"Try again: shorten the start page.",
	}, tools: "Read 1", in: 30265, out: 56, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "8d4e1bc3-5f60-4182-8d9e-0f1a2b3c4d22"},
	{id: "9e5f2cd4-6071-4293-9eaf-1a2b3c4d5e23", cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "ff43db4c-b458-41e0-a7a2-100fda4a0048", prompts: []string{
		"Prepare the release v0.5.0: CHANGELOG.md from the log. Keep a task list.",
	}, title: "Release v0.5.0: changelog – „Zeitlimits“", tools: "TaskCreate 2, TaskUpdate 1, ToolSearch 1, Write 1", in: 66525, out: 243, cwd: "/home/dev/src/widget", branch: "metrics"},
	{id: "af603de5-7182-43a4-8fb0-2b3c4d5e6f25", prompts: []string{
		"Write reference/errors.md: one line per status code.",
	}, tools: "Write 1", in: 13623, out: 51, headless: true, cwd: "/home/dev/src/docs-site", branch: "main"},
	{id: "a4fd7fec-1443-4426-8fe5-6fcad8c5d064", prompts: []string{
		"Which route has the worst p90? Let a sub-agent check the numbers too.",
		"Write that into p90.md.",
	}, title: "p90 of the routes", tools: "Bash 1, Read 1, Task 1, Write 1", in: 91703, out: 225, cwd: "/home/dev/lab/latency"},
	{id: "b0714ef6-6293-44b5-8fc1-3c4d5e6f7a27", prompts: []string{
		"Run the link check.",
	}, tools: "Bash 1", in: 37263, out: 2, cwd: "/home/dev/src/docs-site", branch: "main"},
}
