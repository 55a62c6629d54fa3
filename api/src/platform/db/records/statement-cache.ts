import { CompiledQuery } from 'kysely'
import { compileFragment, type SqlFragment } from './fragments.ts'

/** Stands for a value in a statement that is compiled once and run with many values. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** The value of a name, or its placeholder. */
export type ValueOf = (name: string) => unknown

// Callers choose filters and page sizes: the number of shapes must not fill the memory.
const MAX_SHAPES = 300

/**
 * Compiles statements of the same shape once: compiling costs as much as preparing the reply of a small list. A shape
 * names everything that the text of a statement depends on, and never a value.
 */
export class StatementCache {
  readonly #shapes = new Map<string, CompiledQuery>()

  /** Without a shape, the statement is compiled for these values only. */
  compile<Row>(
    shape: string | undefined,
    values: object,
    build: (valueOf: ValueOf) => SqlFragment,
  ): CompiledQuery<Row> {
    const valueOf = (name: string) => (values as Record<string, unknown>)[name]
    if (shape === undefined) return compileFragment(build(valueOf))
    const { sql, parameters } = this.#shapes.get(shape) ?? this.#add(shape, build)
    const given = parameters.map((each) => (each instanceof Placeholder ? valueOf(each.name) : each))
    return CompiledQuery.raw(sql, given)
  }

  #add(shape: string, build: (valueOf: ValueOf) => SqlFragment): CompiledQuery {
    const { sql, parameters } = compileFragment(build((name) => new Placeholder(name)))
    const compiled = CompiledQuery.raw(sql, [...parameters])
    if (this.#shapes.size < MAX_SHAPES) this.#shapes.set(shape, compiled)
    return compiled
  }
}
