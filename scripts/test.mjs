import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensureNode22 } from './node-22.mjs'
import { ensurePackages } from './packages.mjs'
import { bin, main, root, run, StartError } from './run.mjs'
import { compile, ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** @typedef {{ passed: number, failures: string[] }} Tally the failures as the run names them at its end */

/** @typedef {(report: string) => Promise<Tally>} Suite */

/**
 * Suites run one after the other: at the same time, tests of whole nodes and journeys need as long together, and each of
 * them several times as long.
 * @type {Record<string, Suite[]>}
 */
const tiers = {
  fast: [(report) => unitTests(report, ['contract', 'player', 'simulator', 'api', 'web'])],
  system: [browserTests, (report) => unitTests(report, ['system', 'citus', 'soak', 'web-screens'], node22)],
}

let chromiumPath = ''
// Fast tests and journeys run on the Node that started them, and whole nodes on 22: each version is tried, nothing twice.
let node22 = process.execPath

await main(async () => {
  const chosen = process.argv[2]
  if (chosen && !Object.hasOwn(tiers, chosen)) {
    throw new StartError('Use npm test, npm run test:fast or npm run test:system.')
  }
  ensureNode()
  await ensureInstalled({ tools: true })
  // One after the other, before anything runs: two installations at once would wait for each other's lock.
  await ensurePackages()
  // Fast tests read sources alone.
  if (chosen !== 'fast') {
    await ensureBuilt()
    await prepareBrowserTests()
    node22 = await ensureNode22()
  }

  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-tests-'))
  let total = 0
  /** @type {string[]} */
  const failed = []
  for (const name of chosen ? [chosen] : Object.keys(tiers)) {
    const suites = tiers[name] ?? []
    for (const [index, suite] of suites.entries()) {
      const { passed, failures } = await suite(path.join(folder, `${name}-${index}.json`))
      total += passed
      failed.push(...failures)
    }
  }
  rmSync(folder, { recursive: true })
  for (const failure of failed) console.log(`\nFailed: ${failure}`)
  console.log(`${total} passed, ${failed.length} failed`)
  process.exitCode = failed.length ? 1 : 0
})

/**
 * @param {string} report
 * @param {string[]} projects
 * @param {string} [node] the Node that runs them and every process they start
 * @returns {Promise<Tally>}
 */
async function unitTests(report, projects, node = process.execPath) {
  const chosen = projects.map((name) => `--project=${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { ok } = await run(node, [bin('vitest'), 'run', ...chosen, ...reporters], {
    env: {
      ...process.env,
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
      // Tests start many processes, which load the same code.
      NODE_COMPILE_CACHE: path.join(root, '.cache/compiled'),
    },
  })
  return tally(ok, report, ({ numPassedTests, testResults }) => ({
    passed: numPassedTests,
    failures: testResults.flatMap((/** @type {any} */ file) => failuresOf(file)),
  }))
}

/** @param {any} file a file's result as vitest reports it @returns {string[]} */
function failuresOf(file) {
  const name = path.relative(root, file.name)
  const failures = file.assertionResults
    .filter((/** @type {any} */ test) => test.status === 'failed')
    .map((/** @type {any} */ test) => described(name, test.fullName, test.failureMessages[0]))
  // A file that fails to load has no tests to fail.
  return failures.length || file.status !== 'failed' ? failures : [described(name, 'the file itself', file.message)]
}

async function prepareBrowserTests() {
  chromiumPath = await ensureBrowser({ light: true })
  // Playwright reads the journeys as they are, but workspaces from their builds.
  await compile('test-kit')
}

/** @param {string} report @returns {Promise<Tally>} */
async function browserTests(report) {
  const env = { ...process.env, CHROMIUM_PATH: chromiumPath, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const { ok } = await run(bin('playwright'), ['test', '--reporter=list,json'], { cwd: path.join(root, 'e2e'), env })
  return tally(ok, report, ({ stats, suites }) => ({
    passed: stats.expected + stats.flaky,
    failures: suites.flatMap((/** @type {any} */ suite) => failedJourneys(suite)),
  }))
}

/** @param {any} suite a file, or a group within it, as Playwright reports it @returns {string[]} */
function failedJourneys({ specs = [], suites = [] }) {
  const failed = specs
    .filter((/** @type {any} */ spec) => !spec.ok)
    .map((/** @type {any} */ spec) => described(spec.file, spec.title, spec.tests[0]?.results.at(-1)?.error?.message))
  return [...failed, ...suites.flatMap((/** @type {any} */ inner) => failedJourneys(inner))]
}

/**
 * A failure short enough that the end of a long log still holds it.
 * @param {string} file
 * @param {string} test
 * @param {string} [message]
 */
function described(file, test, message = '') {
  return `${file}: ${test}\n${message.split('\n').slice(0, 12).join('\n')}`
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
    const { passed, failures } = read(JSON.parse(readFileSync(report, 'utf8')))
    return { passed, failures: ok || failures.length ? failures : ['the run itself, without naming a test'] }
  } catch (error) {
    return { passed: 0, failures: [`the run left no report that can be read: ${String(error)}`] }
  }
}
