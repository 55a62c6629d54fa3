import type { ReportRecipientInput } from '@roadshow/contract/proof/campaign-mails'

type List = readonly ReportRecipientInput[]

const keyOfEmail = (email: string) => email.trim().toLowerCase()
const isSame = (one: ReportRecipientInput | undefined, other: ReportRecipientInput) =>
  JSON.stringify(one?.occasions) === JSON.stringify(other.occasions)
const byEmail = (list: List) => new Map(list.map((each) => [keyOfEmail(each.email), each]))

/** The newest list with the rows that were added, changed or removed here since `before`. */
export function mergeRecipients(before: List, mine: List, newest: List): ReportRecipientInput[] {
  const [was, now, theirs] = [byEmail(before), byEmail(mine), byEmail(newest)]
  const listed = newest.flatMap((each) => {
    const key = keyOfEmail(each.email)
    const edited = now.get(key)
    if (!edited) return was.has(key) ? [] : [each]
    return isSame(was.get(key), edited) ? [each] : [edited]
  })
  // Their removal counts only for rows that are unchanged here.
  const added = mine.filter((each) => {
    const key = keyOfEmail(each.email)
    return !theirs.has(key) && !isSame(was.get(key), each)
  })
  return [...listed, ...added]
}
