import type { ReactNode } from 'react'
import { clockOf } from '../planning/shifts/ClockInput.tsx'

/** Something to choose: how it is called here, and what else people call it. */
export interface Choice {
  value: string
  label: string
  also?: readonly string[]
}

/** How a cell is typed. Whatever the kind, what is typed and pasted is text, and becomes a value when it is saved. */
export type CellEdit =
  | { kind: 'text' | 'day' | 'clock' | 'money' | 'lines' }
  | { kind: 'check' }
  | {
      kind: 'choice'
      choices: readonly Choice[]
      /** What one of them is called: `truck`. */
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
  /** The cell as text: what is read, typed over and pasted. */
  text: (row: Row) => string
  /** What is shown instead of the text where nothing can be typed: pictures, states, links. */
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

const AMERICAN_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** `7/4/2026` as `2026-07-04`; what is no such day stays as it was typed, for the server to refuse. */
function dayOf(text: string): string {
  const found = AMERICAN_DAY.exec(text)
  return found ? `${found[3]}-${found[1]?.padStart(2, '0')}-${found[2]?.padStart(2, '0')}` : text
}

function centsOf(text: string): ParsedCell {
  const typed = text.replace(/[$,\s]/g, '')
  return /^\d+(\.\d{1,2})?$/.test(typed)
    ? { value: Math.round(Number(typed) * 100) }
    : { error: 'Enter an amount such as 180.50.' }
}

export const YES = 'yes'
const NO = 'no'
export const yesNo = (is: boolean) => (is ? YES : NO)

/** What a typed or pasted text means. */
export function parseCell(text: string, edit: CellEdit): ParsedCell {
  switch (edit.kind) {
    case 'text':
    case 'lines':
      return { value: text }
    case 'day':
      return { value: text.trim() === '' ? null : dayOf(text.trim()) }
    case 'clock':
      return { value: clockOf(text) }
    case 'money':
      return centsOf(text)
    case 'check':
      return [YES, NO].includes(plain(text)) ? { value: plain(text) === YES } : { error: 'Enter yes or no.' }
    case 'choice':
      return choiceOf(text, edit)
  }
}

/** What was copied from a spreadsheet, as rows of cells: tabs between them, and quotes around what holds one. */
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
