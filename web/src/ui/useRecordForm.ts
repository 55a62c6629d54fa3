import { uidOf } from '@roadshow/contract/platform/common'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { Form } from 'antd'
import { useRef, useState } from 'react'
import { ApiError, call, newIdempotencyKey, errorMessage } from '../api/call.ts'
import { useSave } from '../api/useSave.ts'
import { filesIn, withoutFiles } from './fields.tsx'
import { fieldLabel, formatFieldValue } from './words.ts'
import { useNotice } from './notices.tsx'
import type { FormDrawerProps, SavedRecord, RecordVersion } from './records.ts'

/** `markets.0.startsOn` is the start of the first market. */
const pathOf = (name: string) => name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const isStale = (error: unknown) => error instanceof ApiError && error.code === 'staleVersion'

/** The part of `now` that differs from `before`. */
const changedSince = <Input extends object>(now: Input, before: Input): Partial<Input> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof Input])),
  ) as Partial<Input>

const savedPart = <Row extends SavedRecord>(record: Row) =>
  ({
    ...('userUid' in record ? { userUid: record.userUid } : { uid: record.uid }),
    version: record.version,
  }) as unknown as RecordVersion<Row>

/** Saving, deleting and meeting somebody else's change: everything a record's form does besides being drawn. */
export function useRecordForm<Row extends SavedRecord, Input extends object>(
  { calls, fields, blank, toInput, nameOf, onClose, noun }: FormDrawerProps<Row, Input>,
  opened: Row | undefined,
  /** Brings a field into sight that stands on another tab. */
  reveal: (field: string) => void,
) {
  const [form] = Form.useForm<Input>()
  const [record, setRecord] = useState(opened)
  const [problem, setProblem] = useState<string>()
  /** What was refused, for whoever can help. */
  const [refused, setRefused] = useState<ApiError>()
  /** Somebody else's change that came in between. */
  const [theirs, setTheirs] = useState<RecordChange>()
  const [idempotencyKey] = useState(newIdempotencyKey)
  const create = useSave(calls.create, { idempotencyKey })
  const update = useSave(calls.update)
  const remove = useSave(calls.remove)
  const notice = useNotice()

  // What is saved or deleted is no edit any more: closing must not ask.
  const isDone = useRef(false)

  const saved = record ? toInput(record) : blank
  const edits = () => changedSince({ ...saved, ...(form.getFieldsValue(true) as Input) }, saved)
  const done = (text: string) => {
    isDone.current = true
    notice(text)
    onClose()
  }

  const refuse = async (error: unknown) => {
    setRefused(error instanceof ApiError ? error : undefined)
    const marked = Object.entries(error instanceof ApiError ? error.fields : {})
      .map(([name, text]) => ({ name: pathOf(name) as never, errors: [text], top: name.split('.')[0] ?? name }))
      .filter(({ top }) => top in fields)
    const [first] = marked
    if (first) {
      form.setFields(marked)
      reveal(first.top)
      form.focusField(first.name)
      return
    }
    setProblem(errorMessage(error))
    if (isStale(error) && record) setTheirs(await newestChange(record))
  }

  // Who changed it is a help, not a must: without it the sentence and the button still stand.
  const newestChange = (of: SavedRecord) =>
    call(calls.history, { params: { uid: uidOf(of) }, query: { pageSize: '1' } })
      .then(({ data }) => data[0])
      .catch(() => undefined)

  const theirWords = (name: string, fresh: Input) =>
    `${fieldLabel(fields, name)} was changed to: ${formatFieldValue(fields, name, fresh[name as keyof Input])}`

  return {
    form,
    saved,
    record,
    problem,
    theirs,
    refused,
    /** Closing will not ask about edits any more. */
    leave: () => void (isDone.current = true),
    isStale: isStale(update.error),
    isBusy: create.isPending || update.isPending,
    isRemoving: remove.isPending,
    isEdited: () => !isDone.current && Object.keys(edits()).length > 0,

    async save(input: Input) {
      setProblem(undefined)
      setRefused(undefined)
      const body = withoutFiles({ ...saved, ...input })
      const files = filesIn(input)
      try {
        const { data } = record
          ? await update.mutateAsync({ body: { ...body, ...savedPart(record) }, files })
          : await create.mutateAsync({ body, files })
        done(`${nameOf(data)} saved.`)
      } catch (error) {
        await refuse(error)
      }
    },

    async remove(of: SavedRecord) {
      try {
        await remove.mutateAsync({ params: { uid: uidOf(of) } })
        done(`${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted.`)
      } catch (error) {
        await refuse(error)
      }
    },

    /** Takes the newest version under the user's own edits, and marks where both changed the same field. */
    async takeNewest() {
      if (!record) return
      const mine = edits()
      try {
        const { data: newest } = await call(calls.get, { params: { uid: uidOf(record) } })
        const fresh = toInput(newest)
        const both = Object.keys(mine).filter((name) => name in changedSince(fresh, saved))
        setRecord(newest)
        setProblem(undefined)
        update.reset()
        form.setFieldsValue({ ...fresh, ...mine })
        form.setFields(both.map((name) => ({ name: name as never, warnings: [theirWords(name, fresh)] })))
        reveal(both[0] ?? '')
        form.focusField(both[0] ?? Object.keys(fields)[0])
      } catch (error) {
        setProblem(errorMessage(error))
      }
    },
  }
}
