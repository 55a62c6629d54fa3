import { type RawBuilder, sql } from 'kysely'
import { plainArray } from './plain-array.ts'

type PlainType = 'uuid' | 'int4' | 'int8' | 'float8' | 'float4' | 'timestamptz' | 'date' | 'bool'
type Column<Row> =
  | [type: PlainType, value: (row: Row) => string | number | boolean | null | undefined]
  | [type: 'text' | 'json', value: (row: Row) => string | null | undefined]

/**
 * Rows as a table of SQL: `unnest($1::uuid[], $2::int8[]) as alias (truck_uid, sequence)`. Each column is declared once,
 * with its name, its type and its value, and travels as one array.
 */
export function rowsAsTable<Row>(
  alias: string,
  rows: readonly Row[],
  columns: Record<string, Column<Row>>,
  { ordinality }: { ordinality?: string } = {},
): RawBuilder<unknown> {
  const arrays = Object.values(columns).map(([type, value]) => {
    const values = rows.map(value)
    const array = type === 'text' || type === 'json' ? values : plainArray(values)
    return sql`${array}::${sql.raw(type)}[]`
  })
  const names = [...Object.keys(columns), ...(ordinality ? [ordinality] : [])].map((name) => sql.id(name))
  return sql`unnest(${sql.join(arrays)}) ${ordinality ? sql.raw('with ordinality ') : sql.raw('')}as ${sql.id(alias)} (${sql.join(names)})`
}
