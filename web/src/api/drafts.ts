const KEY = 'drafts'

interface KeptDrafts {
  userUid: string | undefined
  drafts: Record<string, unknown>
}

/** The open forms by name, each with the way to read what was typed; undefined if nothing was. */
const openForms = new Map<string, () => unknown>()

/** Makes what is typed into a form outlast a forced sign-out. Hands back the way to stop. */
export function watchDraft(name: string, read: () => unknown): () => void {
  openForms.set(name, read)
  return () => void (openForms.get(name) === read && openForms.delete(name))
}

function readKept(): KeptDrafts | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptDrafts | undefined
  } catch {
    return undefined
  }
}

/** Keeps what was typed in this tab, for the user who typed it. */
export function keepDrafts(userUid: string | undefined): void {
  const typed = [...openForms].map(([name, read]) => [name, read()] as const).filter(([, draft]) => draft !== undefined)
  if (typed.length === 0) return
  const kept: KeptDrafts = { userUid, drafts: Object.fromEntries(typed) }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Nothing can be kept in a full or closed storage; signing out goes on.
  }
}

/** Takes what was kept for a form, once, if the same user is back. */
export function takeDraft(name: string, userUid: string | undefined): unknown {
  const kept = readKept()
  if (!kept || kept.userUid !== userUid || !(name in kept.drafts)) return undefined
  const { [name]: draft, ...drafts } = kept.drafts
  sessionStorage.setItem(KEY, JSON.stringify({ ...kept, drafts }))
  return draft
}

/** Forgets what other users typed, or everything after a sign-out of one's own. */
export function dropDrafts(unlessOf?: string): void {
  if (unlessOf === undefined || readKept()?.userUid !== unlessOf) sessionStorage.removeItem(KEY)
}
