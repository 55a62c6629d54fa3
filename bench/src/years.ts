import { migrate } from '@roadshow/api/platform/db/migrate'
import pg from 'pg'
import type { RunSql } from './sql.ts'
import { fillArchive } from './years/fill-archive.ts'
import { fillYears } from './years/fill.ts'
import { measureYears } from './years/measure.ts'

const url = process.env['DATABASE_URL']
if (!url) throw new Error('Set DATABASE_URL to an empty database, with an account that may do everything.')

const started = performance.now()
const say = (sentence: string) => console.log(`${Math.round((performance.now() - started) / 1000)} s: ${sentence}`)

/** `fill` an empty database, fill the `archive` of DATA_DIR, or `measure` a node at NODE_URL that runs on both. */
const [what] = process.argv.slice(2)

await migrate(url)
const client = new pg.Client({ connectionString: url })
await client.connect()
const sql: RunSql = async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
  (await client.query<Row>(text, values)).rows
if (what === 'fill') await fillYears({ sql, say })
else if (what === 'archive') await fillArchive({ sql, say, dataDir: process.env['DATA_DIR'] ?? 'data' })
else if (what === 'measure') await measureYears(sql, process.env['NODE_URL'] ?? 'http://127.0.0.1:5001')
else console.log('Use npm run years -- fill, archive or measure.')
await client.end()
say('Done.')
