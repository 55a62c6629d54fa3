/** The least score of a new password: safe from guessing for years where attempts are slowed down. */
export const MIN_SCORE = 3

// Measuring takes longer than linearly, and no more than this is needed: what begins well ends well.
const MEASURED_CHARACTERS = 64
const MIN_WORD = 3

/** The words by which people know a user: the name, the email address and its parts, and the brand. */
export function ownWordsOf({ name, email }: { name: string; email: string }, brand: string): string[] {
  const words = [email, ...`${name} ${email} ${brand}`.split(/[^\p{L}\p{N}]+/u)].map((word) => word.toLowerCase())
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD)
}

/** A password as typed and without its owner's own words, which add nothing for a guesser who knows the owner. */
export function formsToMeasure(password: string, ownWords: readonly string[]): string[] {
  // The longest first: an email address holds other words.
  const longestFirst = ownWords.toSorted((one, other) => other.length - one.length)
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase())
  const forms = rest === password.toLowerCase() ? [password] : [password, rest]
  return forms.map((form) => form.slice(0, MEASURED_CHARACTERS))
}

/** An email address that its owner recognizes and a stranger cannot use: `d•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.charAt(0)}•••${email.slice(at)}`
}

/** How many whole seconds remain until an instant; at least one. */
export const secondsUntil = (blockedUntil: number, now: number): number =>
  Math.max(1, Math.ceil((blockedUntil - now) / 1000))

/** The sentence for an attempt that must wait. */
export function waitMessage(seconds: number): string {
  const wait =
    seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`
  return `Too many attempts. Please try again in ${wait}.`
}
