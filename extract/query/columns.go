package query

const sessionColumns = `
	session text Id of the session, which other views have too.
	agent text Agent: copilot-cli, vscode-copilot, claude-code, codex-cli, opencode, gemini-cli, antigravity-cli, cursor or cursor-cli.
	title text Title.
	summary text Summary that the agent made, if it made one.
	project text Key of the project: host/owner/name, folder/<name>-<hash>, or none.
	project_name text Name of the project as notes show it.
	repository text Repository: owner/name where it is known.
	branch text Branch, the newest one.
	cwd text Folder in which the agent worked.
	model text Model that was used first.
	models text All models in order of first use, with commas between them.
	created text Begin, in UTC: 2026-11-03T08:30:00Z.
	updated text Last thing that happened, in UTC.
	day text Day of the begin in the time zone of the vault: 2026-11-03.
	week text ISO week of that day: 2026-W45.
	minutes int Minutes between begin and last thing, pauses among them.
	turns int Number of turns.
	tool_calls int Number of calls of tools.
	failed_calls int Number of calls of tools that are known to have failed.
	commands int Number of commands that ran in a shell.
	checkpoints int Number of checkpoints.
	files int Number of files that were changed in the project.
	tokens_in int Tokens that turns and sub-agents took in, where the agent stores them.
	tokens_out int Tokens that they put out, where the agent stores them.
	sub_agents int Number of tasks that sub-agents did.
	parent text Session from which it was forked.
	automatic int 1 where nobody typed a prompt.
	headless int 1 where a command began it with its prompt.
	archived int 1 where its user archived it in the agent.
	pinned int 1 where its user pinned it in the agent.
	partial int 1 where something of it could not be read.
	label text Label of the home it was read from, as settings have it.
	outcome text What came of it, in a sentence.
	outcome_from text What says so: commits, ref, summary, checkpoint, answer or prompt.
`

const turnColumns = `
	session text Id of the session.
	project text Key of the project.
	turn int Number of the prompt in its session, from 1, as notes have it.
	agent text Agent.
	at text Begin, in UTC.
	day text Day of the begin in the time zone of the vault.
	week text ISO week of that day.
	seconds int Seconds until the last answer or call.
	prompt text What was typed.
	answer text What was answered, without reasoning and results of tools.
	model text Model that answered.
	mode text Mode of the agent: interactive, plan, autopilot and the like.
	custom_agent text Custom agent that answered.
	status text How it ended: complete, cancelled, failed or pending.
	error text Message of a turn that failed.
	tokens_in int Tokens that went in, where the agent stores them.
	tokens_out int Tokens that came out, where the agent stores them.
	tool_calls int Number of calls of tools.
	attachments int Number of things that were attached to the prompt.
	inherited int 1 where it was said in the session that this one was forked from.
`

const messageColumns = `
	session text Id of the session.
	project text Key of the project.
	number int Place in the session, from 1.
	turn int Number of the prompt it belongs to.
	at text When it happened, in UTC; of a call when its turn began.
	message_type text session_start, user, assistant, tool_start, model_change, abort or compaction_complete.
	text text What was typed, answered or summed up; of a call its description or command.
	tool text Name of the tool of a tool_start.
	ok int Outcome of a tool_start: 1 where it succeeded, 0 where it failed.
	model text Model of an assistant or model_change.
`

const callColumns = `
	session text Id of the session.
	project text Key of the project.
	turn int Number of the prompt that led to it.
	number int Place in its turn, from 1.
	at text When its turn began, in UTC.
	name text Name that the agent has for the tool.
	kind text Kind of tool: read, edit, create, search, list, run, web, plan, task, mcp or other.
	detail text Description, else command or path, in one line.
	ok int 1 where it succeeded, 0 where it failed.
	within int Number of the call in its turn whose sub-agent made this one.
`

const commandColumns = `
	session text Id of the session.
	project text Key of the project.
	turn int Number of the prompt that led to it.
	at text When its turn began, in UTC.
	day text Day of that in the time zone of the vault.
	command text Command, whole, with its line breaks.
	line text Command in one line, without the folder it began in, cut where it is long.
	description text What the agent says it is for.
	kind text What it is run for: test, build, run, lint or deploy.
	ok int 1 where it succeeded, 0 where it failed.
	exit int Exit code.
`

const checkpointColumns = `
	session text Id of the session.
	project text Key of the project.
	number int Number, from 1.
	title text Title.
	at text When it was made, in UTC.
	overview text Overview.
	history text History of the session.
	work_done text Work that was done.
	technical_details text Technical details.
	important_files text Important files.
	next_steps text Next steps.
	text text Whole text where it has no sections.
`

const planColumns = `
	session text Id of the session.
	project text Key of the project.
	name text Name of its file.
	title text Title: its first heading, else that of its session.
	at text When it was changed last, in UTC.
	text text Text.
`

