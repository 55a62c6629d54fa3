import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensurePackages } from './packages.mjs'
import { bin, main, root, run, StartError } from './run.mjs'
import { compile, ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** @typedef {{ passed: number, failed: number }} Tally */

/** @type {Record<string, ((report: string) => Promise<Tally>)[]>} */
const tiers = {
  fast: [(report) => unitTests(report, ['contract', 'player', 'simulator', 'api', 'web'])],
  // Many of these wait for processes that they started, so one more of them runs than there are usually cores.
  system: [(report) => unitTests(report, ['system', 'citus', 'soak', 'web-screens'], 3), browserTests],
}

await main(async () => {
  const chosen = process.argv[2]
  if (chosen && !Object.hasOwn(tiers, chosen)) {
    throw new StartError('Use npm test, npm run test:fast or npm run test:system.')
  }
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()

  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-tests-'))
  const suites = chosen ? tiers[chosen] : Object.values(tiers).flat()
  const total = { passed: 0, failed: 0 }
  for (const [index, suite] of (suites ?? []).entries()) {
    const { passed, failed } = await suite(path.join(folder, `${index}.json`))
    total.passed += passed
    total.failed += failed
  }
  rmSync(folder, { recursive: true })
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed ? 1 : 0
})

/** @param {string} report @param {string[]} projects @param {number} [workers] @returns {Promise<Tally>} */
async function unitTests(report, projects, workers = 2) {
  await ensurePackages()
  const chosen = projects.map((name) => `--project=${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { ok } = await run(bin('vitest'), ['run', `--maxWorkers=${workers}`, ...chosen, ...reporters])
  return tally(ok, report, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    // A file that fails to load has no tests to fail.
    failed:
      numFailedTests +
      testResults.filter((/** @type {any} */ file) => file.status === 'failed' && !file.assertionResults.length).length,
  }))
}

/** @param {string} report @returns {Promise<Tally>} */
async function browserTests(report) {
  const env = {
    ...process.env,
    CHROMIUM_PATH: await ensureBrowser({ light: true }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  }
  // Playwright reads the journeys as they are, but workspaces from their builds.
  await compile('test-kit')
  const { ok } = await run(bin('playwright'), ['test', '--reporter=list,json'], { cwd: path.join(root, 'e2e'), env })
  return tally(ok, report, ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }))
}

/**
 * What the runner counted; a run that failed without naming a test counts as one failure.
 * @param {boolean} ok
 * @param {string} report
 * @param {(report: any) => Tally} read
 * @returns {Tally}
 */
function tally(ok, report, read) {
  try {
    const { passed, failed } = read(JSON.parse(readFileSync(report, 'utf8')))
    return { passed, failed: ok ? failed : Math.max(failed, 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
