import type { FormInstance } from 'antd'
import { useState } from 'react'
import { ApiError, errorMessage, isStale } from '../../api/call.ts'
import type { FormRules } from './fields.tsx'

type Path = (string | number)[]

/** `markets.0.startsOn` is the start of the first market. */
const pathOf = (name: string): Path => name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** Refuses a body as the server would, by the schema of the request. */
export function refuseInvalid(schema: FormRules['schema'], body: unknown): void {
  const { error } = schema.safeParse(body)
  if (!error) return
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[path.join('.')] ??= message
  throw new ApiError(400, { error: Object.values(fields).join(' '), fields })
}

/** The last refused save: marked at the fields it names, otherwise a sentence above the form. */
export function useRefusal<Input extends object>(form: FormInstance<Input>, reveal: (field: string) => void) {
  const [problem, setProblem] = useState<string>()
  /** The refusal itself, from which the form may offer a way out. */
  const [refused, setRefused] = useState<ApiError>()

  /** The field, or the list of rows, that shows an error of this name. */
  function shownAt(name: string): Path | undefined {
    const path = pathOf(name)
    const holding = form.getFieldsError().filter(({ name: drawn }) => drawn.every((step, at) => step === path[at]))
    return holding.toSorted((one, other) => other.name.length - one.name.length)[0]?.name
  }

  return {
    shown: { problem, refused, isStale: isStale(refused) },
    setProblem,
    /** A refusal because of an old version is over once the newest is there. */
    settle: () => {
      setProblem(undefined)
      setRefused((last) => (isStale(last) ? undefined : last))
    },
    clear: () => {
      setProblem(undefined)
      setRefused(undefined)
      const marked = form.getFieldsError().filter(({ errors }) => errors.length > 0)
      form.setFields(marked.map(({ name }) => ({ name: name as never, errors: [] })))
    },
    /** Answers whether a field shows it. */
    show: (error: unknown): boolean => {
      setRefused(error instanceof ApiError ? error : undefined)
      const named = Object.entries(error instanceof ApiError ? error.fields : {})
      const found = named.map(([name, text]) => ({ name: shownAt(name), errors: [text] }))
      const marked = found.filter(({ name }) => name !== undefined)
      form.setFields(marked as never)
      const first = marked[0]?.name
      if (first) {
        reveal(String(first[0]))
        form.focusField(first)
      }
      const others = found.flatMap(({ name, errors }) => (name ? [] : errors))
      if (!first || others.length > 0) setProblem([...new Set(others)].join(' ') || errorMessage(error))
      return first !== undefined
    },
  }
}
