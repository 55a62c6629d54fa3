/** Collects the values of a statement of text while it is assembled: `add` returns `$3`, `$4`, … */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown): string {
    return `$${this.list.push(value)}`
  }
}
