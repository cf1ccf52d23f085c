package query

const sessionColumns = `
	session text Session id; joins the other views.
	agent text Agent that held the session: copilot-cli, vscode-copilot, claude-code, codex-cli, opencode, gemini-cli, antigravity-cli, cursor or cursor-cli.
	title text Session title.
	summary text Summary written by the agent, if any.
	project text Project key: host/owner/name, folder/<name>-<hash>, or none.
	project_name text Project name as shown in notes.
	repository text Repository as owner/name, if known.
	branch text Most recent git branch.
	cwd text Working directory of the agent.
	model text First model used.
	models text All models in order of first use, comma-separated.
	created text Start time in UTC: 2026-11-03T08:30:00Z.
	updated text Time of the last activity, in UTC.
	day text Start day in the vault's time zone: 2026-11-03.
	week text ISO week of that day: 2026-W45.
	minutes int Minutes from start to last activity, including pauses.
	turns int Number of turns.
	tool_calls int Number of tool calls.
	failed_calls int Number of tool calls known to have failed.
	commands int Number of shell commands.
	checkpoints int Number of checkpoints.
	files int Number of project files changed.
	tokens_in int Input tokens, including sub-agents, if the agent records them.
	tokens_out int Output tokens, including sub-agents, if the agent records them.
	sub_agents int Number of sub-agent tasks.
	parent text Id of the session it was forked from.
	automatic int 1 if nobody typed a prompt.
	headless int 1 if a command started it with its prompt.
	archived int 1 if the user archived it in the agent.
	pinned int 1 if the user pinned it in the agent.
	partial int 1 if part of it could not be read.
	outcome text Result of the session, in one sentence.
	outcome_from text Where the outcome comes from: commits, ref, summary, checkpoint, answer or prompt.
`

const turnColumns = `
	session text Session id.
	project text Project key.
	turn int Number of the turn in its session, from 1, as shown in notes.
	agent text Agent that answered.
	at text Start time in UTC.
	day text Start day in the vault's time zone.
	week text ISO week of that day.
	seconds int Seconds until the last answer or tool call.
	prompt text Prompt as typed.
	answer text Answer, without reasoning and tool results.
	model text Model that answered.
	mode text Agent mode, such as interactive, plan or autopilot.
	custom_agent text Custom agent that answered.
	status text How the turn ended: complete, cancelled, failed or pending.
	error text Error message of a failed turn.
	tokens_in int Input tokens, if the agent records them.
	tokens_out int Output tokens, if the agent records them.
	tool_calls int Number of tool calls.
	attachments int Number of attachments of the prompt.
	inherited int 1 if the turn comes from the session this one was forked from.
`

const messageColumns = `
	session text Session id.
	project text Project key.
	number int Position in the session, from 1.
	turn int Number of the turn it belongs to.
	at text Time in UTC; for a tool call, the start of its turn.
	message_type text Type: session_start, user, assistant, tool_start, model_change, abort or compaction_complete.
	text text Prompt, answer or summary; for a tool call, its description or command.
	tool text Tool name of a tool_start.
	ok int Result of a tool_start: 1 if it succeeded, 0 if it failed.
	model text Model of an assistant or model_change message.
`

const callColumns = `
	session text Session id.
	project text Project key.
	turn int Number of the turn it belongs to.
	number int Position in its turn, from 1.
	at text Start of its turn, in UTC.
	name text Name of the tool in the agent.
	kind text Kind of tool call: read, edit, create, search, list, run, web, plan, ask, task, mcp or other.
	detail text Description, command or path, in one line.
	ok int 1 if it succeeded, 0 if it failed.
	within int Number of the call whose sub-agent made this one, in the same turn.
`

const commandColumns = `
	session text Session id.
	project text Project key.
	turn int Number of the turn it belongs to.
	at text Start of its turn, in UTC.
	day text Day of that time in the vault's time zone.
	command text Full command with line breaks.
	line text Command in one line, without its leading cd, shortened if long.
	description text The agent's description of the command.
	kind text Purpose: test, build, run, lint or deploy.
	ok int 1 if it succeeded, 0 if it failed.
	exit int Exit code, if known.
`

const checkpointColumns = `
	session text Session id.
	project text Project key.
	number int Number of the checkpoint, from 1.
	title text Title of the checkpoint.
	at text Creation time in UTC.
	overview text Section "overview".
	history text Section "history".
	work_done text Section "work done".
	technical_details text Section "technical details".
	important_files text Section "important files".
	next_steps text Section "next steps".
	text text Full text of a checkpoint without sections.
`

const planColumns = `
	session text Session id.
	project text Project key.
	name text File name.
	title text First heading, or the session title.
	at text Time of the last change, in UTC.
	text text Full text.
`

