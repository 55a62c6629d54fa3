type Term = readonly [factor: number, name: string]
type Relation = '<=' | '>=' | '='

const termText = ([factor, name]: Term) => `${factor < 0 ? '-' : '+'} ${Math.abs(factor)} ${name}`

// Readers of the format may limit the length of a line.
const TERMS_PER_LINE = 12

function expressionText(terms: readonly Term[]): string {
  const lines: string[] = []
  for (let from = 0; from < terms.length; from += TERMS_PER_LINE) {
    lines.push(
      terms
        .slice(from, from + TERMS_PER_LINE)
        .map(termText)
        .join(' '),
    )
  }
  return lines.join('\n ')
}

/** A linear program with whole numbers, written in the LP format of CPLEX. All variables are at least 0. */
export class LinearModel {
  readonly #objective: Term[] = []
  readonly #rows: string[] = []
  readonly #bounds: string[] = []
  readonly #binaries: string[] = []
  readonly #integers: string[] = []

  addCost(factor: number, name: string): void {
    if (factor !== 0) this.#objective.push([factor, name])
  }

  addRow(terms: readonly Term[], relation: Relation, constant: number): void {
    if (terms.length > 0) this.#rows.push(` r${this.#rows.length}: ${expressionText(terms)} ${relation} ${constant}`)
  }

  addBinary(name: string): void {
    this.#binaries.push(name)
  }

  addInteger(name: string, least: number, most: number): void {
    this.#integers.push(name)
    this.#bounds.push(` ${least} <= ${name} <= ${most}`)
  }

  addShare(name: string): void {
    this.#bounds.push(` 0 <= ${name} <= 1`)
  }

  /** The variables that are whole numbers. */
  get names(): string[] {
    return [...this.#integers, ...this.#binaries]
  }

  /** The model as text. An objective without terms is written as the first integer without weight. */
  toText(sense: 'Minimize' | 'Maximize'): string {
    const [first = 'y0'] = this.#integers
    const objective: readonly Term[] = this.#objective.length > 0 ? this.#objective : [[0, first]]
    return [
      sense,
      ` cost: ${expressionText(objective)}`,
      'Subject To',
      ...this.#rows,
      'Bounds',
      ...this.#bounds,
      ...(this.#integers.length > 0 ? ['General', ...this.#integers.map((name) => ` ${name}`)] : []),
      ...(this.#binaries.length > 0 ? ['Binary', ...this.#binaries.map((name) => ` ${name}`)] : []),
      'End',
      '',
    ].join('\n')
  }
}
