// The verdict of a knowledge-base tool that is not ours: Foam (foam-cli, the
// engine of the VS Code extension) indexes the vault woven from the built-in
// sample, in both layouts.
//
//   make ecosystem       needs Go, Node.js and a registry of npm packages
//
// It sees: wikilinks and embeds of every note, also in tables, that lead to no
// file; frontmatter that is no valid YAML; which properties, tags and aliases each
// note has. It does not see: links in properties, headings behind "#", views of a
// base, region markers. Those are for "sessionloom check".
//
// A vault with broken links and a broken frontmatter is looked at first: a tool
// that is blind to them proves nothing.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..')
const temp = mkdtempSync(join(tmpdir(), 'sessionloom-ecosystem-'))

let failed = false
try {
  provesSight()
  const version = JSON.parse(readFileSync(join(here, 'node_modules/foam-cli/package.json'))).version
  const vault = join(temp, 'vault')
  execFileSync('go', ['run', './cmd/sessionloom', 'sync', '--sample', '--quiet', '--create', '--vault', vault, '--state', join(temp, 'state')], {
    cwd: project,
    stdio: 'inherit',
  })
  const faults = look(vault)
  for (const fault of faults) console.error(fault)
  failed = faults.length > 0
  console.log(`foam ${version}: ${notesIn(vault).length} notes, ${foam(vault, 'graph').out.links.length} links, ${faults.length} faults`)
} finally {
  rmSync(temp, { recursive: true })
}
process.exitCode = failed ? 1 : 0

// provesSight shows Foam a vault of which it must complain.
function provesSight() {
  const bad = join(temp, 'bad')
  mkdirSync(join(bad, 'sub'), { recursive: true })
  writeFileSync(join(bad, 'sub/some.base'), 'views: []\n')
  writeFileSync(join(bad, 'sound.md'), '---\nid: "sound"\n---\n\n[[sub/table|fine]]\n\n![[sub/some.base#View]]\n')
  writeFileSync(join(bad, 'strayed.md'), '---\nid: "strayed"\n---\n\n![[other/some.base#View]]\n')
  writeFileSync(join(bad, 'sub/table.md'), '---\nid: "table"\n---\n\n| [[sound\\|fine]] | [[nowhere\\|broken]] |\n|---|---|\n')
  writeFileSync(join(bad, 'spoiled.md'), '---\nid: "spoiled\n---\n\nText.\n')
  const faults = look(bad)
  const expected = [/^sub\/table\.md: .*nowhere/, /^strayed\.md: .*other\/some\.base/, /^spoiled\.md: .*frontmatter/]
  for (const e of expected) {
    if (!faults.some((f) => e.test(f))) throw new Error(`Foam does not see ${e} in a vault that is broken so:\n${faults.join('\n')}`)
  }
  if (faults.some((f) => f.startsWith('sound.md'))) throw new Error(`Foam complains of a sound note:\n${faults.join('\n')}`)
}

// look lists what Foam finds wrong with a vault.
function look(vault) {
  const faults = []
  const graph = foam(vault, 'graph')
  for (const placeholder of foam(vault, 'list', 'placeholders').out) {
    for (const by of placeholder.referenced_by) {
      for (const target of deadEnds(vault, by.path, placeholder.placeholder_id)) faults.push(`${by.path}: its link to ${target} leads nowhere`)
    }
  }
  for (const warning of graph.warnings) faults.push(`Foam says: ${warning}`)
  const nodes = new Map(graph.out.nodes.map((n) => [n.id, n]))
  for (const path of notesIn(vault)) {
    const node = nodes.get(path)
    if (!node) {
      faults.push(`${path}: Foam does not know the note`)
    } else if (!node.properties?.id) {
      faults.push(`${path}: its frontmatter is not read`)
    }
  }
  return faults
}

// deadEnds are the links of a note that Foam could not follow and that lead to no
// file. Foam knows notes and pictures; any other file, such as a base, is there or
// not. Foam tells the last part of a path only, the note has all of it.
function deadEnds(vault, note, placeholder) {
  const name = placeholder.split('#')[0]
  const links = [...readFileSync(join(vault, note), 'utf8').matchAll(/\[\[([^\[\]|#\\]+)/g)].map((m) => m[1])
  const targets = new Set(links.filter((l) => basename(l) === name))
  if (targets.size === 0) return [placeholder]
  return [...targets].filter((t) => !existsSync(join(vault, t)))
}

// foam runs a command of Foam's, which must not report to anybody.
function foam(vault, ...command) {
  const run = spawnSync(process.execPath, [join(here, 'node_modules/foam-cli/out/index.js'), ...command, '--workspace', vault, '--format', 'json', '--no-color'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { PATH: process.env.PATH, HOME: temp, FOAM_CONFIG_HOME: temp, FOAM_TELEMETRY: 'off', DO_NOT_TRACK: '1' },
  })
  if (run.error || run.status !== 0) throw run.error ?? new Error(`foam ${command.join(' ')} ended with ${run.status}: ${run.stderr}`)
  return { out: JSON.parse(run.stdout), warnings: run.stderr.split('\n').filter((l) => /^\[(warn|error)\]/i.test(l)) }
}

function notesIn(vault) {
  return readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && e.name.endsWith('.md'))
    .map((e) => relative(vault, join(e.parentPath, e.name)).split(sep).join('/'))
    .sort()
}
