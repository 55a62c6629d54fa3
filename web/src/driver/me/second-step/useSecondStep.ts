import { useSecondFactors } from '../../../api/useSecondFactors.ts'
import { problemWord } from './problem-rules.ts'

/** Changes of the driver's own second step, with the words for how they went. */
export function useSecondStep(reload: () => Promise<void>) {
  const changes = useSecondFactors({ onChanged: reload, staysOnPage: true })
  return {
    ...changes,
    said: changes.done,
    problem: changes.problem === undefined ? undefined : problemWord(changes.problem),
    // The page says what was wrong.
    addCodeApp: (code: string) => changes.addCodeApp(code).catch(() => undefined),
  }
}

export type SecondStepChanges = ReturnType<typeof useSecondStep>
