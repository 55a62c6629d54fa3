import { shiftFill } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { acceptProposal } from './accept.ts'
import { openProposal } from './open-proposal.ts'
import { readProposal, removeProposal } from './proposals.ts'
import { FillRunner } from './runner.ts'

export function fillRoutes(app: App, { db: nodeDb }: AppContext): void {
  const runner = new FillRunner(nodeDb, (error) => app.log.error(error))
  app.addHook('onClose', () => runner.stop())
  serve(app, shiftFill.current, async ({ db, scope }) => ({ data: (await readProposal(db, scope.actor.uid)) ?? null }))
  serve(app, shiftFill.start, async ({ db, scope, body }) => {
    runner.refuseIfBusy()
    const before = await readProposal(db, scope.actor.uid)
    const { search, proposal } = await openProposal(db, scope.actor.uid, body)
    if (before) runner.cancel(before.uid)
    runner.start(proposal.uid, search)
    return { data: proposal }
  })
  serve(app, shiftFill.discard, async ({ db, scope, params: { uid } }) => {
    await removeProposal(db, scope.actor.uid, uid)
    runner.cancel(uid)
    return { data: { uid } }
  })
  serve(app, shiftFill.accept, async ({ db, scope, body }) => ({ data: await acceptProposal(db, scope, body) }))
}
