/** A piece of SQL in which each `?` stands for one of its values. */
export type Piece = [sql: string, ...values: unknown[]]

/** Turns `?` into `$3`, `$4`, … while collecting the values. */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown): string {
    return `$${this.list.push(value)}`
  }

  bind([sql, ...values]: Piece): string {
    return sql.replace(/\?/g, () => this.add(values.shift()))
  }
}
