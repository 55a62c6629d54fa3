import { expect, test } from 'vitest'
import { ApiError } from '../../../api/call.ts'
import { PasskeyError } from '../../../api/passkey.ts'
import { problemWord } from './problem-rules.ts'

const refused = (status: number, code: string, fields = {}) =>
  new ApiError(status, { error: 'In English.', code: code as never, fields })

test.each([
  ['a wrong password', refused(403, 'proofWrong'), 'password', 'wrongPassword'],
  ['a wrong code', refused(403, 'proofWrong'), 'code', 'wrongCode'],
  ['a code that is none', refused(400, 'badInput', { code: 'Must be 6 digits.' }), 'code', 'wrongCode'],
  ['a used recovery code', refused(403, 'proofWrong'), 'recoveryCode', 'wrongRecoveryCode'],
  ['the passkey of another', refused(403, 'proofWrong'), 'passkey', 'wrongPasskey'],
  ['too many attempts', refused(429, 'tooMany'), 'password', 'tooManyTries'],
  ['a wrong first code', refused(400, 'badInput', { code: 'Wrong code.' }), undefined, 'wrongFirstCode'],
  ['the last second step of an account that needs one', refused(409, 'lastFactor'), undefined, 'factorLast'],
  ['a setup that took too long', refused(409, 'setupExpired'), undefined, 'setupTookLong'],
  ['a server that is away', refused(0, ''), undefined, 'needsSignal'],
  ['a session that has ended', refused(401, 'signedOut'), undefined, 'sessionEnded'],
  ['an error of the server', refused(500, 'internal'), undefined, 'didNotWork'],
  ['a passkey that was not used', new PasskeyError('unused', ''), 'passkey', 'passkeyUnused'],
  ['anything else', new Error('x'), undefined, 'didNotWork'],
] as const)('%s has a sentence of its own', (_, error, proof, word) => expect(problemWord(error, proof)).toBe(word))
