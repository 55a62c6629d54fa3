import { main, npm } from './run.mjs'

/** Levels at which a known weakness of a package that runs in production fails the check. */
const FAILING = ['high', 'critical']

/**
 * Compares the packages that run in production with known weaknesses. Registries inside companies often have no advisory
 * service: that is said, and is no failure of the code.
 */
await main(async () => {
  const { output } = await npm(
    ['audit', '--json', '--workspace=api', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=30000'],
    {
      quiet: true,
    },
  )
  const report = parse(output)
  if (!report?.metadata) {
    console.log(
      `No advisory service answers, so packages were not compared with known weaknesses: ${reasonOf(report, output)}`,
    )
    return
  }
  const found = Object.values(report.vulnerabilities ?? {})
  for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`)
  if (found.length === 0) console.log('No known weakness in packages that run in production.')
  if (found.some(({ severity }) => FAILING.includes(severity))) process.exitCode = 1
})

/** npm may print warnings around its report. @param {string} output @returns {any} */
function parse(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

/** @param {any} report @param {string} output @returns {string} */
function reasonOf(report, output) {
  return report?.message ?? report?.error?.summary ?? (output.trim().split('\n').at(-1) || 'no answer')
}
