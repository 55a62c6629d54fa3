import type { ReactNode } from 'react'
import { localZone } from '@roadshow/contract/platform/dates'
import { readClock, readDay } from '@roadshow/contract/platform/typed-time'
import type { Reading } from '@roadshow/contract/platform/typed-time'
import { localDay } from '@roadshow/contract/planning/shift-time'

/** A choice: its label here, and other names for it. */
export interface Choice {
  value: string
  label: string
  also?: readonly string[]
}

/** How a cell is edited. Typed and pasted text becomes a value when the line is saved. */
export type CellEdit =
  | { kind: 'text' | 'day' | 'clock' | 'money' | 'lines' }
  | { kind: 'check' }
  | {
      kind: 'choice'
      choices: readonly Choice[]
      /** The noun for one choice: `truck`. */
      noun: string
      /** So few that they are opened, instead of found by typing. */
      areFew?: true
      /** An empty cell is a choice too. */
      isOptional?: true
    }

/** One column of a classic table. Its key is the field under which it is saved, and under which it is refused. */
export interface ClassicColumn<Row> {
  key: string
  label: string
  /** In pixels. */
  width: number
  /** The cell as text, which is read, edited and pasted. */
  text: (row: Row) => string
  /** Content instead of the text in read-only cells: pictures, states, links. */
  show?: (row: Row) => ReactNode
  align?: 'right'
  /** Without it the cell is only read; a row may have a say of its own, and so may one that is not saved yet. */
  edit?: CellEdit | ((row: Row | undefined) => CellEdit | undefined) | undefined
}

export const editOf = <Row>({ edit }: ClassicColumn<Row>, row: Row | undefined): CellEdit | undefined =>
  typeof edit === 'function' ? edit(row) : edit

const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase()

export type ParsedCell = { value: unknown } | { error: string }

/** Which choice a text names. One that names none or several is an error: nothing is guessed. */
function choiceOf(text: string, { choices, noun, isOptional }: Extract<CellEdit, { kind: 'choice' }>): ParsedCell {
  const wanted = plain(text)
  if (wanted === '') return isOptional ? { value: null } : { error: `Choose a ${noun}.` }
  const byLabel = choices.filter(({ label }) => plain(label) === wanted)
  const found =
    byLabel.length > 0 ? byLabel : choices.filter(({ also }) => also?.some((each) => plain(each) === wanted))
  const [first, second] = found
  if (!first) return { error: `${noun[0]?.toUpperCase()}${noun.slice(1)} “${text.trim()}” not found.` }
  if (!second) return { value: first.value }
  const names = [...new Set(found.map(({ label }) => label))]
  return {
    error:
      names.length > 1
        ? `“${text.trim()}” is ambiguous. Enter ${names.join(' or ')}.`
        : `Several records are named “${text.trim()}”. Choose one on the new screen.`,
  }
}

/** A day or a time as the API writes it, or what people may type instead. */
const readingOf = (read: Reading<string>): ParsedCell =>
  'value' in read ? { value: read.value } : { error: read.problem }

function centsOf(text: string): ParsedCell {
  const typed = text.replace(/[$,\s]/g, '')
  return /^\d+(\.\d{1,2})?$/.test(typed)
    ? { value: Math.round(Number(typed) * 100) }
    : { error: 'Enter an amount such as 180.50.' }
}

export const YES = 'yes'
const NO = 'no'
export const yesNo = (is: boolean) => (is ? YES : NO)

/** The value of a typed or pasted text. */
export function parseCell(text: string, edit: CellEdit): ParsedCell {
  switch (edit.kind) {
    case 'text':
    case 'lines':
      return { value: text }
    case 'day':
      return text.trim() === '' ? { value: null } : readingOf(readDay(text.trim(), localDay(localZone())))
    case 'clock':
      return readingOf(readClock(text.trim(), { isBareHourRead: true }))
    case 'money':
      return centsOf(text)
    case 'check':
      return [YES, NO].includes(plain(text)) ? { value: plain(text) === YES } : { error: 'Enter yes or no.' }
    case 'choice':
      return choiceOf(text, edit)
  }
}

/** Parses cells copied from a spreadsheet: tab-separated, quoted if a cell holds a tab or line break. */
export function parseCopiedCells(copied: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)|([^\t\n]*)/y
  const text = copied.replaceAll('\r\n', '\n').replace(/\n$/, '')
  for (let at = 0; at <= text.length;) {
    cell.lastIndex = at
    const [whole = '', quoted, bare] = cell.exec(text) ?? []
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? bare ?? '').trim())
    at += whole.length
    if (text[at] === '\n') rows.push([])
    at += 1
  }
  return rows
}
