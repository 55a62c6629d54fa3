import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** What a node measured around ten minutes without its database, while no one called it; docs/monitoring.md says how. */
export interface Recording {
  everySeconds: number
  scrapes: number
  stoppedAfter: number
  startedAfter: number
  /** The size of its log at each scrape. */
  logBytes: string
  /** In the notation of promtool; timestamps count from the first scrape. */
  series: Record<string, string>
}
export const readRecording = async (name: string): Promise<Recording> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, name), 'utf8')) as Recording

/** The values of a series, one for each scrape: `1x2` is 1 three times, and `_x2` is nothing twice. */
export const valuesOf = (notation: string): number[] =>
  notation.split(' ').flatMap((part) => {
    const [value = '', times = '0'] = part.split('x')
    return Array.from({ length: value === '_' ? Number(times) || 1 : Number(times) + 1 }, () => Number(value))
  })

/** Checks which alerts fire at some seconds of a recording, whose last values stay for twenty minutes. */
export async function checkFiring(
  { series, everySeconds, scrapes }: Recording,
  folder: string,
  expected: Record<number, readonly string[]>,
): Promise<void> {
  const labelsOf = (name: string) => name.replace('{', '{job="roadshow",instance="node1",').replace(',}', '}')
  const stays = (20 * 60) / everySeconds
  const input = Object.entries(series).map(([name, values]) => {
    const last = valuesOf(values).at(-1) ?? NaN
    return { series: labelsOf(name), values: Number.isNaN(last) ? values : `${values} ${last}x${stays}` }
  })
  const tested = {
    rule_files: [path.join(import.meta.dirname, '../../deploy/alerts.yml')],
    evaluation_interval: `${everySeconds}s`,
    tests: [
      {
        interval: `${everySeconds}s`,
        input_series: [...input, { series: 'up{job="roadshow",instance="node1"}', values: `1x${scrapes + stays}` }],
        promql_expr_test: Object.entries(expected).map(([seconds, names]) => ({
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${seconds}s`,
          exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        })),
      },
    ],
  }
  const file = path.join(folder, 'recording.yml')
  await writeFile(file, JSON.stringify(tested))
  await promisify(execFile)('promtool', ['test', 'rules', file])
}
