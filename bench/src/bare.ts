import { createHash } from 'node:crypto'
import { truckRecords } from '@roadshow/api/dist/trucks/queries.js'
import fastify from 'fastify'
import pg from 'pg'

/**
 * The floor of each figure: the same statements by hand, with nothing around them. No permissions, no checked input,
 * no history, no totals; only what is said of a call below.
 */

// Text as it comes from the server: no floor is raised by parsing that we do not do either.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })

// The very statement that our server reads trucks by, so that the floor follows when a truck gets another column.
const { select } = truckRecords
const PAGE = `${select} where t.deleted_at is null order by t.number, t.uid limit 10`
const LIST = { name: 'list', text: PAGE }
const DEEP = { name: 'deep', text: `${PAGE} offset $1` }
const COUNT = { name: 'count', text: 'select count(*) as total from truck where deleted_at is null' }
// Every word must be there. Not named: a pattern's plan depends on how many rows have it.
const search = (words: string[]) => `${select}
  where t.deleted_at is null ${words.map((_, index) => `and t.search_text like $${index + 1}`).join(' ')}
  order by t.number, t.uid limit 10`
const READ = { name: 'read', text: `${select} where t.uid = $1 and t.deleted_at is null` }
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

app.get('/list', async () => {
  const { rows } = await pool.query(LIST)
  return { data: rows }
})

app.get('/list-counted', async () => {
  const [{ rows }, counted] = await Promise.all([pool.query(LIST), pool.query<{ total: string }>(COUNT)])
  return { data: rows, total: Number(counted.rows[0]?.total) }
})

app.get<{ Querystring: { page: string } }>('/deep', async ({ query }) => {
  const { rows } = await pool.query({ ...DEEP, values: [(Number(query.page) - 1) * 10] })
  return { data: rows }
})

app.get<{ Querystring: { search: string } }>('/search', async ({ query }) => {
  const words = query.search.toLowerCase().split(' ')
  const { rows } = await pool.query(
    search(words),
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

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
console.log('The bare server is ready')
