import { createWriteStream } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startSimulator } from './index.ts'
import { addLoadFleet } from './load-fleet.ts'
import type { RunQuery } from './plan.ts'

const USAGE = `Puts a load on a running Roadshow with the demo fleet.

  DATABASE_URL=postgres://… node api/dist/bundled/simulator.js --trucks 500

  --trucks N        how many trucks to add, each with a player and a driver app (100)
  --speed X         how much faster than real; the fleet then starts in the past and catches up (1)
  --hours N         how far back it starts, or has been on the road already (0.25; 6 with a speed)
  --url URL         where Roadshow listens (http://localhost:3000)
  --geotab-port P   where MyGeotab is to listen (4700)
  --seed TEXT       other ways to drive (roadshow)
  --ledger FILE     where to write down each play that the server has said is stored`

// oxlint-disable-next-line no-console
const say = (sentence: string) => console.log(sentence)

const { values: given } = parseArgs({
  options: {
    trucks: { type: 'string', default: '100' },
    speed: { type: 'string', default: '1' },
    hours: { type: 'string' },
    url: { type: 'string', default: 'http://localhost:3000' },
    'geotab-port': { type: 'string', default: '4700' },
    seed: { type: 'string', default: 'roadshow' },
    ledger: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** A number above zero that was given, or the end. */
function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  say(`--${name} must be a number above zero.`)
  process.exit(1)
}

async function run(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
  pool.on('error', () => {})
  const query: RunQuery = async <Row>(text: string, values: unknown[]) => (await pool.query(text, values)).rows as Row[]
  const speed = positive('speed', given.speed)
  const keys = await addLoadFleet(query, positive('trucks', given.trucks))
  const ledger = given.ledger === undefined ? undefined : createWriteStream(given.ledger)
  const simulator = await startSimulator({
    query,
    ...(ledger && { onStored: (mac, ids) => void ledger.write(ids.map((id) => `${mac} ${id}\n`).join('')) }),
    speed,
    seed: given.seed,
    pastMs: positive('hours', given.hours ?? (speed > 1 ? '6' : '0.25')) * 3_600_000,
    geotab: { port: positive('geotab-port', given['geotab-port']), password: 'simulated' },
    log: (error) => say(String(error)),
  })
  const { server, database, user, password } = simulator.account
  say(`MyGeotab is simulated. To read from it, start Roadshow with`)
  say(`  GEOTAB_SERVER=${server} GEOTAB_DATABASE=${database} GEOTAB_USER=${user} GEOTAB_PASSWORD=${password}`)
  simulator.connect(given.url, keys)
  let before = 0
  const telling = setInterval(() => {
    say(`${simulator.sentPlays} plays stored, ${((simulator.sentPlays - before) / 10).toFixed(1)} a second`)
    before = simulator.sentPlays
  }, 10_000)
  process.once('SIGINT', () => {
    clearInterval(telling)
    void simulator.stop().then(() => {
      ledger?.end()
      return pool.end()
    })
  })
}

// oxlint-disable-next-line node/no-process-env
const databaseUrl = process.env['DATABASE_URL']
if (given.help) say(USAGE)
else if (databaseUrl) await run(databaseUrl)
else {
  say(`DATABASE_URL is missing.\n\n${USAGE}`)
  process.exitCode = 1
}
