import { parseArgs } from 'node:util'
import { formatTable } from './report.ts'
import { runSoak } from './soak/run.ts'

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    trucks: { type: 'string', default: '500' },
    speed: { type: 'string', default: '10' },
    people: { type: 'string', default: '50' },
    days: { type: 'string', default: '0' },
    'single-days': { type: 'boolean', default: false },
  },
})

const MINUTE = 60_000
const { figures, problems } = await runSoak({
  totalMs: Number(given.minutes) * MINUTE,
  killEveryMs: MINUTE,
  trucks: Number(given.trucks),
  speed: Number(given.speed),
  people: Number(given.people),
  days: Number(given.days),
  isByDay: given['single-days'],
  say: (sentence) => console.log(`${new Date().toISOString().slice(11, 19)} ${sentence}`),
})

console.log(`\n${formatTable(figures)}\n`)
for (const problem of problems) console.log(`- ${problem}`)
const missed = figures.filter(({ met }) => met === false).length
console.log(missed ? `${missed} bars are missed.` : 'Every bar is met.')
process.exitCode = missed ? 1 : 0
