import type { DB } from './schema.ts'

/** The column that people know a table's records by, for tables where it is not `name`. */
export type NameColumns = { readonly [Table in keyof DB]?: keyof DB[Table] & string }
