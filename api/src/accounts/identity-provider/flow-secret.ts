import { createHmac, hash, timingSafeEqual } from 'node:crypto'

const derived = (secret: string, purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url')

/** What one sign-in sends to the provider. All of it follows from the browser's secret, so the server keeps none of it. */
export const flowValuesOf = (secret: string) => {
  const codeVerifier = derived(secret, 'code verifier')
  return {
    state: derived(secret, 'state'),
    nonce: derived(secret, 'nonce'),
    codeVerifier,
    codeChallenge: hash('sha256', codeVerifier, 'base64url'),
  }
}

/** Whether the provider sent back the state of this browser's sign-in. */
export function isStateOf(secret: string, state: string | null): boolean {
  const [expected, given] = [Buffer.from(flowValuesOf(secret).state), Buffer.from(state ?? '')]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
