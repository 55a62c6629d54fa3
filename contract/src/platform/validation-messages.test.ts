import { expect, test } from 'vitest'
import { z } from './zod.ts'

const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'Required.'],
  [z.string(), 5, 'Must be text.'],
  [z.number(), 'five', 'Must be a number.'],
  [z.int(), 1.5, 'Must be a whole number.'],
  [z.boolean(), 'yes', 'Must be true or false.'],
  [z.array(z.string()), 'a', 'Must be a list.'],
  [z.object({}), 'a', 'Must be an object.'],
  [z.string().min(1), '', 'Required.'],
  [z.string().min(3), 'ab', 'At least 3 characters.'],
  [z.string().max(3), 'abcd', 'At most 3 characters.'],
  [z.array(z.int()).max(1), [1, 2], 'At most 1 entry.'],
  [z.number().min(3), 2, 'Must be at least 3.'],
  [z.number().gt(3), 3, 'Must be more than 3.'],
  [z.number().lt(3), 3, 'Must be less than 3.'],
  [z.number().multipleOf(5), 3, 'Must be a multiple of 5.'],
  [z.email(), 'a', 'Enter a valid email address.'],
  [z.string().regex(/b/), 'a', 'Not a valid value.'],
  [z.strictObject({}), { a: 1, b: 2 }, 'Unknown fields: a, b.'],
  [z.enum(['a', 'b']), 'c', 'Must be one of: a, b.'],
  [z.literal('a'), 'c', 'Must be a.'],
  [z.union([z.int(), z.boolean()]), 'c', 'Not a valid value.'],
])('%# says what to do', (schema, value, message) => expect(messageOf(schema, value)).toBe(message))

test('a sentence of the schema itself goes first', () => {
  expect(messageOf(z.string('Enter a name.'), 5)).toBe('Enter a name.')
})
