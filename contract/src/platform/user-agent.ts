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

/** A user agent as people know it: `Chrome on Windows`. What is unknown stays as it is, cut short. */
export function browserOf(userAgent: string): string {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  if (!browser) return userAgent.slice(0, 40) || 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}