const todoColumns = `
	session text Id of the session.
	project text Key of the project.
	todo text Id in the list.
	title text Title.
	description text Description.
	state text State: open, in_progress, done or blocked.
	agent_state text State in the agent's own word.
	source text What holds the list: session.db and the like.
	after text Ids of the items it waits for, with commas between them.
	at text When it was changed last, in UTC.
`

const fileColumns = `
	session text Id of the session.
	project text Key of the project.
	path text Path from the root of the project.
	changes text What was done to it: created, edited, deleted, renamed, with commas between them.
	turns int Number of turns in which it was changed.
	first_turn int Number of the first of them.
	at text Begin of the first of them, in UTC, else of the session.
	day text Day of that in the time zone of the vault.
	undone int 1 where the user took back all of the changes.
`

const refColumns = `
	session text Id of the session.
	project text Key of the project.
	type text Type: commit, pr or issue.
	value text Short hash or number.
	text text Subject of the commit, or title.
	repository text Repository where it is another than that of the project.
	turn int Number of the prompt that led to it.
	at text When its turn began, in UTC.
`

const memoryColumns = `
	session text Id of the session, or of the collection.
	project text Key of the project; NULL for a memory of a person.
	scope text Whose it is: repo, user or session.
	agent text Agent that keeps it.
	name text Name of its file.
	title text Title: its first heading or sentence.
	at text When it was changed last, in UTC.
	text text Text.
`

const decisionColumns = `
	session text Id of the session.
	project text Key of the project.
	turn int Number of the prompt that led to it.
	at text Begin of that turn, in UTC, else the last thing that happened in the session.
	kind text Kind: answer, plan, refused or undone.
	text text What was decided, in one line.
`

const endColumns = `
	session text Id of the session.
	project text Key of the project.
	text text What is open.
	state text State: open or closed.
	kind text The act that it rests on: list, box, question, plan or prompt.
	turn int Number of the prompt after which it was asked, or that was not answered.
`

const projectColumns = `
	project text Key of the project.
	name text Name as notes show it.
	sessions int Number of sessions.
	agents int Number of agents.
	turns int Number of turns.
	tool_calls int Number of calls of tools.
	minutes int Minutes of all sessions.
	tokens_in int Tokens that went in, where agents store them.
	tokens_out int Tokens that came out, where agents store them.
	first text Begin of the first session, in UTC.
	last text Last thing that happened, in UTC.
`

const projectsMade = `SELECT project, min(project_name) AS name, count(*) AS sessions, count(DISTINCT agent) AS agents, sum(turns) AS turns,
	sum(tool_calls) AS tool_calls, sum(minutes) AS minutes, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
	min(created) AS first, max(updated) AS last FROM sessions GROUP BY project`

const dayColumns = `
	day text Day in the time zone of the vault.
	week text ISO week of that day.
	project text Key of the project.
	sessions int Number of sessions with a turn on that day.
	turns int Number of turns.
	tool_calls int Number of calls of tools.
	tokens_in int Tokens that went in, where agents store them.
	tokens_out int Tokens that came out, where agents store them.
	first text Begin of the first turn, in UTC.
	last text Begin of the last turn, in UTC.
`

const daysMade = `SELECT day, min(week) AS week, project, count(DISTINCT session) AS sessions, count(*) AS turns, sum(tool_calls) AS tool_calls,
	sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, min(at) AS first, max(at) AS last
	FROM turns WHERE day IS NOT NULL GROUP BY day, project`

const statColumns = `
	name text Name: sessions, projects, agents, turns, tool_calls, failed_calls, commands, checkpoints, files, tokens_in, tokens_out, first_day, last_day.
	value int Number; of a day its text.
`

const statsMade = `SELECT 'sessions' AS name, count(*) AS value FROM sessions
	UNION ALL SELECT 'projects', count(DISTINCT project) FROM sessions UNION ALL SELECT 'agents', count(DISTINCT agent) FROM sessions
	UNION ALL SELECT 'turns', sum(turns) FROM sessions UNION ALL SELECT 'tool_calls', sum(tool_calls) FROM sessions
	UNION ALL SELECT 'failed_calls', sum(failed_calls) FROM sessions UNION ALL SELECT 'commands', sum(commands) FROM sessions
	UNION ALL SELECT 'checkpoints', sum(checkpoints) FROM sessions UNION ALL SELECT 'files', sum(files) FROM sessions
	UNION ALL SELECT 'tokens_in', sum(tokens_in) FROM sessions UNION ALL SELECT 'tokens_out', sum(tokens_out) FROM sessions
	UNION ALL SELECT 'first_day', min(day) FROM sessions UNION ALL SELECT 'last_day', max(day) FROM sessions`
