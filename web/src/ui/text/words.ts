import { formatClock, formatDay, timestamp, localZone } from '@roadshow/contract/platform/dates'
import { recordedLabels, recordedWords } from './recordedFields.ts'
import type { Words } from './recordedFields.ts'
import { EM_DASH } from './dash.ts'

/** The fields of a form by name: each with its label and, where its values are not what people read, the words for them. */
export type FieldsOf<Input> = Record<Extract<keyof Input, string>, string | readonly [label: string, words: Words]>

export type AnyFields = Record<string, string | readonly [label: string, words: Words]>

/**
 * The form's name of a field. The form holds uids where the history holds names (`homeMarketUid`, `homeMarket`), and
 * lists where the history holds single parts (`markets`, `market`).
 */
export const fieldName = (fields: AnyFields, name: string) =>
  [name, `${name}Uid`, `${name}s`, `${name}es`].find((each) => each in fields) ?? name

/** The label of a recorded field; without one of its own, `startsOn` reads `Starts on`. */
function recordedLabel(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return recordedLabels[name] ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`
}

export function fieldLabel(fields: AnyFields, name: string): string {
  const field = fields[fieldName(fields, name)] ?? recordedLabel(name)
  return typeof field === 'string' ? field : field[0]
}

/** The words for the values of a field: the form's own, otherwise those of the recorded field. */
function wordsOf(fields: AnyFields, name: string): Words {
  const field = fields[fieldName(fields, name)]
  return field === undefined || typeof field === 'string' ? (recordedWords[name] ?? {}) : field[1]
}

/** Instants, days and times of day as people read them: those of the database are none. */
function formatRecordedText(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text)) return timestamp(text, localZone())
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text)
  return /^\d{2}:\d{2}:\d{2}$/.test(text) ? formatClock(text) : text
}

/** A value as a person reads it; several of them one below the other, and the parts of one in a line. */
export function formatFieldValue(fields: AnyFields, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return EM_DASH
  const words = wordsOf(fields, name)
  if (typeof words === 'function') return words(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((each) => formatFieldValue(fields, name, each)).join('\n') || EM_DASH
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([part, of]) => [part, formatFieldValue({}, part, of)] as const)
    // The first part is the name, which needs no label.
    return parts
      .filter(([, text]) => text !== EM_DASH)
      .map(([part, text], index) => (index === 0 ? text : `${recordedLabel(part).toLowerCase()} ${text}`))
      .join(', ')
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return words[text] ?? formatRecordedText(text)
}

/** Keys and their words, as a Select lists them. */
export const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
