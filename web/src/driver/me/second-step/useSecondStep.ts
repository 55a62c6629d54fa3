import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { useState } from 'react'
import { ApiError, call } from '../../../api/call.ts'
import { createPasskey } from '../../../api/passkey.ts'
import type { Words } from '../../words/index.ts'
import { meCalls } from '../calls.ts'
import { problemWord } from './problem-rules.ts'

export type CodeAppSetup = ReplyOf<typeof secondFactors.startCodeApp>['data']

/** What the page shows instead of the list, or what stands over it. */
export type Step =
  | { is: 'codeApp'; setup: CodeAppSetup }
  | { is: 'codes'; codes: string[] }
  | { is: 'naming' }
  | { is: 'newCodes' }
  | { is: 'removal'; name: string; remove: () => Promise<void> }
  /** The change is made again once the driver has proved who they are. */
  | { is: 'proof'; retry: () => Promise<void> }

export const stays = { staysOnPage: true } as const

/** Changes of the driver's own second step. One that needs a proof asks for it, and is made afterwards. */
export function useSecondStep(reload: () => Promise<void>) {
  const [step, setStep] = useState<Step>()
  const [isBusy, setIsBusy] = useState(false)
  const [said, setSaid] = useState<keyof Words>()
  const [problem, setProblem] = useState<keyof Words>()

  const attempt = async (change: () => Promise<void>) => {
    setIsBusy(true)
    setSaid(undefined)
    setProblem(undefined)
    try {
      await change()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'proofNeeded') {
        setStep({ is: 'proof', retry: () => attempt(change) })
      } else setProblem(problemWord(error))
    }
    setIsBusy(false)
    await reload()
  }
  const added = (codes: string[] | null, word: keyof Words) => {
    setStep(codes ? { is: 'codes', codes } : undefined)
    setSaid(word)
  }
  const removed = (word: keyof Words) => {
    setStep(undefined)
    setSaid(word)
  }

  return {
    step,
    isBusy,
    said,
    problem,
    open: (next: Step) => {
      setSaid(undefined)
      setProblem(undefined)
      setStep(next)
    },
    close: () => setStep(undefined),
    proved: (retry: () => Promise<void>) => {
      setStep(undefined)
      void retry()
    },
    startCodeApp: () =>
      attempt(async () => setStep({ is: 'codeApp', setup: (await call(meCalls.startCodeApp, {}, stays)).data })),
    addCodeApp: (code: string) =>
      attempt(async () => {
        const { data } = await call(meCalls.addCodeApp, { body: { code } }, stays)
        added(data.recoveryCodes, 'codeAppAdded')
      }),
    removeCodeApp: () =>
      attempt(async () => {
        await call(meCalls.removeCodeApp, {}, stays)
        removed('codeAppRemoved')
      }),
    addPasskey: (name: string) =>
      attempt(async () => {
        const { data } = await call(meCalls.challengePasskey, {}, stays)
        const body = { name, passkey: await createPasskey(data) }
        added((await call(meCalls.addPasskey, { body }, stays)).data.recoveryCodes, 'passkeyAdded')
      }),
    removePasskey: (uid: string) =>
      attempt(async () => {
        await call(meCalls.removePasskey, { params: { uid } }, stays)
        removed('passkeyRemoved')
      }),
    makeCodes: () =>
      attempt(async () => {
        const { data } = await call(meCalls.makeRecoveryCodes, {}, stays)
        setStep({ is: 'codes', codes: data.recoveryCodes })
      }),
  }
}

export type SecondStepChanges = ReturnType<typeof useSecondStep>
