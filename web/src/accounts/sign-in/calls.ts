import type { auth } from '@roadshow/contract/accounts/sign-in'
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
