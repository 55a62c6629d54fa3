import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import fastify from 'fastify'
import pg from 'pg'
import { type MeasuredKind, recordKinds, type RecordKindName } from './kinds.ts'

/**
 * The floor of each figure: the same statements by hand, with nothing around them. No permissions, no checked input,
 * no history, no totals; only what is said of a call below.
 */

// Text as it comes from the server: no floor is raised by parsing that we do not do either.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) || 20 })

// The very statement that our server reads records by, so that the floor follows when one gets another column.
function statementsOf(kind: string, { records: { table, select }, order }: MeasuredKind) {
  const kept = `${select} where t.deleted_at is null`
  const first = `order by ${order}, t.uid limit 10`
  return {
    list: { name: `list-${kind}`, text: `${kept} ${first}` },
    deep: { name: `deep-${kind}`, text: `${kept} ${first} offset $1` },
    count: { name: `count-${kind}`, text: `select count(*) as total from ${table} where deleted_at is null` },
    // Every word must be there. Not named: a pattern's plan depends on how many rows have it.
    search: (words: string[]) =>
      `${kept} ${words.map((_, index) => `and t.search_text like $${index + 1}`).join(' ')} ${first}`,
  }
}
const statements = Object.fromEntries(
  Object.entries(recordKinds).map(([kind, declared]) => [kind, statementsOf(kind, declared)]),
) as Record<RecordKindName, ReturnType<typeof statementsOf>>

const READ = { name: 'read', text: `${recordKinds.trucks.records.select} where t.uid = $1 and t.deleted_at is null` }
const CREATE = {
  name: 'create',
  text: `insert into bare_truck (number, plate, vin, kind, state, home_market_uid, note, changed_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
}
const SESSION = {
  name: 'session',
  text: `select u.uid, u.name, u.role, u.modules from session s join user_account u on u.uid = s.user_uid
          where s.token_hash = $1 and s.ended_at is null and s.expires_at > now() and u.deleted_at is null`,
}

const app = fastify()

interface OfKind {
  Params: { kind: RecordKindName }
}

app.get<OfKind>('/list/:kind', async ({ params: { kind } }) => {
  const { rows } = await pool.query(statements[kind].list)
  return { data: rows }
})

app.get<OfKind>('/list-counted/:kind', async ({ params: { kind } }) => {
  const { list, count } = statements[kind]
  const [{ rows }, counted] = await Promise.all([pool.query(list), pool.query<{ total: string }>(count)])
  return { data: rows, total: Number(counted.rows[0]?.total) }
})

app.get<OfKind & { Querystring: { page: string } }>('/signed-in/deep/:kind', async ({ params, query, headers }) => {
  await signedIn(headers.authorization)
  const { rows } = await pool.query({ ...statements[params.kind].deep, values: [(Number(query.page) - 1) * 10] })
  return { data: rows }
})

app.get<OfKind & { Querystring: { page: string } }>('/deep/:kind', async ({ params: { kind }, query }) => {
  const { rows } = await pool.query({ ...statements[kind].deep, values: [(Number(query.page) - 1) * 10] })
  return { data: rows }
})

app.get<OfKind & { Querystring: { search: string } }>('/search/:kind', async ({ params: { kind }, query }) => {
  const words = query.search.toLowerCase().split(' ')
  const { rows } = await pool.query(
    statements[kind].search(words),
    words.map((word) => `%${word}%`),
  )
  return { data: rows }
})

async function signedIn(authorization = ''): Promise<{ uid: string }> {
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest()
  const { rows } = await pool.query<{ uid: string }>({ ...SESSION, values: [hash] })
  if (!rows[0]) throw Object.assign(new Error('Not signed in'), { statusCode: 401 })
  return rows[0]
}

app.get<{ Params: { uid: string } }>('/trucks/:uid', async ({ params, headers }) => {
  await signedIn(headers.authorization)
  const { rows } = await pool.query({ ...READ, values: [params.uid] })
  return { data: rows[0] as unknown }
})

app.post<{ Body: Record<string, string> }>('/trucks', async ({ body, headers }) => {
  const { uid } = await signedIn(headers.authorization)
  const { number, plate, vin, kind, state, homeMarketUid, note } = body
  const values = [number, plate, vin, kind, state, homeMarketUid, note, uid]
  const { rows } = await pool.query({ ...CREATE, values })
  return { data: rows[0] as unknown }
})

const DOCUMENT = { name: 'document', text: 'select document from pop_version where program_uid = $1 and number = 1' }

app.get<{ Params: { uid: string } }>('/documents/:uid', async ({ params }, reply) => {
  const { rows } = await pool.query<{ document: string }>({ ...DOCUMENT, values: [params.uid] })
  return reply.type('application/json; charset=utf-8').send(rows[0]?.document)
})

// Bytes go to a file as they come: not checked, not hashed, not waited for until they are safe on the disk.
const UPLOADED = path.join(process.env.DATA_DIR ?? '.', 'bare-upload')
app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))

app.put<{ Body: Readable }>('/upload', async ({ body }) => {
  await pipeline(body, createWriteStream(UPLOADED))
  return { data: {} }
})

app.delete('/upload', async () => {
  await rm(UPLOADED)
  return { data: {} }
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
console.log('The bare server is ready')
