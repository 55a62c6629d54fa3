import type { Page } from '@roadshow/contract/common'
import type { Endpoint } from '@roadshow/contract/endpoint'
import type { Change } from '@roadshow/contract/history'
import type { ReactNode } from 'react'
import type * as z from '@roadshow/contract/zod'
import type { RecordBy } from '../api/useRecord.ts'
import type { FieldsOf } from './fields.tsx'
import type { RecordFormProps } from './OpenForm.tsx'

export interface Saved {
  uid: string
  version: number
}

type ByUid = z.ZodObject<{ uid: z.ZodUUID }>

interface Writing<Row, Body> extends Endpoint {
  body: z.ZodType<unknown, Body> & { shape: z.ZodRawShape }
  reply: z.ZodType<unknown, { data: Row }>
}

export interface HistoryCall extends Endpoint {
  params: ByUid
  query: z.ZodObject
  reply: z.ZodType<unknown, Page<Change>>
}

/** The calls of one kind of record, as its contract declares them: what a form needs to open, save and delete it. */
interface RecordCalls<Row extends Saved, Input extends object> {
  get: RecordBy<Row>
  create: Writing<Row, Input>
  update: Writing<Row, Input & Saved>
  remove: Endpoint & { params: ByUid }
  history: HistoryCall
}

export interface FormDrawerProps<Row extends Saved, Input extends object> extends RecordFormProps {
  /** What one record is called: `truck`. */
  noun: string
  calls: RecordCalls<Row, Input>
  fields: FieldsOf<Input>
  /** How a record is named: `Truck 12`. */
  nameOf: (record: Row) => string
  /** What a new record starts with. */
  blank: Input
  /** A record as the form edits it. */
  toInput: (record: Row) => Input
  /** What deleting it does, in a sentence. */
  onDelete: string
  /** Two columns, where a form is long. */
  large?: boolean
  /** The form's sections, given the saved record or nothing for a new one. */
  children: (record: Row | undefined) => ReactNode
}
