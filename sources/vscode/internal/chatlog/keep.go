package chatlog

import "github.com/sessionloom/sessionloom/sources/vscode/internal/tree"

// The rules here name members, and those not named are left out. Elements of
// arrays are never left out but become null, since a log changes them by place;
// so what is kept of a log is the same whether it is reduced before or after the
// changes. In `kept` every rule is said once; nothing in it changes after.

// fields maps members to what is kept of them.
type fields map[string]*tree.Keep

var (
	dropped = tree.Dropped
	// atom keeps text, numbers and truth values.
	atom = &tree.Keep{Rest: dropped, Each: dropped, Leaf: scalar}
	// short is an atom whose text is cut.
	short = &tree.Keep{Rest: dropped, Each: dropped, Leaf: cutScalar}
	// flat keeps the atoms of an object.
	flat = &tree.Keep{Rest: atom, Each: dropped}
)

// only keeps these members.
func only(f fields) *tree.Keep { return &tree.Keep{Fields: f, Rest: dropped, Each: dropped} }

// list keeps an array of such.
func list(each *tree.Keep) *tree.Keep { return &tree.Keep{Rest: dropped, Each: each} }

// atoms keeps members that are atoms.
func atoms(names ...string) fields {
	f := fields{}
	for _, name := range names {
		f[name] = atom
	}
	return f
}

// with adds members.
func (f fields) with(more fields) fields {
	for name, keep := range more {
		f[name] = keep
	}
	return f
}

// open keeps whatever is there down to a depth, its texts cut.
func open(depth int) *tree.Keep {
	if depth == 0 {
		return short
	}
	below := open(depth - 1)
	return &tree.Keep{Rest: below, Each: below, Leaf: cutText, Open: true}
}

// Keep is what is kept of a session (ISerializableChatData and exports). Of
// inputState, the prompt that was not sent yet, nothing is: it changes all the
// time and says nothing of what was sent before.
func Keep(opt Options) *tree.Keep {
	return only(atoms("version", "sessionId", "creationDate", "customTitle", "computedTitle", "initialLocation",
		"isImported", "lastMessageDate").with(fields{
		"workingDirectory": address(),
		"repoData":         flat,
		"requests":         list(request(opt)),
	}))
}

// request is what is kept of a request.
func request(opt Options) *tree.Keep {
	return only(atoms("requestId", "providerRequestId", "responseId", "providerResponseId", "timestamp", "responseTimestamp", "elapsedMs",
		"timeSpentWaiting", "promptTokens", "completionTokens", "modelId", "isCanceled", "isHidden",
		"hiddenFromTranscript", "requestHiddenFromTranscript", "isSystemInitiated", "systemInitiatedLabel",
		"terminalExecutionId", "requestSource", "confirmation", "vote", "voteDownReason").with(fields{
		"modelState":            flat,
		"modeInfo":              modeInfo(),
		"agent":                 agent(),
		"slashCommand":          only(atoms("name")),
		"shouldBeRemovedOnSend": flat,
		"message":               message(),
		"variableData":          only(fields{"variables": list(variable(opt))}),
		"response":              list(part()),
		"result":                result(),
		"responseErrorDetails":  errorDetails(),
		"contentReferences":     list(only(fields{"kind": atom, "reference": place()})),
		"codeCitations":         list(only(fields{"value": place(), "license": atom})),
		"editedFileEvents":      list(only(fields{"uri": address(), "eventKind": atom})),
	}))
}

func agent() *tree.Keep {
	return only(atoms("id", "name", "fullName").with(fields{"extensionId": only(atoms("value"))}))
}

func modeInfo() *tree.Keep {
	return only(atoms("kind", "isBuiltin", "modeId", "telemetryModeId", "telemetryModeName", "permissionLevel").
		with(fields{"modeInstructions": only(atoms("name"))}))
}

func message() *tree.Keep {
	return only(fields{"text": atom, "parts": list(&tree.Keep{
		Fields: fields{
			"text": atom, "range": flat, "editorRange": dropped, "modelDescription": dropped, "agent": agent(),
			"command": flat, "slashCommand": flat, "slashPromptCommand": flat, "data": {Take: taker(false)},
		},
		Rest: short, Each: dropped,
	})})
}

// variable is what is kept of something added to a prompt; its text is not.
func variable(opt Options) *tree.Keep {
	value := &tree.Keep{Take: taker(opt.Images)}
	return only(atoms("id", "name", "fullName", "kind", "mimeType", "isFile", "isDirectory", "language", "exitCode",
		"isSelection", "enabled", "automaticallyAdded", "isRoot", "omittedState", "symbolKind").with(fields{
		"problemMessage": short,
		"command":        short,
		"range":          flat,
		"uri":            address(),
		"filterUri":      address(),
		"filterRange":    flat,
		"copiedFrom":     place(),
		"value":          value,
		"values":         list(only(fields{"value": value})), // the oldest files
		"references":     list(only(fields{"reference": place()})),
	}))
}

func errorDetails() *tree.Keep {
	return only(atoms("message", "code", "level", "responseIsIncomplete", "responseIsFiltered", "responseIsRedacted",
		"isQuotaExceeded", "isRateLimited"))
}

// result is what is kept of a result: by weight it is most of a session, and
// nearly all of it repeats what stands elsewhere.
func result() *tree.Keep {
	call := only(atoms("id", "name").with(fields{"arguments": arguments()}))
	return only(fields{
		"errorDetails": errorDetails(),
		"timings":      flat,
		"details":      atom,
		"usage":        flat,
		"metadata": only(atoms("sessionId", "agentId", "modelMessageId", "responseId", "cacheKey", "globalContextCacheKey",
			"resolvedModel", "promptTokens", "outputTokens", "maxToolCallsExceeded").with(fields{
			"toolCallRounds":      list(only(fields{"id": atom, "timestamp": atom, "summary": atom, "toolCalls": list(call)})),
			"summaries":           list(only(atoms("toolCallRoundId", "text", "model"))),
			"summary":             only(atoms("toolCallRoundId", "text", "model")),
			"renderedUserMessage": rendered(), "renderedGlobalContext": rendered(),
		})),
	})
}
