import { shiftFill } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { acceptFillProposal } from './accept.ts'
import { openFillProposal } from './open-fill-proposal.ts'
import { readFillProposal, removeFillProposal } from './fill-proposals.ts'
import { FillRunner } from './runner.ts'

export function fillRoutes(app: App, { db: nodeDb }: AppContext): void {
  const runner = new FillRunner(nodeDb, app.kernel.log)
  app.addHook('onClose', () => runner.stop())
  serve(app, shiftFill.current, async ({ db, scope }) => ({
    data: (await readFillProposal(db, scope.actor.uid)) ?? null,
  }))
  serve(app, shiftFill.start, async ({ db, scope, body }) => {
    runner.refuseIfBusy()
    const before = await readFillProposal(db, scope.actor.uid)
    const { search, proposal } = await openFillProposal(db, scope.actor.uid, body)
    if (before) runner.cancel(before.uid)
    runner.start(proposal.uid, search)
    return { data: proposal }
  })
  serve(app, shiftFill.discard, async ({ db, scope, params: { uid } }) => {
    await removeFillProposal(db, scope.actor.uid, uid)
    runner.cancel(uid)
    return { data: { uid } }
  })
  serve(app, shiftFill.accept, async ({ db, scope, body }) => ({ data: await acceptFillProposal(db, scope, body) }))
}
