// A made-up history whose names would break a diagram: files, projects and
// prompts with what Mermaid takes for its own.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const names = [
  'quote".go', "apostrophe's.go", 'brackets[0](1){2}.go', 'end', 'end.go', 'semi;colon.go', 'comma, blank.go', 'back`tick.go', '%%comment.go',
  '%%{init: {"theme":"dark"}}%%.go', 'graph TD; A-->B.go', 'title.go', 'x-axis', 'bar [1, 2].go', '#quot;.go', '#35;.go', '&amp;.go',
  '<img src=x onerror=hit()>.go', '<script>hit()</script>.go', 'click A href "javascript:hit()".go', '日本語/ファイル.go', 'emoji-🔥.go', 'דג.go',
  'arrow-->.go', 'a|b.go', 'back\\slash.go', '$tex$.go', '"unclosed', '[unclosed', 'accTitle: x', '---', '-'.repeat(300) + '.go', ':::class', '0', '-1',
]

// write makes a Copilot home in which every name is edited by several sessions,
// over some weeks.
export function write(home) {
  names.forEach((name, i) => {
    for (let n = 0; n < 3; n++) session(home, 3 * i + n, i, name)
  })
}

// Half of the sessions work in one repository, the others each in a folder that
// bears the name.
function session(home, number, which, name) {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const cwd = which % 2 ? '/home/dev/src/widget' : `/home/dev/src/${name.replaceAll('/', '-')}`
  const repo = which % 2 ? { gitRoot: cwd, repository: 'octo-org/widget', hostType: 'github', repositoryHost: 'github.com' } : {}
  let at = Date.UTC(2026, 0, 5 + 5 * (number % 30), 9, number % 60)
  const lines = []
  let parent = null
  const log = (type, data) => {
    at += 1000
    const event = `${id.slice(0, 24)}${String(100000000000 + 1000 * number + lines.length)}`
    lines.push(JSON.stringify({ type, data, id: event, timestamp: new Date(at).toISOString(), parentId: parent }))
    parent = event
  }
  log('session.start', { sessionId: id, version: 1, producer: 'copilot-agent', copilotVersion: '1.0.60', startTime: new Date(at).toISOString(), context: { cwd, branch: 'main', ...repo } })
  log('user.message', { content: `Change ${name}`, attachments: [], interactionId: id })
  for (const path of [name, names[(which + 2) % names.length]]) {
    const args = { path: `${cwd}/${path}`, old_str: 'a', new_str: 'b' }
    const call = `call_${number}_${lines.length}`
    log('assistant.message', { messageId: call, content: 'Done.', toolRequests: [{ toolCallId: call, name: 'edit', arguments: args, type: 'function' }], interactionId: id, turnId: '0' })
    log('tool.execution_start', { toolCallId: call, toolName: 'edit', arguments: args, turnId: '0' })
    log('tool.execution_complete', { toolCallId: call, interactionId: id, turnId: '0', success: true, result: { content: 'edited' } })
  }
  log('session.shutdown', {})
  const dir = join(home, 'session-state', id)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'events.jsonl'), lines.join('\n') + '\n')
  writeFileSync(join(dir, 'workspace.yaml'), `id: ${id}\ncwd: ${JSON.stringify(cwd)}\n`)
}
