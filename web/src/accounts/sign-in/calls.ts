import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { auth } from '@roadshow/contract/accounts/sign-in'
import type { singleSignOn } from '@roadshow/contract/accounts/single-sign-on'
import { endpointWithoutSchemas } from '../../api/call.ts'

export const authenticate = endpointWithoutSchemas<typeof auth.authenticate>({
  method: 'POST',
  path: 'authentication/authenticate',
  access: 'public',
})

export const checkPasswordLink = endpointWithoutSchemas<typeof auth.checkPasswordLink>({
  method: 'POST',
  path: 'authentication/password-link',
  access: 'public',
})

export const forgotPasswordMail = endpointWithoutSchemas<typeof auth.forgotPasswordMail>({
  method: 'POST',
  path: 'authentication/forgot-password-mail',
  access: 'public',
})

export const beginSignOn = endpointWithoutSchemas<typeof singleSignOn.begin>({
  method: 'POST',
  path: 'authentication/single-sign-on/begin',
  access: 'public',
})

export const finishSignOn = endpointWithoutSchemas<typeof singleSignOn.finish>({
  method: 'POST',
  path: 'authentication/single-sign-on/finish',
  access: 'public',
})

export const readConfirmation = endpointWithoutSchemas<typeof singleSignOn.confirmation>({
  method: 'GET',
  path: 'authentication/single-sign-on/confirmation',
  access: 'public',
})

export const confirmByPassword = endpointWithoutSchemas<typeof singleSignOn.confirmByPassword>({
  method: 'POST',
  path: 'authentication/single-sign-on/confirm-by-password',
  access: 'public',
})

export const mailConfirmation = endpointWithoutSchemas<typeof singleSignOn.mailConfirmation>({
  method: 'POST',
  path: 'authentication/single-sign-on/confirmation-mail',
  access: 'public',
})

export const confirmByMail = endpointWithoutSchemas<typeof singleSignOn.confirmByMail>({
  method: 'POST',
  path: 'authentication/single-sign-on/confirm-by-mail',
  access: 'public',
})

export const finishSignIn = endpointWithoutSchemas<typeof secondFactors.finishSignIn>({
  method: 'POST',
  path: 'authentication/second-factor',
  access: 'public',
})

export const challengeSecondStep = endpointWithoutSchemas<typeof secondFactors.challengeSecondStep>({
  method: 'POST',
  path: 'authentication/second-factor/challenge',
  access: 'public',
})

export const challengeSignIn = endpointWithoutSchemas<typeof secondFactors.challengeSignIn>({
  method: 'POST',
  path: 'authentication/passkey/challenge',
  access: 'public',
})

export const signInWithPasskey = endpointWithoutSchemas<typeof secondFactors.signInWithPasskey>({
  method: 'POST',
  path: 'authentication/passkey',
  access: 'public',
})
