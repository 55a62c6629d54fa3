import { uidOf } from '@roadshow/contract/platform/common'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Form } from 'antd'
import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import { ApiError, call, newIdempotencyKey, errorMessage, isStale } from '../api/call.ts'
import { unlessAway } from '../api/connection.ts'
import { createIdempotencyKeys } from '../api/idempotency-keys.ts'
import { refreshAfter } from '../api/live.ts'
import { formKey } from '../api/useRecord.ts'
import { useSave } from '../api/useSave.ts'
import { addWaitingSave } from '../api/waiting-saves.ts'
import type { WaitingSave } from '../api/waiting-saves.ts'
import { filesIn, withoutFiles } from './fields.tsx'
import { fieldLabel, formatFieldValue } from './words.ts'
import type { FieldsOf } from './words.ts'
import { useNotice } from './notices.tsx'
import type { NoticeAction } from './notices.tsx'
import type { FormDrawerProps, RemoveCall, SavedRecord, RecordVersion } from './records.ts'
import { useNextSteps } from './useNextSteps.ts'

/** `markets.0.startsOn` is the start of the first market. */
const pathOf = (name: string) => name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

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

const theirValueText = <Input extends object>(fields: FieldsOf<Input>, name: string, fresh: Input) =>
  `${fieldLabel(fields, name)} was changed to: ${formatFieldValue(fields, name, fresh[name as keyof Input])}`

/** What a form keeps of its edits while it is closed. */
interface Typed<Input> {
  mine: Partial<Input>
  before: Input
  refused?: WaitingSave['refused']
}

const MERGED = 'Someone else changed this record first. Your edits are kept: check the highlighted fields, then save.'

type RevealField = (field: string) => void

/** The last refused save: marked at the fields it names, otherwise a sentence above the form. */
function useRefusal<Row extends SavedRecord, Input extends object>(
  { calls, fields }: FormDrawerProps<Row, Input>,
  form: FormInstance<Input>,
  reveal: RevealField,
) {
  const [problem, setProblem] = useState<string>()
  /** The refusal itself, from which the form may offer a way out. */
  const [refused, setRefused] = useState<ApiError>()
  /** Another person's change that was saved first. */
  const [theirs, setTheirs] = useState<RecordChange>()

  // The change is a help, not a must: without it the sentence and the button still stand.
  const newestChange = (record: SavedRecord) =>
    call(calls.history, { params: { uid: uidOf(record) }, query: { pageSize: '1' } })
      .then(({ data }) => data[0])
      .catch(() => undefined)

  return {
    shown: { problem, refused, theirs },
    setProblem,
    clear() {
      setProblem(undefined)
      setRefused(undefined)
    },
    async show(error: unknown, record: SavedRecord | undefined) {
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
    },
  }
}

interface SavingOptions<Row, Input> {
  record: Row | undefined
  saved: Input
  refusal: ReturnType<typeof useRefusal>
  /** Puts the typed words back if the save is refused after it waited. */
  draft: () => WaitingSave['draft']
  onDone: (text: string, actions?: readonly NoticeAction[]) => void
}

const isUnanswered = (error: unknown) => error instanceof ApiError && isTransientStatus(error.status)

/** Sends the record. While the server is away, the save is put in line instead. */
function useSendOrWait<Row extends SavedRecord, Input extends object>(
  { calls, nameOf, noun }: FormDrawerProps<Row, Input>,
  { record, saved, draft }: Pick<SavingOptions<Row, Input>, 'record' | 'saved' | 'draft'>,
) {
  const queries = useQueryClient()
  const endpoint: Endpoint = record ? calls.update : calls.create
  const [createKeys] = useState(createIdempotencyKeys)
  const sending = useMutation({
    mutationFn: ({ input, ...options }: { input: object; idempotencyKey?: string }) =>
      unlessAway(async (signal) => (await call(endpoint, input as never, { ...options, signal })) as { data: Row }),
    onSuccess: () => refreshAfter(queries, endpoint),
  })

  const wait = (body: object, idempotencyKey: string) =>
    addWaitingSave({
      idempotencyKey,
      method: endpoint.method,
      path: endpoint.path,
      takesFiles: endpoint.files !== undefined,
      body,
      name: record ? nameOf(record) : `New ${noun}`,
      place: `${location.pathname}${location.search}`,
      draft: draft(),
      since: Date.now(),
    })

  /** Answers the saved record, or nothing if the save waits. */
  async function send(input: Input): Promise<Row | undefined> {
    const body = { ...withoutFiles({ ...saved, ...input }), ...(record && savedPart(record)) }
    const files = filesIn(input)
    const hasFiles = Object.keys(files).length > 0
    const idempotencyKey = record ? newIdempotencyKey() : createKeys.keyFor([body, files])
    try {
      // A change with files does not wait: sent again by hand, it is recognized by what it changes.
      const key = record && hasFiles ? {} : { idempotencyKey }
      return (await sending.mutateAsync({ input: { body, files }, ...key })).data
    } catch (error) {
      if (isUnanswered(error) && !hasFiles && wait(body, idempotencyKey)) return undefined
      throw error
    }
  }

  return { sending, send }
}

