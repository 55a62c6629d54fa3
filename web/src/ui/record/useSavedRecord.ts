import { uidOf } from '@roadshow/contract/platform/common'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, newIdempotencyKey } from '../../api/call.ts'
import { unlessAway } from '../../api/connection.ts'
import { createIdempotencyKeys } from '../../api/idempotency-keys.ts'
import { refreshAfter } from '../../api/live.ts'
import { formKey } from '../../api/useRecord.ts'
import { useSave } from '../../api/useSave.ts'
import { addWaitingSave } from '../../api/waiting-saves.ts'
import type { WaitingSave } from '../../api/waiting-saves.ts'
import { filesIn, withoutFiles } from '../form/fields.tsx'
import { useNotice } from '../notices.tsx'
import type { FormDrawerProps, RemoveCall, SavedRecord, RecordVersion } from './records.ts'
import { useRestore } from './useRestore.ts'
import { useNextSteps } from './useNextSteps.ts'
import { useRecordForm } from '../form/useRecordForm.ts'

const MERGED = 'Someone else changed this record first. Your edits are kept: check the highlighted fields, then save.'

const savedPart = <Row extends SavedRecord>(record: Row) =>
  ({
    ...('userUid' in record ? { userUid: record.userUid } : { uid: record.uid }),
    version: record.version,
  }) as unknown as RecordVersion<Row>

const isUnanswered = (error: unknown) => error instanceof ApiError && isTransientStatus(error.status)

interface SentFrom<Row> {
  record: Row | undefined
  /** Puts the typed words back if the save is refused after it waited. */
  draft: WaitingSave['draft']
}

/** Sends the record. While the server is away, the save is put in line instead. */
function useSendOrWait<Row extends SavedRecord, Input extends object>(
  { calls, nameOf, noun }: FormDrawerProps<Row, Input>,
  isNew: boolean,
) {
  const queries = useQueryClient()
  const endpoint: Endpoint = isNew ? calls.create : calls.update
  const [createKeys] = useState(createIdempotencyKeys)
  const sending = useMutation({
    mutationFn: ({ input, ...options }: { input: object; idempotencyKey?: string }) =>
      unlessAway(async (signal) => (await call(endpoint, input as never, { ...options, signal })) as { data: Row }),
    onSuccess: () => refreshAfter(queries, endpoint),
  })

  const wait = (body: object, idempotencyKey: string, { record, draft }: SentFrom<Row>) =>
    addWaitingSave({
      idempotencyKey,
      method: endpoint.method,
      path: endpoint.path,
      takesFiles: endpoint.files !== undefined,
      body,
      name: record ? nameOf(record) : `New ${noun}`,
      place: `${location.pathname}${location.search}`,
      draft,
      since: Date.now(),
    })

  /** Answers the saved record, or nothing if the save waits. */
  return async (input: Input, from: SentFrom<Row>): Promise<Row | undefined> => {
    const { record } = from
    const body = { ...withoutFiles(input), ...(record && savedPart(record)) }
    const files = filesIn(input)
    const hasFiles = Object.keys(files).length > 0
    const idempotencyKey = record ? newIdempotencyKey() : createKeys.keyFor([body, files])
    try {
      // A change with files does not wait: sent again by hand, it is recognized by what it changes.
      const key = record && hasFiles ? {} : { idempotencyKey }
      return (await sending.mutateAsync({ input: { body, files }, ...key })).data
    } catch (error) {
      if (isUnanswered(error) && !hasFiles && wait(body, idempotencyKey, from)) return undefined
      throw error
    }
  }
}

interface Saved<Row> {
  /** Undefined while the save waits. */
  saved: Row | undefined
  before: Row | undefined
}

/** The form of a record that is added, changed and deleted. */
export function useSavedRecord<Row extends SavedRecord, Input extends object>(
  props: FormDrawerProps<Row, Input>,
  opened: Row | undefined,
  reveal: (field: string) => void,
) {
  const { calls, fields, blank, toInput, nameOf, noun, nextSteps, undo, frame, onClose } = props
  const queries = useQueryClient()
  const notice = useNotice()
  const { afterSaving } = useNextSteps()
  // Records without such a call have no button for it.
  const removing = useSave(calls.remove ?? (calls.get as unknown as RemoveCall))
  const restore = useRestore()
  const draft = `${calls.create.path} ${opened ? uidOf(opened) : 'new'}`
  const send = useSendOrWait(props, opened === undefined)

  const undoOf = (uid: string, text: string) => (undo ? [{ label: 'Undo', onAct: () => undo(uid, text) }] : [])
  const restoreOf = (record: Row) => {
    const endpoint = calls.restore
    const act = () => endpoint && void restore(endpoint, uidOf(record), nameOf(record))
    return endpoint ? [{ label: 'Undo', onAct: act }] : []
  }
  function sayWhatWasSaved(saved: Row | undefined, before: Row | undefined) {
    if (!saved) return notice('Not sent yet. It’s saved as soon as the connection is back.', 'done', [])
    const text = `${nameOf(saved)} saved.`
    // A save without a change leaves nothing to undo but what was done before it.
    const undoing = saved.version === before?.version ? [] : undoOf(uidOf(saved), text)
    return notice(text, 'done', [...afterSaving(saved, nextSteps?.(saved) ?? [], before === undefined), ...undoing])
  }

  const edit = useRecordForm<Input, Row | undefined, Saved<Row>>({
    base: opened,
    toInput: (record) => (record ? toInput(record) : blank),
    fields,
    schema: calls.create.body,
    draft,
    reveal,
    save: async (input, before, typed) => ({
      saved: await send(input, { record: before, draft: { name: draft, typed } }),
      before,
    }),
    onSaved({ saved, before }) {
      sayWhatWasSaved(saved, before)
      if (frame === 'page' && saved) queries.setQueryData(formKey(calls.get, uidOf(saved)), saved)
      else onClose()
    },
    // A page stays open.
    ...(frame === 'page' && { goOnFrom: ({ saved }, base) => saved ?? base }),
    async reload(record) {
      if (!record) return record
      const { data: newest } = await call(calls.get, { params: { uid: uidOf(record) } })
      // The title of the drawer is that of the newest.
      queries.setQueryData(formKey(calls.get, uidOf(record)), newest)
      return newest
    },
  })

  return {
    ...edit,
    isRemoving: removing.isPending,
    draft: {
      ...edit.draft,
      restore({ refused, ...typed }: ReturnType<typeof edit.draft.read> & Pick<WaitingSave, 'refused'>) {
        edit.draft.restore(typed)
        if (refused?.body.code === 'staleVersion') edit.setProblem(MERGED)
        else if (refused) edit.show(new ApiError(refused.status, refused.body))
      },
    },
    async remove(record: Row, isConfirmed: boolean) {
      try {
        const query = isConfirmed ? ({ confirmed: 'yes' } as const) : undefined
        await removing.mutateAsync({ params: { uid: uidOf(record) }, query })
        const text = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted.`
        edit.leave()
        notice(text, 'done', undo ? undoOf(uidOf(record), text) : restoreOf(record))
        onClose()
      } catch (error) {
        edit.show(error)
      }
    },
  }
}
