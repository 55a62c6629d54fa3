import { secondFactors } from '@roadshow/contract/accounts/second-factors'
import { useState } from 'react'
import { ApiError, call } from '../../api/call.ts'
import { createPasskey } from '../../api/passkey.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import type { CodeAppSetup } from './CodeAppDialog.tsx'
import { problemText } from './problemText.ts'

/** What stands over the list of factors. */
export type FactorDialog =
  | { is: 'naming' }
  | { is: 'codeApp'; setup: CodeAppSetup }
  | { is: 'codes'; codes: string[] }
  /** The change is made again once the user has proved who they are. */
  | { is: 'proof'; retry: () => Promise<void> }

/** Changes of the user's own factors. One that needs a proof asks for it, and is made afterwards. */
export function useFactorChanges() {
  const [dialog, setDialog] = useState<FactorDialog>()
  const [busy, setBusy] = useState(false)
  const notice = useNotice()
  const refresh = useRefreshAfter(secondFactors.list)

  const attempt = async (change: () => Promise<void>) => {
    setBusy(true)
    try {
      await change()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'proofNeeded') {
        setDialog({ is: 'proof', retry: () => attempt(change) })
      } else notice(problemText(error), 'bad')
    }
    setBusy(false)
    refresh()
  }
  const added = (codes: string[] | null, said: string) => {
    setDialog(codes ? { is: 'codes', codes } : undefined)
    notice(said)
  }

  return {
    dialog,
    busy,
    close: () => setDialog(undefined),
    askName: () => setDialog({ is: 'naming' }),
    proved: (retry: () => Promise<void>) => {
      setDialog(undefined)
      void retry()
    },
    addPasskey: (name: string) =>
      attempt(async () => {
        const { data } = await call(secondFactors.challengePasskey, {})
        const body = { name, passkey: await createPasskey(data) }
        added((await call(secondFactors.addPasskey, { body })).data.recoveryCodes, 'Passkey added.')
      }),
    removePasskey: (uid: string) =>
      attempt(async () => {
        await call(secondFactors.removePasskey, { params: { uid } })
        notice('Passkey removed.')
      }),
    startCodeApp: () =>
      attempt(async () => setDialog({ is: 'codeApp', setup: (await call(secondFactors.startCodeApp, {})).data })),
    addedCodeApp: (codes: string[] | null) => {
      added(codes, 'Authenticator app added.')
      refresh()
    },
    removeCodeApp: () =>
      attempt(async () => {
        await call(secondFactors.removeCodeApp, {})
        notice('Authenticator app removed.')
      }),
    makeCodes: () =>
      attempt(async () => {
        setDialog({ is: 'codes', codes: (await call(secondFactors.makeRecoveryCodes, {})).data.recoveryCodes })
      }),
  }
}