/** The calls that create, update and delete the record. */
function useSaving<Row extends SavedRecord, Input extends object>(
  props: FormDrawerProps<Row, Input>,
  { record, refusal, onDone, ...kept }: SavingOptions<Row, Input>,
) {
  const { calls, nameOf, noun, nextSteps, undo } = props
  const finish = (uid: string, text: string, actions: readonly NoticeAction[] = []) =>
    onDone(text, undo ? [...actions, { label: 'Undo', onAct: () => undo(uid, text) }] : actions)
  const { afterSaving } = useNextSteps()
  const { sending, send } = useSendOrWait(props, { record, ...kept })
  // Records without such a call have no button for it.
  const remove = useSave<RemoveCall>(calls.remove ?? calls.get)

  return {
    isStale: isStale(sending.error),
    isBusy: sending.isPending,
    isRemoving: remove.isPending,
    forgetStale: sending.reset,

    async save(input: Input) {
      refusal.clear()
      try {
        const data = await send(input)
        if (data) {
          const actions = afterSaving(data, nextSteps?.(data) ?? [], record === undefined)
          // A save without a change leaves nothing to undo but what was done before it.
          const isChanged = data.version !== record?.version
          const saved = `${nameOf(data)} saved.`
          if (isChanged) finish(uidOf(data), saved, actions)
          else onDone(saved, actions)
        } else onDone('Not sent yet. It’s saved as soon as the connection is back.')
      } catch (error) {
        await refusal.show(error, record)
      }
    },

    async remove(of: SavedRecord) {
      try {
        await remove.mutateAsync({ params: { uid: uidOf(of) } })
        finish(uidOf(of), `${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted.`)
      } catch (error) {
        await refusal.show(error, record)
      }
    },
  }
}

/** Saves and deletes a record and merges another person's change: everything its form does besides being drawn. */
export function useRecordForm<Row extends SavedRecord, Input extends object>(
  props: FormDrawerProps<Row, Input>,
  opened: Row | undefined,
  /** Brings a field into sight that stands on another tab. */
  reveal: RevealField,
) {
  const { calls, fields, blank, toInput, onClose } = props
  const [form] = Form.useForm<Input>()
  const [record, setRecord] = useState(opened)
  // The record under the values of the form; calls that wait for an answer outlast the render that made them.
  const newestRecord = useRef(opened)
  const notice = useNotice()
  const queries = useQueryClient()
  const refusal = useRefusal(props, form, reveal)

  // A record that is saved or deleted has no edits left: closing must not ask.
  const isDone = useRef(false)
  const onDone = (text: string, actions: readonly NoticeAction[] = []) => {
    isDone.current = true
    notice(text, 'done', actions)
    onClose()
  }

  const saved = record ? toInput(record) : blank
  const savedNow = () => (newestRecord.current ? toInput(newestRecord.current) : blank)
  const edits = () => changedSince({ ...savedNow(), ...(form.getFieldsValue(true) as Input) }, savedNow())
  const draft = {
    name: `${calls.create.path} ${record ? uidOf(record) : 'new'}`,
    // Files cannot be kept: they are chosen again.
    read: (): Typed<Input> => ({ mine: withoutFiles(edits()), before: saved }),
    restore({ mine, before, refused }: Typed<Input>) {
      putOver(saved, mine, before)
      if (refused?.body.code === 'staleVersion') refusal.setProblem(MERGED)
      else if (refused) void refusal.show(new ApiError(refused.status, refused.body), record)
    },
  }
  const { forgetStale, ...saving } = useSaving(props, {
    record,
    saved,
    refusal,
    onDone,
    draft: () => ({ name: draft.name, typed: draft.read() }),
  })

  /** Puts the user's edits over fresh values, and marks fields that others have changed since they were made. */
  const putOver = (fresh: Input, mine: Partial<Input>, before: Input) => {
    const both = Object.keys(mine).filter((name) => name in changedSince(fresh, before))
    form.setFieldsValue({ ...fresh, ...mine })
    form.setFields(both.map((name) => ({ name: name as never, warnings: [theirValueText(fields, name, fresh)] })))
    return both
  }

  /** Puts the newest version under the edits that there are by now. Answers the fields that both changed. */
  const mergeUnder = (newest: Row) => {
    const [mine, before] = [edits(), savedNow()]
    newestRecord.current = newest
    setRecord(newest)
    refusal.setProblem(undefined)
    forgetStale()
    return putOver(toInput(newest), mine, before)
  }

  const showField = (field: string | undefined) => {
    reveal(field ?? '')
    form.focusField(field ?? Object.keys(fields)[0])
  }

  async function mergeNewest(of: Row): Promise<string[]> {
    const { data: newest } = await call(calls.get, { params: { uid: uidOf(of) } })
    // The title of the drawer is that of the newest.
    queries.setQueryData(formKey(calls.get, uidOf(of)), newest)
    return mergeUnder(newest)
  }

  return {
    ...saving,
    ...refusal.shown,
    form,
    saved,
    record,
    /** Closing will not ask about edits any more. */
    leave: () => void (isDone.current = true),
    isEdited: () => !isDone.current && Object.keys(edits()).length > 0,
    draft,

    /** Puts the newest version under the user's own edits, and marks fields that both changed. */
    async takeNewest() {
      if (!record) return
      try {
        const both = await mergeNewest(record)
        showField(both[0])
      } catch (error) {
        refusal.setProblem(errorMessage(error))
      }
    },

    /** The same after another tab has saved the record; the form comes forward only for a field that both changed. */
    async follow() {
      const [field] = record ? await mergeNewest(record) : []
      if (field !== undefined) showField(field)
    },
  }
}
