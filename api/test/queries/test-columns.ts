import type pg from 'pg'
import { type Db, poolOf } from '../../src/platform/db/connection.ts'
import type { ValueKind } from './test-row-types.ts'

/** The columns of a result, with what their values become in a row. */
export type Columns = Record<string, ValueKind>

type TypeId = Parameters<pg.CustomTypesConfig['getTypeParser']>[0]

interface Field {
  name: string
  dataTypeID: TypeId
}

/** A statement that is parsed and described, but not run. Missing in @types/pg. */
class Description {
  readonly #text: string
  #fields: Field[] = []
  readonly #done: (fields: Field[] | Error) => void

  constructor(text: string, done: (fields: Field[] | Error) => void) {
    this.#text = text
    this.#done = done
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.#text } as never, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleParseComplete(): void {}

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields
  }

  handleError(error: Error): void {
    this.#done(error)
  }

  handleReadyForQuery(): void {
    this.#done(this.#fields)
  }
}

interface PostgresType {
  oid: TypeId
  name: string
  category: string
  element: TypeId
}

const JSON_TYPES = ['json', 'jsonb']
/** A text of each category of types that is not an ordinary text. */
const SAMPLES: Record<string, string> = { B: 't', N: '1', D: '2026-11-18 12:00:00+00', T: '01:00:00' }

function kindOfValue(value: unknown): ValueKind {
  if (Array.isArray(value)) return `${kindOfValue(value[0])}[]`
  return value instanceof Date || value instanceof Buffer ? value.constructor.name : typeof value
}

/** Reads the columns of statements on this database, with the parsers of its connections. */
export async function describerOf(db: Db): Promise<(text: string) => Promise<Columns>> {
  const pool = poolOf(db)
  const { rows } = await pool.query<PostgresType>(
    `select oid, typname as name, typcategory as category, typelem as element from pg_type`,
  )
  const types = new Map(rows.map((type) => [type.oid, type]))
  const sampleOf = ({ name, category, element }: PostgresType): string => {
    const item = category === 'A' ? types.get(element) : undefined
    if (item) return `{"${sampleOf(item)}"}`
    return name === 'bytea' ? '\\x00' : (SAMPLES[category] ?? 'a text')
  }
  const kindOf = ({ dataTypeID }: Field): ValueKind => {
    const type = types.get(dataTypeID)
    if (!type || JSON_TYPES.includes(type.name)) return 'json'
    return kindOfValue(pool.options.types?.getTypeParser(dataTypeID, 'text')(sampleOf(type)))
  }
  return async (text) => {
    const client = await pool.connect()
    try {
      const fields = await new Promise<Field[] | Error>((done) => client.query(new Description(text, done) as never))
      if (fields instanceof Error) throw fields
      return Object.fromEntries(fields.map((field) => [field.name, kindOf(field)]))
    } finally {
      client.release()
    }
  }
}
