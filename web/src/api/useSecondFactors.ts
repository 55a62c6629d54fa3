import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { InputOf, ReplyOf } from '@roadshow/contract/platform/endpoint'
import { useState } from 'react'
import { ApiError, call } from './call.ts'
import { factorCalls } from './factor-calls.ts'
import { askPasskey, createPasskey } from './passkey.ts'

export type CodeAppSetup = ReplyOf<typeof secondFactors.startCodeApp>['data']
export type FactorProof = InputOf<typeof secondFactors.prove>['body']

/** What was done, by the name of its sentence. */
export type FactorChange = 'passkeyAdded' | 'passkeyRemoved' | 'codeAppAdded' | 'codeAppRemoved'

/** What stands over the list of factors, or in its place. */
type FactorStep =
  | { is: 'naming' }
  | { is: 'newCodes' }
  | { is: 'removal'; name: string; remove: () => Promise<void> }
  | { is: 'codeApp'; setup: CodeAppSetup }
  | { is: 'codes'; codes: string[] }
  /** The change is made again once users have proved who they are. */
  | { is: 'proof'; retry: () => Promise<void> }

interface SecondFactorsOptions {
  /** The list of factors is old. */
  onChanged?: () => unknown
  onDone?: (change: FactorChange, codes: string[] | null) => void
  onProblem?: (problem: unknown) => void
  /** An ended session does not lead to the sign-in page. */
  staysOnPage?: true
}

const isProofNeeded = (error: unknown) => error instanceof ApiError && error.code === 'proofNeeded'

/**
 * Changes of the user's own passkeys, authenticator app and recovery codes, without any look: console, driver app and
 * sign-in draw its steps. A change that needs a proof asks for it, and is made afterwards.
 */
export function useSecondFactors({ onChanged, onDone, onProblem, ...options }: SecondFactorsOptions) {
  const [step, setStep] = useState<FactorStep>()
  const [isBusy, setBusy] = useState(false)
  const [done, setDone] = useState<FactorChange>()
  const [problem, setProblem] = useState<unknown>()

  const open = (next: FactorStep | undefined) => {
    setDone(undefined)
    setProblem(undefined)
    setStep(next)
  }
  /** What is refused for another reason than a missing proof is thrown. */
  const make = async (change: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setDone(undefined)
    setProblem(undefined)
    try {
      await change()
    } catch (error) {
      if (isProofNeeded(error)) return setStep({ is: 'proof', retry: () => attempt(change) })
      setProblem(error)
      throw error
    } finally {
      setBusy(false)
      void onChanged?.()
    }
  }
  const attempt = (change: () => Promise<void>): Promise<void> =>
    make(change).catch((cause: unknown) => onProblem?.(cause))
  const finish = (change: FactorChange, codes: string[] | null) => {
    setStep(codes ? { is: 'codes', codes } : undefined)
    setDone(change)
    onDone?.(change, codes)
  }

  /** Throws what is refused, so that the form of the proof says so. */
  const prove = async (proof: FactorProof) => {
    await call(factorCalls.prove, { body: proof }, options)
    if (step?.is !== 'proof') return
    await step.retry()
    // The change may have led on to codes, or to another proof.
    setStep((now) => (now === step ? undefined : now))
  }

  return {
    step,
    isBusy,
    done,
    problem,
    open,
    close: () => setStep(undefined),
    prove,
    proveByPasskey: async () =>
      prove({ passkey: await askPasskey((await call(factorCalls.challengeProof, {}, options)).data) }),
    startCodeApp: () =>
      attempt(async () => setStep({ is: 'codeApp', setup: (await call(factorCalls.startCodeApp, {}, options)).data })),
    /** Throws a wrong code, so that its form says so. */
    addCodeApp: (code: string) =>
      make(async () => {
        const { data } = await call(factorCalls.addCodeApp, { body: { code } }, options)
        finish('codeAppAdded', data.recoveryCodes)
      }),
    removeCodeApp: () =>
      attempt(async () => {
        await call(factorCalls.removeCodeApp, {}, options)
        finish('codeAppRemoved', null)
      }),
    addPasskey: (name: string) =>
      attempt(async () => {
        const { data } = await call(factorCalls.challengePasskey, {}, options)
        const body = { name, passkey: await createPasskey(data) }
        finish('passkeyAdded', (await call(factorCalls.addPasskey, { body }, options)).data.recoveryCodes)
      }),
    removePasskey: (uid: string) =>
      attempt(async () => {
        await call(factorCalls.removePasskey, { params: { uid } }, options)
        finish('passkeyRemoved', null)
      }),
    makeCodes: () =>
      attempt(async () =>
        setStep({ is: 'codes', codes: (await call(factorCalls.makeRecoveryCodes, {}, options)).data.recoveryCodes }),
      ),
  }
}

export type SecondFactorChanges = ReturnType<typeof useSecondFactors>
