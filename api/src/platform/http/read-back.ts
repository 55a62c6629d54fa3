import type { Endpoint } from '@roadshow/contract'
import { z } from 'zod'

type Shape = Record<string, z.ZodType>
type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema without what wraps it, such as defaults. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? unwrapped(innerType) : schema
}

function shapeOf(schema: z.ZodType | undefined): Shape | undefined {
  const inner = schema && unwrapped(schema)
  return inner instanceof z.ZodObject ? inner.shape : undefined
}

function elementOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const inner = schema && unwrapped(schema)
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined
}

/** The field of the input that takes the uid of what a record holds under a name: `truck` is `truckUid`. */
const uidField = (input: Shape, name: string) =>
  [`${name}Uid`, `${name}FileUid`].find((field) => Object.hasOwn(input, field))

interface ReadPart {
  record: Shape
  input: Shape
}

/** Turns a record as it was read into its input. A field that neither of them knows stays and is refused. */
function toInput(given: Fields, { record, input }: ReadPart): Fields {
  const result: Fields = {}
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(input, name)) result[name] = partOf(name, value, { record, input })
    else if (!Object.hasOwn(record, name)) result[name] = value
  }
  for (const [name, value] of Object.entries(given)) {
    const isReadOnly = Object.hasOwn(record, name) && !Object.hasOwn(input, name)
    const field = isReadOnly ? uidField(input, name) : undefined
    if (field && !Object.hasOwn(given, field) && (value === null || isFields(value)))
      result[field] = value?.['uid'] ?? null
  }
  return result
}

/** A list of records inside a record. One without a name of its own is named by its list: `markets` hold a `marketUid`. */
function partOf(name: string, value: unknown, { record, input }: ReadPart): unknown {
  const [readElement, element] = [shapeOf(elementOf(record[name])), shapeOf(elementOf(input[name]))]
  if (!Array.isArray(value) || !readElement || !element) return value
  const field = `${name.replace(/s$/, '')}Uid`
  const isNamedByList = Object.hasOwn(element, field) && !Object.hasOwn(element, 'uid')
  return value.map((each: unknown) => {
    if (!isFields(each)) return each
    const named =
      isNamedByList && Object.hasOwn(each, 'uid') && !Object.hasOwn(each, field) ? { [field]: each['uid'] } : {}
    return { ...toInput(each, { record: readElement, input: element }), ...named }
  })
}

/**
 * The body of a PUT. A record that was read can be sent back as it is: fields that only the server writes are ignored,
 * and records inside it stand for their uids.
 */
export function readBack({ method, body, reply }: Endpoint): (given: unknown) => unknown {
  const [record, input] = [shapeOf(shapeOf(reply)?.['data']), shapeOf(body)]
  const isOfRecord = method === 'PUT' && input && 'version' in input && ('uid' in input || 'userUid' in input)
  if (!isOfRecord || !record) return (given) => given
  return (given) => (isFields(given) ? toInput(given, { record, input }) : given)
}
