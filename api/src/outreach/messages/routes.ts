import { messages } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { cancelMessage, sendAgain } from '../../platform/outbox/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { getMessage, getMessageEntry, messageCounts, messageEntries, messageSheet } from './queries.ts'

export function messageRoutes(app: App): void {
  const { audit } = app.kernel

  serve(app, messages.list, (call) => listOrExport(call, messageEntries, messageSheet))

  serve(app, messages.counts, async ({ db }) => ({ data: await messageCounts(db) }))

  serve(app, messages.get, async ({ db, params }) => ({ data: await getMessage(db, params.uid) }))

  serve(app, messages.sendAgain, async ({ db, scope: { actor }, params, request }) => {
    const { recipient, subject } = await getMessageEntry(db, params.uid)
    if (!(await sendAgain(db, params.uid))) throw new AppError('messageNotOver')
    await audit(request, { kind: 'messageSentAgain', actorUid: actor.uid, subject: recipient, detail: subject })
    return { data: await getMessageEntry(db, params.uid) }
  })

  serve(app, messages.cancel, async ({ db, scope: { actor }, params, request }) => {
    const { recipient, subject } = await getMessageEntry(db, params.uid)
    const isCanceled = await cancelMessage(db, params.uid, `${actor.name} canceled it.`)
    if (!isCanceled) throw new AppError('messageNotWaiting')
    await audit(request, { kind: 'messageCancelled', actorUid: actor.uid, subject: recipient, detail: subject })
    return { data: await getMessageEntry(db, params.uid) }
  })
}
