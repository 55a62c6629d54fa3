import type { Words } from '../words/index.ts'

/** What an issue is about. Kinds that the fleet raises by itself are shown as they are called there. */
export function issueKindText(kind: string, words: Words): string {
  const known: Record<string, string> = {
    mechanical: words.issueMechanical,
    screen: words.issueScreen,
    accident: words.issueAccident,
    other: words.issueOther,
    inspection: words.resultDefect,
  }
  return known[kind] ?? words.issueOther
}
