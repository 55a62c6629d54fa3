import type { LiveCampaign } from '@roadshow/contract/proof/campaign-links'
import { placeTrucks } from './trucks.ts'

const EVERY_MS = 10_000
// After a failure the server is given more time.
const AFTER_FAILURE_MS = 30_000

const page = document.querySelector<HTMLElement>('#campaign')

function write(texts: LiveCampaign['texts']): void {
  for (const place of page?.querySelectorAll<HTMLElement>('[data-text]') ?? []) {
    const text = texts[place.dataset.text ?? '']
    if (text !== undefined && place.textContent !== text) place.textContent = text
  }
}

/** The link has ended: nothing of the campaign stays on the screen. */
function showEnd(): void {
  page?.remove()
  const end = document.querySelector<HTMLElement>('.ended')
  if (end) end.hidden = false
}

/** Asks for the newest figures and positions; false once the link has ended. */
async function refresh(url: string): Promise<boolean> {
  const answer = await fetch(url, { cache: 'no-store' })
  if (answer.status === 404) return false
  if (!answer.ok) throw new Error(String(answer.status))
  const { data } = (await answer.json()) as { data: LiveCampaign }
  const sentence = page?.querySelector('[data-sentence]')
  if (sentence && sentence.textContent !== data.sentence) sentence.textContent = data.sentence
  write(data.texts)
  placeTrucks(data.trucks)
  return true
}

/** Keeps the page current while it is looked at, and says when its link has ended. */
export function keepCurrent(): void {
  const url = page?.dataset.live
  if (!url) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async () => {
    clearTimeout(timer)
    let wait = EVERY_MS
    try {
      if (!document.hidden && !(await refresh(url))) return showEnd()
    } catch {
      wait = AFTER_FAILURE_MS
    }
    timer = setTimeout(() => void ask(), wait)
  }
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void ask()
  })
  void ask()
}
