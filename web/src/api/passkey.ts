import type { NewPasskey, PasskeyAnswer, secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { ReadableError } from './call.ts'

type Creation = ReplyOf<typeof secondFactors.challengePasskey>['data']
type Request = ReplyOf<typeof secondFactors.challengeSignIn>['data']

// Loaded here and not above: most people sign in without one.
const library = () => import('@simplewebauthn/browser')

/** A passkey that the browser did not make or use, with a sentence for its owner. */
export class PasskeyError extends ReadableError {
  readonly reason: 'exists' | 'unused' | 'unusable'

  constructor(reason: PasskeyError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export const canUsePasskeys = () => 'PublicKeyCredential' in window

function explain(error: unknown): never {
  const { name } = error as { name?: unknown }
  if (name === 'InvalidStateError')
    throw new PasskeyError('exists', 'This device already has a passkey for your account.')
  // Browsers do not tell a canceled dialog from one that timed out or found no passkey.
  if (name === 'NotAllowedError' || name === 'AbortError') {
    throw new PasskeyError('unused', 'No passkey was used. Please try again.')
  }
  throw new PasskeyError('unusable', 'This browser can’t use a passkey here. Please choose another way.')
}

/** Has the browser make a passkey. */
export async function createPasskey(optionsJSON: Creation): Promise<NewPasskey> {
  const { startRegistration } = await library()
  const made = await startRegistration({ optionsJSON: optionsJSON as never }).catch(explain)
  return made
}

/** Has the browser sign with a passkey. */
export async function askPasskey(optionsJSON: Request): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library()
  const answer = await startAuthentication({ optionsJSON: optionsJSON as never }).catch(explain)
  return answer
}

const systems: [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android phone'],
  [/Windows/, 'Windows computer'],
  [/Mac OS X/, 'Mac'],
]

/** A name to begin with: people know their devices. */
export const suggestedPasskeyName = (userAgent = navigator.userAgent): string =>
  `My ${systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'computer'}`
