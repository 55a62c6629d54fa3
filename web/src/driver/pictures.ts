import type { DriverDay } from '@roadshow/contract/live/driver-app'

// Pictures of artwork are kept for starts without network, for each user apart. Browsers give this storage to https pages
// only; on others pictures are loaded each time.

const PREFIX = 'driver-pictures-'
const storage = () => ('caches' in globalThis ? globalThis.caches : undefined)

/** Signatures in addresses expire; the file behind the path stays the same. */
const pathOf = (url: string) => new URL(url, location.origin).pathname

/** Keeps the artwork of all shifts of the day and drops what no shift needs any more. */
export async function keepPictures({ driver, shifts }: DriverDay): Promise<void> {
  const cache = await storage()?.open(PREFIX + driver.uid)
  if (!cache) return
  const pictures = shifts.flatMap(({ artwork }) => artwork?.pictures ?? []).filter(({ isVideo }) => !isVideo)
  const wanted = new Map(pictures.map(({ url }) => [pathOf(url), url]))
  for (const { url } of await cache.keys()) if (!wanted.has(pathOf(url))) await cache.delete(url)
  for (const [key, url] of wanted) {
    if (await cache.match(key)) continue
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) await cache.put(key, response).catch(() => undefined)
  }
}

/** A kept picture. */
export async function keptPicture(userUid: string, url: string): Promise<Blob | undefined> {
  const cache = await storage()?.open(PREFIX + userUid)
  return (await cache?.match(pathOf(url)))?.blob()
}

/** Drops the pictures of every other user. */
export async function forgetPictures(unlessOf: string | undefined): Promise<void> {
  const kept = storage()
  if (!kept) return
  const names = await kept.keys()
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== `${PREFIX}${unlessOf}`)
  await Promise.all(others.map((name) => kept.delete(name)))
}
