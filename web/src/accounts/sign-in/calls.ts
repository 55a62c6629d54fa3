import type { auth } from '@roadshow/contract/accounts/sign-in'
import { bare } from '../../api/call.ts'

export const authenticate = bare<typeof auth.authenticate>({
  method: 'POST',
  path: 'authentication/authenticate',
  access: 'public',
})

export const forgotPasswordMail = bare<typeof auth.forgotPasswordMail>({
  method: 'POST',
  path: 'authentication/forgot-password-mail',
  access: 'public',
})
