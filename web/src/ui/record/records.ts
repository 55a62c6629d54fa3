import type { Keyed } from '@roadshow/contract/platform/common'
import type { confirmedQuery } from '@roadshow/contract/platform/deletion'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { Read } from '../../api/useCall.ts'
import type { HistoryPage } from '@roadshow/contract/platform/history'
import type { ReactNode } from 'react'
import type * as z from '@roadshow/contract/platform/zod'
import type { ApiError } from '../../api/call.ts'
import type { RecordBy } from '../../api/useRecord.ts'
import type { DependentsCall } from './DeleteQuestion.tsx'
import type { FieldsOf } from '../text/words.ts'
import type { RecordFormProps } from './RecordDrawer.tsx'
import type { RecordSlot } from '../slots.tsx'
import type { UrlSearch } from '../useListState.ts'

export type SavedRecord = Keyed & { version: number }

/** Identifies the record to save and the version that it changes. */
export type RecordVersion<Row extends SavedRecord> = Pick<Row, Extract<keyof Row, 'uid' | 'userUid' | 'version'>>

type ByUid = z.ZodObject<{ uid: z.ZodUUID }>

interface Writing<Row, Body> extends Endpoint {
  body: z.ZodType<unknown, Body> & { shape: z.ZodRawShape }
  reply: z.ZodType<unknown, { data: Row }>
}

export interface HistoryCall extends Read {
  params: ByUid
  query: z.ZodObject
  reply: z.ZodType<unknown, HistoryPage>
}

/** The history of records that are looked at all together. */
export interface HistoryOfAll extends Read {
  query: z.ZodObject
  reply: z.ZodType<unknown, HistoryPage>
}

export type RemoveCall = Endpoint & { method: 'DELETE'; params: ByUid; query: typeof confirmedQuery }
export type RestoreCall = Endpoint & { method: 'PUT'; params: ByUid }

/** The calls of one kind of record, as its contract declares them: what a form needs to open, save and delete it. */
interface RecordCalls<Row extends SavedRecord, Input extends object> {
  get: RecordBy<Row>
  create: Writing<Row, Input>
  update: Writing<Row, Input & RecordVersion<Row>>
  /** None for records that stay. */
  remove?: RemoveCall
  /** What hangs on a record, to be asked before it is deleted. */
  dependents?: DependentsCall
  restore?: RestoreCall
  history: HistoryCall
}

/** A part of a long form, on a tab of its own. */
export interface FormPart<Row> {
  label: string
  /** The form's fields that stand in it. */
  fields: readonly string[]
  content: (record: Row | undefined) => ReactNode
}

/** Something about a saved record that is not part of its form. */
export interface RecordTab {
  label: string
  content: ReactNode
}

/** What people usually do after saving a record: a place to go to, or an act of its own. */
export type NextStep = {
  label: string
  /** Only users who may make this call are offered it. */
  needs: Endpoint
} & ({ to: string; search: UrlSearch } | { act: () => void })

export interface FormDrawerProps<Row extends SavedRecord, Input extends object> extends RecordFormProps {
  /** What one record is called: `truck`. */
  noun: string
  calls: RecordCalls<Row, Input>
  fields: FieldsOf<Input>
  /** How a record is named: `Truck 12`. */
  nameOf: (record: Row) => string
  /** What a new record starts with. */
  blank: Input
  /** What a new record takes from the filters of the list it is added to. */
  prefill?: (filters: UrlSearch) => Partial<Input>
  /** A record as the form edits it. */
  toInput: (record: Row) => Input
  /** What is offered after saving it. */
  nextSteps?: (saved: Row) => readonly NextStep[]
  /** Takes back what was saved or deleted last of a record; what was said of it is given. */
  undo?: (uid: string, said: string) => void
  /** What deleting it does, in a sentence; none for records that stay. */
  onDelete?: string
  /** Two columns, where a form is long. */
  large?: boolean
  /** What several records are called, on the page of one. */
  several?: string
  /** What stands above the parts of a record on its page. */
  summary?: (record: Row) => ReactNode
  /** What the tab of the form is called, if not Details. */
  label?: string
  /** Further parts of the form; one Save keeps them all. */
  parts?: readonly FormPart<Row>[]
  /** Why a record cannot be changed now, and what can be done about it; nothing when it can. */
  locked?: (record: Row, reload: () => void) => ReactNode
  /** What helps when saving is refused. `leave` lets the form go without asking about its edits. */
  offer?: (error: ApiError, leave: () => void) => ReactNode
  /** Further tabs of a saved record. One that saves the record itself calls `follow`: the form keeps its own edits. */
  tabs?: (record: Row, follow: () => Promise<void>) => readonly RecordTab[]
  /** The slot that holds tabs of other domains; they follow the record's own. */
  slot?: RecordSlot<Row>
  /** The form's sections, given the saved record or nothing for a new one. */
  children: (record: Row | undefined) => ReactNode
}
