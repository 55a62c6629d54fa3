import pg from 'pg'
import { startEmbedded } from '@roadshow/api/platform/db/embedded/server'

// A child process of server.test.ts: it commits rows one by one and reports each until it is killed.
const [dir = ''] = process.argv.slice(2)
const server = await startEmbedded({ dir })
const client = new pg.Client({ connectionString: server.url })
await client.connect()
await client.query('create table play (id int primary key)')
for (let id = 1; ; id++) {
  await client.query('insert into play values ($1)', [id])
  process.stdout.write(`${id}\n`)
}
