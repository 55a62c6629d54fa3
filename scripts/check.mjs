import { bin, main, run } from './run.mjs'
import { ensureInstalled, ensureNode } from './setup.mjs'

/** @type {[title: string, program: string, args: string[]][]} */
const checks = [
  ['Format', 'oxfmt', ['--check', '.']],
  ['Lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['Types', 'tsc', ['-b']],
  [
    'Import rules',
    'depcruise',
    [
      '--config',
      '.dependency-cruiser.cjs',
      'contract/src',
      'api/src',
      'player/src',
      'simulator/src',
      'web/src',
      'bench/src',
      'e2e/src',
    ],
  ],
  ['Dead code', 'knip', []],
  ['Without the OLD group', 'node', ['scripts/check-legacy.mjs']],
  ['Lock file', 'node', ['scripts/lock.mjs', '--check']],
  ['Known weaknesses of packages', 'node', ['scripts/audit.mjs']],
]

await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  const waiting = [...checks]
  /** @type {string[]} */
  const failed = []
  async function work() {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await passes(next))) failed.push(next[0])
  }
  // Some of them use one core only, so two run at once.
  await Promise.all([work(), work()])
  console.log(failed.length ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed.')
  process.exitCode = failed.length ? 1 : 0
})

/** Runs a check and shows what it said once it is done. @param {(typeof checks)[number]} check */
async function passes([title, program, args]) {
  const start = Date.now()
  const { ok, output } = await run(program === 'node' ? process.execPath : bin(program), args, { quiet: true })
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  console.log(`\n== ${title}: ${program} ${args.join(' ')}\n${output.trimEnd()}`)
  console.log(`== ${title}: ${ok ? 'ok' : 'FAILED'}, ${seconds} s`)
  return ok
}
