// This file has no schemas, so that pages can use it without loading zod.

// In this order: each names those after it for the sake of old sites.
const browsers: [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const nameIn = (known: typeof browsers, text: string) => known.find(([pattern]) => pattern.test(text))?.[1]

/** Browser and system of a user agent, as far as they are known. Their names are the same in every language. */
export const browserParts = (userAgent: string): { browser: string | undefined; system: string | undefined } => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
})

/** A user agent as people know it: `Chrome on Windows`. What is unknown stays as it is, cut short. */
export function browserOf(userAgent: string): string {
  const { browser, system } = browserParts(userAgent)
  if (!browser) return userAgent.slice(0, 40) || 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}
