import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensurePackages } from './packages.mjs'
import { bin, main, root, run, StartError } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** @typedef {{ passed: number, failed: number }} Tally */

const suites = { unit: unitTests, e2e: browserTests }

await main(async () => {
  const chosen = process.argv[2]
  if (chosen && !Object.hasOwn(suites, chosen))
    throw new StartError('Use npm test, npm test -- unit or npm test -- e2e.')
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()

  const reports = mkdtempSync(path.join(tmpdir(), 'roadshow-tests-'))
  const total = { passed: 0, failed: 0 }
  for (const [name, suite] of Object.entries(suites)) {
    if (chosen && chosen !== name) continue
    const { passed, failed } = await suite(path.join(reports, `${name}.json`))
    total.passed += passed
    total.failed += failed
  }
  rmSync(reports, { recursive: true })
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed ? 1 : 0
})

/** @param {string} report @returns {Promise<Tally>} */
async function unitTests(report) {
  await ensurePackages()
  const { ok } = await run(bin('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  return tally(ok, report, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    // A file that cannot even be loaded has no tests to fail.
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