const todoColumns = `
	session text Session id.
	project text Project key.
	todo text Id of the item in its list.
	title text Title of the item.
	description text Description of the item.
	state text State: open, in_progress, done or blocked.
	agent_state text State as the agent calls it.
	source text Where the list is kept, such as session.db.
	after text Ids of the items it depends on, comma-separated.
	at text Time of the last change, in UTC.
`

const fileColumns = `
	session text Session id.
	project text Project key.
	path text Path relative to the project root.
	changes text Kinds of changes, comma-separated: created, edited, deleted, renamed.
	turns int Number of turns that changed it.
	first_turn int Number of the first of these turns.
	at text Start of that turn in UTC, or of the session if unknown.
	day text Day of that time in the vault's time zone.
	undone int 1 if the user undid all changes.
`

const refColumns = `
	session text Session id.
	project text Project key.
	type text Type: commit, pr or issue.
	value text Short hash or number.
	text text Commit subject, or title.
	repository text Repository, if not the project's.
	turn int Number of the turn it belongs to.
	at text Start of its turn, in UTC.
`

const memoryColumns = `
	session text Id of the session, or of the collection of memories.
	project text Project key; NULL for a user memory.
	scope text Scope: repo, user or session.
	agent text Agent that stores it.
	name text File name.
	title text First heading or sentence.
	at text Time of the last change, in UTC.
	text text Full text.
`

const decisionColumns = `
	session text Session id.
	project text Project key.
	turn int Number of the turn it belongs to.
	at text Start of that turn in UTC, or the last activity of the session.
	kind text Kind of decision: answer, plan, refused or undone.
	text text The decision, in one line.
`

const endColumns = `
	session text Session id.
	project text Project key.
	text text The open item.
	state text State: open or closed.
	kind text Where it comes from: list, box, question, plan or prompt.
	turn int Number of the turn that asked the question, or of the unanswered prompt.
`

const distilledColumns = `
	session text Id of the session.
	project text Key of the project.
	asked text Agent that was asked.
	at text When it was, in UTC.
	kind text Kind: outcome, left, decision or learned.
	text text What it said: nobody checked it.
	quote text Quotation from the session.
	turn int Number of the prompt with the quotation.
`

const projectColumns = `
	project text Project key.
	name text Project name as shown in notes.
	sessions int Number of sessions.
	agents int Number of agents used.
	turns int Number of turns.
	tool_calls int Number of tool calls.
	minutes int Total minutes of all sessions.
	tokens_in int Input tokens, if the agents record them.
	tokens_out int Output tokens, if the agents record them.
	first text Start of the first session, in UTC.
	last text Time of the last activity, in UTC.
`

const projectsMade = `SELECT project, min(project_name) AS name, count(*) AS sessions, count(DISTINCT agent) AS agents, sum(turns) AS turns,
	sum(tool_calls) AS tool_calls, sum(minutes) AS minutes, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
	min(created) AS first, max(updated) AS last FROM sessions GROUP BY project`

const dayColumns = `
	day text Day in the vault's time zone.
	week text ISO week of that day.
	project text Project key.
	sessions int Number of sessions with a turn that day.
	turns int Number of turns.
	tool_calls int Number of tool calls.
	tokens_in int Input tokens, if the agents record them.
	tokens_out int Output tokens, if the agents record them.
	first text Start of the first turn, in UTC.
	last text Start of the last turn, in UTC.
`

const daysMade = `SELECT day, min(week) AS week, project, count(DISTINCT session) AS sessions, count(*) AS turns, sum(tool_calls) AS tool_calls,
	sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, min(at) AS first, max(at) AS last
	FROM turns WHERE day IS NOT NULL GROUP BY day, project`

const statColumns = `
	name text Name of the statistic: sessions, projects, agents, turns, tool_calls, failed_calls, commands, checkpoints, files, tokens_in, tokens_out, first_day, last_day.
	value int Number, or a day as text.
`

const statsMade = `SELECT 'sessions' AS name, count(*) AS value FROM sessions
	UNION ALL SELECT 'projects', count(DISTINCT project) FROM sessions UNION ALL SELECT 'agents', count(DISTINCT agent) FROM sessions
	UNION ALL SELECT 'turns', sum(turns) FROM sessions UNION ALL SELECT 'tool_calls', sum(tool_calls) FROM sessions
	UNION ALL SELECT 'failed_calls', sum(failed_calls) FROM sessions UNION ALL SELECT 'commands', sum(commands) FROM sessions
	UNION ALL SELECT 'checkpoints', sum(checkpoints) FROM sessions UNION ALL SELECT 'files', sum(files) FROM sessions
	UNION ALL SELECT 'tokens_in', sum(tokens_in) FROM sessions UNION ALL SELECT 'tokens_out', sum(tokens_out) FROM sessions
	UNION ALL SELECT 'first_day', min(day) FROM sessions UNION ALL SELECT 'last_day', max(day) FROM sessions`
