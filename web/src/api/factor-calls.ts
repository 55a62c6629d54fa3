import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import { endpointWithoutSchemas } from './call.ts'

type Calls = typeof secondFactors
const access = 'signedIn'
// The server keeps no answer that holds a secret, so such a call is sent once.
const secret = true

/** The calls on a user's own second factors, for pages too light to carry schemas. */
export const factorCalls = {
  list: endpointWithoutSchemas<Calls['list']>({ method: 'GET', path: 'authentication/factors', access }),
  prove: endpointWithoutSchemas<Calls['prove']>({ method: 'POST', path: 'authentication/proof', access, secret }),
  challengeProof: endpointWithoutSchemas<Calls['challengeProof']>({
    method: 'POST',
    path: 'authentication/proof/challenge',
    access,
    secret,
  }),
  startCodeApp: endpointWithoutSchemas<Calls['startCodeApp']>({
    method: 'POST',
    path: 'authentication/code-app/setup',
    access,
    secret,
  }),
  addCodeApp: endpointWithoutSchemas<Calls['addCodeApp']>({
    method: 'POST',
    path: 'authentication/code-app',
    access,
    secret,
  }),
  removeCodeApp: endpointWithoutSchemas<Calls['removeCodeApp']>({
    method: 'DELETE',
    path: 'authentication/code-app',
    access,
  }),
  challengePasskey: endpointWithoutSchemas<Calls['challengePasskey']>({
    method: 'POST',
    path: 'authentication/passkeys/challenge',
    access,
    secret,
  }),
  addPasskey: endpointWithoutSchemas<Calls['addPasskey']>({
    method: 'POST',
    path: 'authentication/passkeys',
    access,
    secret,
  }),
  removePasskey: endpointWithoutSchemas<Calls['removePasskey']>({
    method: 'DELETE',
    path: 'authentication/passkeys/{uid}',
    access,
  }),
  makeRecoveryCodes: endpointWithoutSchemas<Calls['makeRecoveryCodes']>({
    method: 'POST',
    path: 'authentication/recovery-codes',
    access,
    secret,
  }),
}
