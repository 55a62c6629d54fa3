/** Whether a new password is too easy to guess: one of the most common, or the user's own email address. */
export function isWeakPassword(password: string, email: string, commonPasswords: ReadonlySet<string>): boolean {
  const lower = password.toLowerCase()
  return commonPasswords.has(lower) || lower === email.toLowerCase()
}

/** An email address that its owner recognizes and a stranger cannot use: `d•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}•••${email.slice(at)}`
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
