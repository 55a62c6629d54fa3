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
      'simulator/src',
      'web/src',
      'bench/src',
      'e2e/src',
    ],
  ],
  ['Dead code', 'knip', []],
  ['Without the OLD group', 'node', ['scripts/check-legacy.mjs']],
]

await main(async () => {
  ensureNode()
  await ensureInstalled()
  const failed = []
  for (const [title, program, args] of checks) {
    console.log(`\n== ${title}: ${program} ${args.join(' ')}`)
    const start = Date.now()
    const { ok } = await run(program === 'node' ? process.execPath : bin(program), args)
    console.log(`== ${title}: ${ok ? 'ok' : 'FAILED'}, ${((Date.now() - start) / 1000).toFixed(1)} s`)
    if (!ok) failed.push(title)
  }
  console.log(failed.length ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed.')
  process.exitCode = failed.length ? 1 : 0
})
