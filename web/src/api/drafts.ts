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

/** What this tab keeps for one user under a key; nothing if it is not readable. */
export function readKept(key: string): { userUid: string | undefined } | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as { userUid: string | undefined } | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps what was typed in this tab, for the user who typed it. */
export function keepDrafts(userUid: string | undefined): void {
  add(Object.fromEntries(typedForms()), userUid)
}

const typedForms = () =>
  [...openForms].map(([name, read]) => [name, read()] as const).filter(([, draft]) => draft !== undefined)

/** Whether a form is open that holds something typed. */
export const isTyping = (): boolean => typedForms().length > 0

export const isFormOpen = (name: string): boolean => openForms.has(name)

/** Keeps what was typed into a form that is closed, until it is opened again. */
export const keepDraft = (name: string, typed: unknown, userUid: string | undefined): void =>
  add({ [name]: typed }, userUid)

function add(drafts: Record<string, unknown>, userUid: string | undefined): void {
  if (Object.keys(drafts).length === 0) return
  const before = readKept(KEY) as KeptDrafts | undefined
  const older = before?.userUid === userUid ? before?.drafts : {}
  const kept: KeptDrafts = { userUid, drafts: { ...older, ...drafts } }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Nothing can be kept in a full or closed storage; signing out goes on.
  }
}

/** Takes what was kept for a form, once, if the same user is back. */
export function takeDraft(name: string, userUid: string | undefined): unknown {
  const kept = readKept(KEY) as KeptDrafts | undefined
  if (!kept || kept.userUid !== userUid || !(name in kept.drafts)) return undefined
  const { [name]: draft, ...drafts } = kept.drafts
  sessionStorage.setItem(KEY, JSON.stringify({ ...kept, drafts }))
  return draft
}

/** Where the console keeps saves that wait for the network, in the same form as drafts: for one user. */
export const WAITING_SAVES = 'waitingSaves'

/** Forgets what other users typed and left to be sent, or everything after a sign-out of one's own. */
export function dropDrafts(unlessOf?: string): void {
  for (const key of [KEY, WAITING_SAVES])
    if (unlessOf === undefined || readKept(key)?.userUid !== unlessOf) sessionStorage.removeItem(key)
}
